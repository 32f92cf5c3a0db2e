// Package simulate plays a workload against the compaction planner, on tables that are lists of numbers: it says what a
// store would write, how much room it would take and how many tables a lookup would have to ask, without a file, a byte
// of data or a clock. What a shape of levels costs is known in seconds, for stores that would take hours to fill.
//
// Flushes, plans and merges are those of a store: the planner is package compaction, the loop that merges is package
// compaction/merge. What is simulated is time. It is counted in bytes that come in; a compaction takes as long as its
// bytes need at the given speed, and until it is done its inputs stay where they are, flushes pile up in level 0, and
// writes stop where a store stops them. The same workload and seed give the same result.
//
// It refuses to know filters, blocks and compression: an entry has a size in a table, and that is all. It stands beside
// the compaction walk; commands call it.
package simulate
