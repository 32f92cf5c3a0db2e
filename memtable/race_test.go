package memtable_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"siftdb/internal/key"
	"siftdb/memtable"
)

// history is a sequence of writes that can be told from the sequence number alone: entry n writes key n*stride mod
// keys, with value n, and every seventh deletes. So a reader knows what any view must show.
type history struct{ keys, stride, inverse uint64 }

// newHistory cycles over a prime number of keys.
func newHistory(keys, stride uint64) history {
	for inverse := uint64(1); ; inverse++ {
		if stride*inverse%keys == 1 {
			return history{keys, stride, inverse}
		}
	}
}

func (h history) user(dst []byte, id uint64) []byte {
	return binary.BigEndian.AppendUint64(append(dst[:0], "key/"...), id)
}

func (h history) add(t *memtable.Table, n uint64) {
	user := h.user(make([]byte, 0, 12), n*h.stride%h.keys)
	if n%7 == 0 {
		t.Add(key.Make(user, key.Seq(n), key.KindDelete), nil)
		return
	}
	t.Add(key.Make(user, key.Seq(n), key.KindSet), fmt.Appendf(nil, "value %d", n))
}

// newest is the last entry up to n that writes key id; 0: none does.
func (h history) newest(id, n uint64) uint64 {
	first := id * h.inverse % h.keys
	if first == 0 {
		first = h.keys
	}
	if n < first {
		return 0
	}
	return n - (n-first)%h.keys
}

// check holds what a read of key id at view n gave against the history.
func (h history) check(tb testing.TB, id, n uint64, value []byte, kind key.Kind, found bool) {
	want := h.newest(id, n)
	switch {
	case found != (want != 0):
		tb.Errorf("key %d at %d: found %v, newest is %d", id, n, found, want)
	case !found:
	case kind == key.KindDelete:
		if want%7 != 0 || len(value) != 0 {
			tb.Errorf("key %d at %d: a deletion with %q, newest is %d", id, n, value, want)
		}
	case string(value) != fmt.Sprintf("value %d", want):
		tb.Errorf("key %d at %d: %q, newest is %d", id, n, value, want)
	}
}

// walk goes over the whole view n and counts its keys.
func (h history) walk(tb testing.TB, it *memtable.Iter, start func() bool, step func() bool, n uint64) {
	seen := uint64(0)
	for ok := start(); ok; ok = step() {
		id := binary.BigEndian.Uint64(it.Key().User[4:])
		if got := uint64(it.Key().Seq()); got != h.newest(id, n) {
			tb.Errorf("key %d at %d: entry %d, newest is %d", id, n, got, h.newest(id, n))
		}
		h.check(tb, id, n, it.Value(), it.Key().Kind(), true)
		seen++
	}
	if want := min(n, h.keys); seen != want {
		tb.Errorf("the view at %d has %d keys, want %d", n, seen, want)
	}
}

// TestReadersBesideAWriter: while one goroutine adds, others get, seek and walk; all see their view and nothing
// else. It is at its best under the race detector.
func TestReadersBesideAWriter(t *testing.T) {
	writes := uint64(12_000)
	if testing.Short() {
		writes = 4_000
	}
	h := newHistory(1009, 577)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	table := memtable.New(1 << 20)
	var visible atomic.Uint64 // entries up to here are added

	var all sync.WaitGroup
	all.Go(func() {
		for n := uint64(1); n <= writes; n++ {
			h.add(table, n)
			visible.Store(n)
		}
	})
	for reader := range uint64(4) {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, reader))
			var buf []byte
			for last := false; !last && !t.Failed(); {
				now := visible.Load()
				last = now == writes
				for range 50 {
					id, at := rng.Uint64N(h.keys), now-rng.Uint64N(min(now, 3000)+1)
					value, kind, found := table.Get(h.user(buf, id), key.Seq(at))
					h.check(t, id, at, value, kind, found)
				}
			}
		})
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 100+reader))
			for last := false; !last && !t.Failed(); {
				now := visible.Load()
				last = now == writes
				it := table.NewIter(key.Seq(now))
				h.walk(t, it, it.First, it.Next, now)
				h.walk(t, it, it.Last, it.Prev, now)
				for range 20 {
					id := rng.Uint64N(h.keys)
					k := key.Lookup(h.user(nil, id), key.MaxSeq)
					if it.SeekGE(k) && it.Key().Seq() != key.Seq(h.newest(binary.BigEndian.Uint64(it.Key().User[4:]), now)) {
						t.Errorf("a seek at %d comes to %v", now, it.Key())
					}
				}
				it.Close()
			}
		})
	}
	all.Wait()
}
