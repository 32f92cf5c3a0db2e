// Package compaction plans: it looks at a version of the store and says which tables should be merged next.
//
// A Plan is a value. Planning reads sizes, bounds and counts, and what is being merged already; it opens no file,
// takes no lock, starts nothing and remembers nothing, so that it is tested by pictures of levels. Carrying a plan
// out is the work of package merge and of db. On the compaction walk it is the first step.
//
// # The shape of the levels
//
// Level 0 holds what was flushed; its tables overlap. Each level below it holds disjoint tables. All of the store's
// data reaches the last level in time, and each level above should be LevelRatio times smaller than the next
// (O'Neil et al., The Log-Structured Merge-Tree, 1996: equal ratios cost the fewest bytes written). So the last
// level, as large as it happens to be, sets the targets of the others, and the topmost level whose target is still
// worth a level is the base, to which level 0 is merged; levels between are empty (the idea is RocksDB's dynamic
// level size; Dong et al., Optimizing Space Amplification in RocksDB, CIDR 2017). Because the last level is ratio
// times the one above whatever the store's size, obsolete data takes at most about a ninth of the live data's room.
//
// With lazy leveling the levels between level 0 and the last hold a sorted run each, of any size, and level 0 is merged
// into a run of its own above the first of them, so that nothing is read to be written again. When no level is free,
// the first runs become one. When all of them together are more than a ratio's part of the last level, they are merged
// into it, part by part (Dayan and Idreos: Dostoevsky, 2018: all levels tiered but the last). Runs being levels, reads,
// files and filters are the same under both styles.
//
// # What is chosen
//
// The level that is furthest over its target goes first. Of a level, the table goes first that overlaps the fewest
// bytes below for its size: it costs the least writing for the room it makes. Of runs, that is a table with all below
// it that shares keys with it, down to the last level. A table with nothing below is moved, not rewritten. When no
// level is over its target, tables that are mostly deletions are pushed down until the deletions are gone, so that
// scans need not step over them again and again, and tables of the last level are rewritten that hold much that was
// kept for views which are closed.
//
// # What keeps reads right
//
// Of one user key, newer versions never come to stand below older ones: a plan for level 0 takes every older table
// of level 0 that shares keys with what it takes, no plan passes a table that shares keys with what it takes without
// taking it along, and two plans that run at once share neither a table nor a key range in the level they write to.
package compaction
