package memtable

import "sync"

// leafLocks are the locks of a tree's leaves. Leaves share them, which matters little: one goroutine changes leaves,
// and it and a reader seldom want the same lock at once.
type leafLocks [64]struct {
	sync.RWMutex
	_ [64 - 24]byte // a cache line each, so that readers of different leaves do not disturb each other
}

// of is the lock of the leaf at r.
func (ls *leafLocks) of(r ref) *sync.RWMutex {
	const spread = 0x9E3779B97F4A7C15 // D. E. Knuth, The Art of Computer Programming 3 (1973), 6.4: multiplicative hashing
	return &ls[uint64(r)*spread>>58].RWMutex
}
