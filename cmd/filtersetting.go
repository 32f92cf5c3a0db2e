package cmd

import (
	"siftdb/bloom"
	"siftdb/db"
)

// filterSetting is what tables' filters should have been made for.
type filterSetting struct {
	name   string       // as tables keep it
	policy bloom.Policy // nil where only the name is known
}

// commonSetting is the one that most keys of the store are under; of equal ones, that of the younger tables.
func commonSetting(store *db.DB) (s filterSetting) {
	keys, most := make(map[string]uint64), uint64(0)
	for t := range store.Tables() {
		keys[t.FilterPolicy] += t.Keys
		most = max(most, keys[t.FilterPolicy])
	}
	for t := range store.Tables() {
		if keys[t.FilterPolicy] == most {
			return filterSetting{name: t.FilterPolicy}
		}
	}
	return s
}

// outdated is the setting that t's filter was made for, if the setting s would make another one: also of the same name,
// where a young table was moved down as it was.
func (s filterSetting) outdated(t db.TableInfo) string {
	if t.FilterPolicy != s.name {
		return t.FilterPolicy
	}
	if s.policy == nil || t.Level == 0 || t.FilterFamily == "" {
		return ""
	}
	place := bloom.Place{Level: t.Level, Reason: bloom.ReasonCompaction}
	if family, _ := bloom.Sizes(s.policy, place, t.Keys); family.String() != t.FilterFamily {
		return t.FilterPolicy + " in level 0"
	}
	return ""
}
