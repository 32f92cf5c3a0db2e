package cmd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"

	"siftdb/db"
)

// keysBetween makes up to n keys that are not in the store and lie between two that are. Each table's range gets
// a share by its number of entries. Keys live until the next.
func keysBetween(store *db.DB, n int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		m := &keyMaker{store: store, yield: yield}
		total, passed := tableSums(store).entries, int64(0)
		for t := range store.Tables() {
			passed += int64(t.Entries)
			wanted := int(float64(n) * float64(passed) / float64(total))
			for m.made < wanted {
				before := m.made
				if err := m.walk(t, wanted); err != nil {
					if err != errEnoughKeys {
						yield(nil, err)
					}
					return
				}
				if m.made == before {
					break // there is no room between these keys
				}
			}
		}
	}
}

// errEnoughKeys says that nobody wants more keys.
var errEnoughKeys = errors.New("siftdb: enough keys")

// keyMaker makes keys between existing ones.
type keyMaker struct {
	store          *db.DB
	yield          func([]byte, error) bool
	made           int
	key, candidate []byte
}

// walk makes one key behind each existing key within the range of t, until wanted are made. What is appended to the
// existing key counts up, so that no made key comes twice.
func (m *keyMaker) walk(t db.TableInfo, wanted int) error {
	it := m.store.NewIter(db.Range{Lower: t.Smallest, KeysOnly: true})
	for ok := it.First(); ok && m.made < wanted && bytes.Compare(it.Key(), t.Largest) < 0; {
		m.key = append(m.key[:0], it.Key()...)
		next := t.Largest
		if ok = it.Next(); ok && bytes.Compare(it.Key(), next) < 0 {
			next = it.Key()
		}
		m.candidate = binary.BigEndian.AppendUint32(append(append(m.candidate[:0], m.key...), 0), uint32(m.made))
		if len(m.candidate) > db.MaxKeySize || bytes.Compare(m.candidate, next) >= 0 {
			continue
		}
		m.made++
		if !m.yield(m.candidate, nil) {
			it.Close() // what went wrong does not matter any more
			return errEnoughKeys
		}
	}
	return it.Close()
}
