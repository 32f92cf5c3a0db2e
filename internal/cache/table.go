package cache

import "sync/atomic"

// table is a hash table with linear probing. One goroutine at a time changes it, any number read beside that;
// at most half of the slots are taken, so that every walk meets an empty one. A reader beside a remove may miss
// an entry that is there, which for a cache is only a miss.
type table struct {
	slots []atomic.Pointer[entry]
	n     int // slots taken; for the writer only
}

// minSlots is the size of an empty table.
const minSlots = 16

func newTable(slots int) *table { return &table{slots: make([]atomic.Pointer[entry], slots)} }

func (t *table) mask() uint64 { return uint64(len(t.slots) - 1) }

// find returns the entry of id, or nil.
func (t *table) find(hash uint64, id ID) *entry {
	for i, m := hash&t.mask(), t.mask(); ; i = (i + 1) & m {
		e := t.slots[i].Load()
		if e == nil || e.id == id {
			return e
		}
	}
}

// insert adds an entry whose id is not there. The result is the table to use from now on: t itself, or one of
// twice the size.
func (t *table) insert(hash uint64, e *entry) *table {
	if 2*(t.n+1) > len(t.slots) {
		larger := newTable(2 * len(t.slots))
		for i := range t.slots {
			if old := t.slots[i].Load(); old != nil {
				larger.place(old.id.hash(), old)
			}
		}
		t = larger
	}
	t.place(hash, e)
	return t
}

func (t *table) place(hash uint64, e *entry) {
	i, m := hash&t.mask(), t.mask()
	for t.slots[i].Load() != nil {
		i = (i + 1) & m
	}
	t.slots[i].Store(e)
	t.n++
}

// replace puts an entry in the place of one with the same id.
func (t *table) replace(old, e *entry) {
	i, m := e.id.hash()&t.mask(), t.mask()
	for t.slots[i].Load() != old {
		i = (i + 1) & m
	}
	t.slots[i].Store(e)
}

// remove takes out an entry that is there, and closes the gap: entries behind it move up as long as that brings
// them no further than their own first slot (Knuth, The Art of Computer Programming 3, 6.4, algorithm R).
func (t *table) remove(e *entry) {
	i, m := e.id.hash()&t.mask(), t.mask()
	for t.slots[i].Load() != e {
		i = (i + 1) & m
	}
	for j := (i + 1) & m; ; j = (j + 1) & m {
		next := t.slots[j].Load()
		if next == nil {
			break
		}
		if home := next.id.hash() & m; (j-home)&m >= (j-i)&m {
			t.slots[i].Store(next)
			i = j
		}
	}
	t.slots[i].Store(nil)
	t.n--
}
