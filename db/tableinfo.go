package db

// TableInfo describes one table of the store.
type TableInfo struct {
	File  string // name in the store's directory
	Level int
	Size  int64 // bytes of the file

	Smallest, Largest        []byte // user keys
	SmallestSeq, LargestSeq  uint64
	Entries, Keys, Deletions uint64 // entries, distinct user keys, entries that are deletions
	RawBytes                 uint64 // of keys and values, before compression

	// FilterPolicy is what was asked for when the table was made, "none" for no filter.
	FilterPolicy string
	// FilterFamily is the kind of filter the table was built with, "" without one; AskedBitsPerKey what was set
	// then; Filter what the filter holds and did since the store was opened.
	FilterFamily    string
	AskedBitsPerKey float64
	Filter          FilterMetrics
	// FilterBits is the size of the filter in the file. FilterPlanes is the number of planes it is divided into, 1 for
	// one that is not, and ResidentPlanes how many of them are in memory.
	FilterBits                   int64
	FilterPlanes, ResidentPlanes int
	// FilterProblem says why the filter, or a plane of it, is not used; nil where nothing is wrong with it, and before
	// it was read.
	FilterProblem error

	// Open says that the table's index is in memory. What follows is known only then.
	Open       bool
	DataBlocks uint64
}
