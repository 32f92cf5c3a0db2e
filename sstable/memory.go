package sstable

import "sync"

// memory is what one block after the other is read or uncompressed into, each over the one before. Nil: each block gets
// its own.
type memory []byte

// room is space for n bytes.
func (m *memory) room(n int) []byte {
	if m == nil {
		return make([]byte, n)
	}
	if cap(*m) < n {
		*m = make([]byte, n+n/8) // the next may be a little larger
	}
	return (*m)[:n]
}

// memories are those that no read has: of *memory.
var memories = sync.Pool{New: func() any { return new(memory) }}

// takeMemory is memory that no read has, until release.
func takeMemory() *memory { return memories.Get().(*memory) }

// release gives m to other reads, unless it is so large that few blocks need it.
func (m *memory) release() {
	if cap(*m) <= keptBuffer {
		m.poison()
		memories.Put(m)
	}
}
