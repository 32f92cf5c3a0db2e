package sstable

// Mode says how a read treats the block cache.
type Mode uint8

const (
	// UseCache looks into the cache first and keeps there what had to be read.
	UseCache Mode = iota
	// PeekCache looks into the cache first and leaves it as it is: for long walks that come once.
	PeekCache
	// SkipCache reads everything from the file and leaves the cache as it is.
	SkipCache
)

// Access says how a read, or a row of reads, treats the block cache, and counts what they did. The zero value is
// ready. It belongs to one goroutine at a time, and whoever gave it to Get calls Release in the end.
type Access struct {
	// Mode is the caller's to set before a read.
	Mode Mode
	Counts
	memory *memory // where a Get uncompresses; nil before the first
}

// Counts says what reads did.
type Counts struct {
	// BlocksCached and BlocksRead count data blocks that came from the cache and from the file. Each of the latter was
	// one read of the file, but for those of an Iter that goes on and on, which come several with a read.
	BlocksCached, BlocksRead int
	// BytesRead adds up the stored sizes of the latter.
	BytesRead int64
}

// Release ends what the last Get returned: its memory goes to other reads. The Access can be used again.
func (a *Access) Release() {
	if a.memory != nil {
		a.memory.release()
		a.memory = nil
	}
}

// room is where a Get uncompresses blocks.
func (a *Access) room() *memory {
	if a.memory == nil {
		a.memory = takeMemory()
	}
	return a.memory
}
