package memtable

import (
	"sync"
	"sync/atomic"

	"siftdb/internal/striped"
)

// probeBit marks a ref that is a probe; the bits below it are the number of its slot.
const probeBit ref = 1 << 63

const (
	probeSlots = striped.Lines
	shortKey   = 36
)

// probes lend places to the keys that searches look for. The B-tree compares separators, and a separator has no room
// for a key, nor for a pointer to one; a key that is searched for is not in the arena either, and must not be written
// there by a reader. So the search copies the key into a slot and asks with a separator that names the slot. A copy of
// a short key costs less than what a reference would: the caller's key would have to live on the heap.
//
// Many goroutines. A slot is held for one search of the B-tree, by a goroutine that mostly comes back to the same one;
// searches beyond the 64 that have slots share one more, one at a time.
type probes struct {
	slots [probeSlots + 1]probe
	extra sync.Mutex // held by the holder of the last slot
}

// probe is a slot, a cache line wide so that searches on two processors do not disturb each other.
type probe struct {
	user  []byte
	taken atomic.Bool
	short [shortKey]byte // backs user until a longer key comes
}

func (p *probes) init() {
	for i := range p.slots {
		p.slots[i].user = p.slots[i].short[:0]
	}
}

// take copies user into a slot and returns the ref that stands for it. release gives it back.
func (p *probes) take(user []byte) ref {
	slot := p.claim()
	s := &p.slots[slot]
	s.user = append(s.user[:0], user...)
	return probeBit | ref(slot)
}

// claim takes a free slot, and waits for the last one when none is.
func (p *probes) claim() int {
	first := striped.Line()
	for i := range probeSlots {
		slot := (first + i) % probeSlots
		if taken := &p.slots[slot].taken; !taken.Load() && taken.CompareAndSwap(false, true) {
			return slot
		}
	}
	p.extra.Lock()
	return probeSlots
}

func (p *probes) release(r ref) {
	slot := r &^ probeBit
	if slot == probeSlots {
		p.extra.Unlock()
		return
	}
	p.slots[slot].taken.Store(false)
}

// user is the key that the probe r stands for.
func (p *probes) user(r ref) []byte { return p.slots[r&^probeBit].user }
