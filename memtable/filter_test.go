package memtable

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/key"
)

// numbered is a key that is scattered over the order of keys.
func numbered(n int) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(n)*0x9E3779B97F4A7C15)
}

func addNumbered(t *Table, n int) {
	t.Add(key.Make(numbered(n), key.Seq(n+1), key.KindSet), numbered(n))
}

// Absent keys are answered while the tree is locked; if one were not, the test would stand still.
func TestAbsentKeysNeedNoLock(t *testing.T) {
	const n = 20_000
	for _, table := range []*Table{New(0), New(4 << 20), New(1 << 30)} {
		for i := range n {
			addNumbered(table, i)
		}
		answered := 0
		table.tree.mu.Lock()
		for i := n; i < 2*n; i++ {
			user := numbered(i)
			hash := bloom.Sum(user)
			if table.filter.MayContain(hash) {
				continue
			}
			answered++
			if _, _, found := table.Get(user, key.MaxSeq); found {
				t.Fatalf("absent key %d is found", i)
			}
			if _, _, found := table.GetHashed(user, hash, key.MaxSeq); found {
				t.Fatalf("absent key %d is found by its hash", i)
			}
		}
		table.tree.mu.Unlock()
		if answered < n*97/100 {
			t.Errorf("of %d absent keys %d are answered by the filter", n, answered)
		}
	}
}

// Recipe FLT-02: a deletion is an entry like others, and in the filter.
func TestDeletionsAreInTheFilter(t *testing.T) {
	table := New(0)
	for i := range 1000 {
		table.Add(key.Make(numbered(i), key.Seq(i+1), key.KindDelete), nil)
	}
	for i := range 1000 {
		if _, kind, found := table.GetHashed(numbered(i), bloom.Sum(numbered(i)), key.MaxSeq); !found || kind != key.KindDelete {
			t.Fatalf("deletion %d: kind %v, found %v", i, kind, found)
		}
	}
}

// An entry can be read as soon as its Add has returned, by whoever knows that it has: its bits are all there by then.
// It is at its best under the race detector.
func TestEntriesAreReadAsSoonAsTheyAreAdded(t *testing.T) {
	const writes = 20_000
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	table := New(64 << 10) // so small that the filter grows several times
	var added atomic.Int64
	var all sync.WaitGroup
	all.Go(func() {
		for i := range writes {
			addNumbered(table, i)
			added.Store(int64(i + 1))
		}
	})
	for reader := range uint64(4) {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, reader))
			for n := 0; n < writes && !t.Failed(); {
				n = int(added.Load())
				for range min(n, 20) {
					for _, i := range []int{n - 1, rng.IntN(n)} {
						user := numbered(i)
						if value, _, found := table.GetHashed(user, bloom.Sum(user), key.Seq(n)); !found || string(value) != string(user) {
							t.Errorf("entry %d of %d: found %v, %x", i, n, found, value)
						}
					}
				}
			}
		})
	}
	all.Wait()
}

// A table that follows another makes its filter for as many keys; after one of other entries it grows.
func TestFiltersFitTheTableBefore(t *testing.T) {
	const n = 30_000
	fill := func(table *Table) float64 {
		for i := range n {
			addNumbered(table, i)
		}
		return float64(table.filter.Bits()) / n
	}
	before := New(0)
	fill(before)
	again := fill(NewPool(before.Bytes()).NewAfter(before))
	if again < 9 || again > 16 {
		t.Errorf("%.1f bits for a key of the second table", again)
	}
	large := New(0)
	large.Add(key.Make(numbered(0), 1, key.KindSet), make([]byte, 1<<20))
	if after := fill(NewPool(before.Bytes()).NewAfter(large)); after > 60 {
		t.Errorf("%.1f bits for a key after a table of large entries", after)
	}
	if got := NewPool(1 << 20).NewAfter(New(0)).filter.Bits(); got != 0 {
		t.Errorf("an empty table has a filter of %d bits", got)
	}
	NewPool(-1).NewAfter(before)
	NewPool(1 << 62).NewAfter(before)
}
