// Package iter holds the smallest contract of an iterator over internal keys, and the iterators that are made of
// others: Merge, which interleaves sorted sources, and Concat, which runs through disjoint ones. Both can be used again
// with the memory that they have when they were closed. Package check, below it, is the suite that every implementation
// of the contract passes.
//
// It refuses to know what the sources are made of, which versions a reader may see, and what a deletion means:
// every entry of every source comes out, hidden ones too.
//
// It stands between the sources (memtable, sstable) and their users: db's iterators on the read walk, compaction's
// merge on the compact walk.
package iter
