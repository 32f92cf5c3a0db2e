package compaction

import "siftdb/internal/manifest"

// Rewrite returns the plan that puts another table in the place of one, in the same level: the same entries in another
// form. It returns false while the table is in a running plan, or one writes among its keys.
func Rewrite(s State, o Options, level int, t *manifest.Table) (Plan, bool) {
	return newPicker(s, o).plan(level, level, []*manifest.Table{t}, nil, "rewrite")
}
