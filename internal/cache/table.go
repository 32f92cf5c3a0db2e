package cache

import "sync/atomic"

// table is a hash table with linear probing. One goroutine at a time changes it, any number read beside that;
// at most two thirds of the slots are taken, so that every walk meets an empty one. A reader beside a change may miss
// an entry that is there, which for a cache is only a miss.
type table struct {
	slots []slot
	n     int // slots taken; for the writer only
}

// slot is a place for an entry. Entries and blocks lie anywhere in memory, each of them one wait for it. The hash of
// the entry's ID spares that of others' entries, and with first a look-up waits for entry and block at once. A reader
// beside a change may find parts of two entries: it looks at a block for nothing, and compares the ID in any case.
type slot struct {
	hash  atomic.Uint64
	first atomic.Pointer[byte] // of the entry's block; never nil once there was one, for readers may come late
	entry atomic.Pointer[entry]
}

// put puts an entry in.
func (s *slot) put(hash uint64, e *entry) {
	s.hash.Store(hash)
	s.first.Store(e.first())
	s.entry.Store(e)
}

// clear takes the entry out, and keeps nothing of its block.
func (s *slot) clear() {
	s.entry.Store(nil)
	s.first.Store(&noByte)
}

// minSlots is the size of an empty table.
const minSlots = 16

func newTable(slots int) *table { return &table{slots: make([]slot, slots)} }

func (t *table) mask() uint64 { return uint64(len(t.slots) - 1) }

// find returns the entry of id, or nil.
func (t *table) find(hash uint64, id ID) *entry {
	for i, m := hash&t.mask(), t.mask(); ; i = (i + 1) & m {
		s := &t.slots[i]
		e := s.entry.Load()
		if e == nil {
			return nil
		}
		if s.hash.Load() != hash {
			continue
		}
		touch(s.first.Load())
		if e.id == id {
			return e
		}
	}
}

// insert adds an entry whose id is not there. The result is the table to use from now on: t itself, or one of
// twice the size.
func (t *table) insert(hash uint64, e *entry) *table {
	if 3*(t.n+1) > 2*len(t.slots) {
		larger := newTable(2 * len(t.slots))
		for i := range t.slots {
			s := &t.slots[i]
			if old := s.entry.Load(); old != nil {
				larger.place(s.hash.Load(), old)
			}
		}
		t = larger
	}
	t.place(hash, e)
	return t
}

func (t *table) place(hash uint64, e *entry) {
	i, m := hash&t.mask(), t.mask()
	for t.slots[i].entry.Load() != nil {
		i = (i + 1) & m
	}
	t.slots[i].put(hash, e)
	t.n++
}

// replace puts an entry in the place of one with the same id.
func (t *table) replace(old, e *entry) {
	hash := e.id.hash()
	t.slots[t.slotOf(hash, old)].put(hash, e)
}

// slotOf is where an entry is that is there.
func (t *table) slotOf(hash uint64, e *entry) uint64 {
	i, m := hash&t.mask(), t.mask()
	for t.slots[i].entry.Load() != e {
		i = (i + 1) & m
	}
	return i
}

// remove takes out an entry that is there, and closes the gap: entries behind it move up as long as that brings
// them no further than their own first slot (Knuth, The Art of Computer Programming 3, 6.4, algorithm R).
func (t *table) remove(e *entry) {
	i, m := t.slotOf(e.id.hash(), e), t.mask()
	for j := (i + 1) & m; ; j = (j + 1) & m {
		next := t.slots[j].entry.Load()
		if next == nil {
			break
		}
		hash := t.slots[j].hash.Load()
		if home := hash & m; (j-home)&m >= (j-i)&m {
			t.slots[i].put(hash, next)
			i = j
		}
	}
	t.slots[i].clear()
	t.n--
}
