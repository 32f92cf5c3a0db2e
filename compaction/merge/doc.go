// Package merge carries a compaction out: sorted entries in, the ones that some view can still see out, cut into
// tables.
//
// Run is the loop. What survives stands in retain.go, where tables end in split.go. The tables themselves are the
// Sink's matter, so that they are built where all tables of the store are built.
//
// The package refuses to know why the entries are merged, at which level, and from which files; it holds one user
// key and one entry at a time, however long the input is. On the compaction walk it stands between the plan and
// the table writer.
package merge
