package memtable

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/allocs"
	"siftdb/internal/key"
)

const pooledSize = 2 << 20

// filled is a table of a pool that has grown to pooledSize.
func filled(p *Pool) *Table {
	t := p.New()
	user, value := make([]byte, 8), make([]byte, 200)
	for i := 0; t.Bytes() < pooledSize; i++ {
		binary.BigEndian.PutUint64(user, uint64(i)*0x9E3779B97F4A7C15) // numbered, without garbage
		t.Add(key.Make(user, key.Seq(i+1), key.KindSet), value)
	}
	return t
}

func freeChunks(p *Pool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.free)
}

// TestTheNextTableGetsTheMemory: a store that fills one table after the other takes no more than the first needed.
func TestTheNextTableGetsTheMemory(t *testing.T) {
	p := NewPool(pooledSize)
	first := filled(p)
	held := p.Mapped()
	first.Release()
	if freeChunks(p) == 0 {
		t.Fatal("nothing is kept")
	}
	for range 3 {
		table := filled(p)
		if n := freeChunks(p); n > 1 {
			t.Errorf("a full table leaves %d chunks", n)
		}
		if got := p.Mapped(); got > held {
			t.Errorf("%d bytes are mapped, %d were for the first table", got, held)
		}
		if _, _, found := table.Get(numbered(0), key.MaxSeq); !found {
			t.Error("a key is not found")
		}
		table.Release()
	}
	const onHeap = pooledSize / 8 // its filter, probes, and the separators of its tree
	if allocated := allocs.Bytes(func() { filled(p).Release() }); allocated > onHeap {
		t.Errorf("%d bytes are allocated for a table with the memory of the one before", allocated)
	}
}

// TestPoolKeepsNoMoreThanATable: when several tables end at once, what the next one cannot need is given back.
func TestPoolKeepsNoMoreThanATable(t *testing.T) {
	p := NewPool(pooledSize)
	tables := []*Table{filled(p), filled(p), filled(p)}
	for _, table := range tables {
		table.Release()
	}
	if kept := freeChunks(p) * p.chunkSize; kept < pooledSize/2 || kept > pooledSize+p.chunkSize {
		t.Errorf("%d bytes are kept for a table of %d", kept, pooledSize)
	}
	p.Trim()
	if n := freeChunks(p); n != 0 || p.Mapped() != 0 {
		t.Errorf("after Trim there are %d chunks, %d bytes mapped", n, p.Mapped())
	}
	filled(p).Release()
	if freeChunks(p) == 0 {
		t.Error("after Trim nothing is kept any more")
	}
}

// TestClosedPoolTakesNothingBack: a reader may let go of a table after the store was closed.
func TestClosedPoolTakesNothingBack(t *testing.T) {
	p := NewPool(pooledSize)
	early, late := filled(p), filled(p)
	early.Release()
	p.Close()
	if _, _, found := late.Get(numbered(0), key.MaxSeq); !found {
		t.Error("a key of a table is not found after Close")
	}
	late.Release()
	if n := freeChunks(p); n != 0 || p.Mapped() != 0 {
		t.Errorf("%d chunks, %d bytes mapped", n, p.Mapped())
	}
}

// TestReleasedTableKnowsItsSize: a flush tells of the table when its memory may be gone.
func TestReleasedTableKnowsItsSize(t *testing.T) {
	table := filled(NewPool(pooledSize))
	n, bytes := table.Len(), table.Bytes()
	table.Release()
	if table.Len() != n || table.Bytes() != bytes || table.Empty() {
		t.Errorf("%d entries, %d bytes; before there were %d and %d", table.Len(), table.Bytes(), n, bytes)
	}
}

// TestLargeValuesInAPool: what needs a chunk of its own, of any size, comes back as it was written, and does not stay.
func TestLargeValuesInAPool(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	p := NewPool(pooledSize)
	for range 20 {
		table := p.New()
		whole := p.chunkSize - headerSize - linksSize - 8 // with its key of eight bytes an entry fills a chunk
		sizes := []int{0, p.chunkSize, whole, 3 * p.chunkSize, p.chunkSize / 4, rng.IntN(2 * p.chunkSize)}
		for i, n := range sizes {
			value := make([]byte, n)
			for j := range value {
				value[j] = byte(i)
			}
			table.Add(key.Make(numbered(i), key.Seq(i+1), key.KindSet), value)
		}
		for i, n := range sizes {
			value, _, found := table.GetHashed(numbered(i), bloom.Sum(numbered(i)), key.MaxSeq)
			if !found || len(value) != n || n > 0 && (value[0] != byte(i) || value[n-1] != byte(i)) {
				t.Fatalf("seed %d: value %d of %d bytes is not found as it was", seed, i, n)
			}
		}
		table.Release()
		if kept := freeChunks(p) * p.chunkSize; kept > pooledSize+p.chunkSize {
			t.Fatalf("%d bytes are kept", kept)
		}
	}
}

// TestSmallTablesInUsedMemory: in the smallest chunks all of a table, its first leaf too, lies where another was.
func TestSmallTablesInUsedMemory(t *testing.T) {
	p := NewPool(16 << 10)
	for round := range 3 {
		table := p.New()
		for i := range 300 {
			addNumbered(table, i)
		}
		it, n := table.NewIter(key.MaxSeq), 0
		for ok := it.First(); ok; ok = it.Next() {
			n++
		}
		if n != 300 {
			t.Errorf("table %d has %d keys", round, n)
		}
		table.Release()
	}
}

// TestTablesOfOnePoolAtOnce: tables that live at the same time, each read while it is written to, do not share memory.
func TestTablesOfOnePoolAtOnce(t *testing.T) {
	p := NewPool(256 << 10)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for round := range 10 {
				table := p.New()
				for i := range 1000 {
					value := fmt.Appendf(nil, "%d/%d/%d", worker, round, i)
					table.Add(key.Make(numbered(i), key.Seq(i+1), key.KindSet), value)
				}
				n := 0
				it := table.NewIter(key.MaxSeq)
				for ok := it.First(); ok; ok = it.Next() {
					var w, r, i int
					fmt.Sscanf(string(it.Value()), "%d/%d/%d", &w, &r, &i)
					if w != worker || r != round || string(it.Key().User) != string(numbered(i)) {
						t.Errorf("table %d of %d has %q", round, worker, it.Value())
					}
					n++
				}
				if n != 1000 {
					t.Errorf("%d entries", n)
				}
				table.Release()
			}
		})
	}
	all.Wait()
	p.Close()
}
