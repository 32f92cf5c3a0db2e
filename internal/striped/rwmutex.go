package striped

import "sync"

// RWMutex is a lock for many readers and few changes. A reader takes its goroutine's line of it alone, and so disturbs no
// other; a writer takes all of them, one after the other, which costs a microsecond or two where nobody holds any. As
// with sync.RWMutex, a writer that waits lets no new readers in, and a reader must not take it twice. The zero value is
// unlocked.
type RWMutex [Lines]struct {
	sync.RWMutex
	_ [2*LineSize - 24]byte // apart, wherever the whole begins
}

// RLock takes the lock for reading, and returns the line for RUnlock.
func (m *RWMutex) RLock() (line int) {
	line = Line()
	m[line].RLock()
	return line
}

// RUnlock gives up what RLock took, in whichever goroutine.
func (m *RWMutex) RUnlock(line int) { m[line].RUnlock() }

// Lock takes the lock for writing.
func (m *RWMutex) Lock() {
	for i := range m {
		m[i].Lock()
	}
}

// Unlock gives up what Lock took.
func (m *RWMutex) Unlock() {
	for i := range m {
		m[i].Unlock()
	}
}
