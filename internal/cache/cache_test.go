package cache

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"weak"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// block makes the content that stands for id, so that a mix-up shows.
func block(id ID, size int) []byte {
	b := make([]byte, max(size, 16))
	binary.LittleEndian.PutUint64(b, id.File)
	binary.LittleEndian.PutUint64(b[8:], id.Offset)
	return b
}

func random(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func TestSetAndGet(t *testing.T) {
	c := newPlain(1 << 20)
	id := ID{3, 4096}
	if _, ok := c.Get(id); ok {
		t.Fatal("an empty cache has a block")
	}
	c.Set(id, block(id, 100))
	if b, ok := c.Get(id); !ok || !bytes.Equal(b, block(id, 100)) {
		t.Fatalf("got %v, %v", b, ok)
	}
	want := Metrics{Hits: 1, Misses: 1, Bytes: 100 + entryOverhead, Entries: 1}
	if m := c.Metrics(); cap(block(id, 100)) == 100 && m != want {
		t.Fatalf("metrics %+v, want %+v", m, want)
	}
}

func TestNoCapacityHoldsNothing(t *testing.T) {
	for _, size := range []int64{-1 << 40, -1, 0, 1, entryOverhead} {
		c := newPlain(size)
		for i := range uint64(100) {
			id := ID{1, i}
			c.Set(id, block(id, 16))
			if _, ok := c.Get(id); ok {
				t.Fatalf("a cache of %d bytes holds a block", size)
			}
		}
		c.DropFiles(1)
		if m := c.Metrics(); m.Bytes != 0 || m.Entries != 0 || m.Hits != 0 {
			t.Errorf("a cache of %d bytes says %+v", size, m)
		}
		c.Close()
	}
}

func TestBlockLargerThanTheCacheIsNotHeld(t *testing.T) {
	c := newPlain(8 << 20)
	small, large, fits := ID{1, 0}, ID{1, 1}, ID{1, 2}
	c.Set(small, block(small, 1000))
	c.Set(large, block(large, 8<<20))
	if _, ok := c.Get(large); ok {
		t.Error("a block larger than the cache is held")
	}
	if _, ok := c.Get(small); !ok {
		t.Error("it pushed out another")
	}
	// One that takes far more than one shard's part of the bytes is a block like others.
	c.Set(fits, block(fits, 7<<20))
	if _, ok := c.Get(fits); !ok {
		t.Error("a block of 7 of 8 MiB is not held")
	}
}

func TestSecondSetKeepsTheFirst(t *testing.T) {
	c := newPlain(1 << 20)
	id := ID{1, 2}
	c.Set(id, block(id, 50))
	before := c.Metrics().Bytes
	c.Set(id, block(id, 5000))
	if got := c.Metrics().Bytes; got != before {
		t.Errorf("bytes went from %d to %d", before, got)
	}
}

func TestRandomOperationsKeepTheAccount(t *testing.T) {
	r := random(t)
	for range 20 {
		capacity := int64(1) << (10 + r.IntN(14))
		c := newPlain(capacity)
		for range 5000 {
			id := ID{r.Uint64N(4), r.Uint64N(300)}
			switch r.IntN(40) {
			case 0:
				c.DropFiles(id.File)
			default:
				if b, ok := c.Get(id); ok {
					if !bytes.Equal(b[:16], block(id, 16)) {
						t.Fatalf("block of %v asked for as %v", b[:16], id)
					}
				} else {
					c.Set(id, block(id, 1<<r.IntN(13)))
				}
			}
			if used := c.Metrics().Bytes; used > capacity || used < 0 {
				t.Fatalf("%d bytes in a cache of %d", used, capacity)
			}
		}
		checkAccount(t, c.Cache)
	}
}

// checkAccount compares the counts kept with what can be found.
func checkAccount(t *testing.T, c *Cache) {
	t.Helper()
	var sum, young, n, packed int64
	for i := range c.shards {
		s := &c.shards[i]
		var queued int
		for _, q := range []*queue{&s.new, &s.main} {
			var bytes int64
			var before *entry
			for e := q.head; e != nil; before, e = e, e.next {
				if e.prev != before || e.main != (q == &s.main) {
					t.Fatalf("%v does not know where it is queued", e.id)
				}
				if e.form == Packed {
					packed++
				}
				if s.table.Load().find(e.id.hash(), e.id) != e {
					t.Fatalf("%v is queued and not in the table", e.id)
				}
				bytes += e.size()
				queued++
			}
			if bytes != q.bytes {
				t.Fatalf("a queue of %d bytes says %d", bytes, q.bytes)
			}
			sum += bytes
		}
		young += s.new.bytes
		checkSlots(t, s.table.Load())
		if queued != s.table.Load().n {
			t.Fatalf("%d entries queued, %d in the table", queued, s.table.Load().n)
		}
		n += int64(queued)
	}
	if c.young.Load() != young {
		t.Fatalf("the new queues have %d bytes, the account says %d", young, c.young.Load())
	}
	if m := c.Metrics(); m.Bytes != sum || m.Entries != n || m.Packed != packed {
		t.Fatalf("metrics say %+v; there are %d bytes, %d entries, %d packed", m, sum, n, packed)
	}
}

func TestDropFiles(t *testing.T) {
	c := newPlain(4 << 20)
	for i := range uint64(400) {
		id := ID{i % 4, i}
		c.Set(id, block(id, 1000))
	}
	c.DropFiles()
	c.DropFiles(2, 0, 9)
	for i := range uint64(400) {
		_, ok := c.Get(ID{i % 4, i})
		if ok != (i%2 == 1) {
			t.Fatalf("block %d of file %d held: %v", i, i%4, ok)
		}
	}
	checkAccount(t, c.Cache)
}

func TestClose(t *testing.T) {
	c := newPlain(1 << 20)
	id := ID{1, 1}
	c.Set(id, block(id, 100))
	b, _ := c.Get(id)
	c.Close()
	c.Close()
	c.Set(id, block(id, 100))
	if _, ok := c.Get(id); ok {
		t.Error("a closed cache holds a block")
	}
	if m := c.Metrics(); m.Bytes != 0 || m.Entries != 0 {
		t.Errorf("a closed cache says %+v", m)
	}
	if !bytes.Equal(b, block(id, 100)) {
		t.Error("a block held by a caller changed")
	}
}

func TestManyGoroutines(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := newPlain(1 << 20)
	var wg sync.WaitGroup
	for g := range uint64(8) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, g))
			for i := range 4000 {
				id := ID{r.Uint64N(3), r.Uint64N(2000)}
				if b, ok := c.Get(id); !ok {
					c.Set(id, block(id, 100+r.IntN(2000)))
				} else if !bytes.Equal(b[:16], block(id, 16)) {
					t.Errorf("block of %v asked for as %v", b[:16], id)
				}
				if i%1000 == 0 {
					c.DropFiles(id.File)
					c.Metrics()
				}
			}
		})
	}
	wg.Wait()
	if used := c.Metrics().Bytes; used > 1<<20 {
		t.Errorf("%d bytes in a cache of 1 MiB", used)
	}
	checkAccount(t, c.Cache)
	wg.Go(func() {
		for i := range uint64(1000) {
			c.Set(ID{9, i}, block(ID{9, i}, 100))
		}
	})
	c.Close()
	wg.Wait()
	if m := c.Metrics(); m.Bytes != 0 || m.Entries != 0 {
		t.Errorf("a cache closed beside writers says %+v", m)
	}
}

// checkSlots looks whether each slot says what is so of its entry, and an empty one leads to no block.
func checkSlots(t *testing.T, table *table) {
	t.Helper()
	for i := range table.slots {
		s := &table.slots[i]
		first := s.first.Load()
		switch e := s.entry.Load(); {
		case e == nil && first != nil && first != &noByte:
			t.Fatal("an empty slot keeps a block")
		case e != nil && (first != e.first() || s.hash.Load() != e.id.hash()):
			t.Fatalf("the slot of %v has another's hash or block", e.id)
		}
	}
}

func TestTableAgainstMap(t *testing.T) {
	r := random(t)
	table, model := newTable(minSlots), map[ID]*entry{}
	for range 50000 {
		id := ID{r.Uint64N(2), r.Uint64N(400)}
		e := model[id]
		if got := table.find(id.hash(), id); got != e {
			t.Fatalf("%v: found %p, want %p", id, got, e)
		}
		if e == nil {
			model[id] = &entry{id: id, bytes: make([]byte, r.IntN(3)), form: Form(r.IntN(3))}
			table = table.insert(id.hash(), model[id])
		} else if r.IntN(2) == 0 {
			table.remove(e)
			delete(model, id)
		}
	}
	checkSlots(t, table)
	for id, e := range model {
		if table.find(id.hash(), id) != e {
			t.Fatalf("%v is lost", id)
		}
	}
	if table.n != len(model) {
		t.Fatalf("table says %d entries, there are %d", table.n, len(model))
	}
}

// What is let go is the collector's, whatever the table's slots had of it.
func TestBlocksThatGoAreCollected(t *testing.T) {
	c := New(1 << 20)
	const blocks = 100
	held := make([]weak.Pointer[byte], blocks)
	for i := range held {
		b := make([]byte, 1000)
		held[i] = weak.Make(&b[0])
		c.Set(ID{uint64(i % 2), uint64(i)}, Block{Bytes: b, Form: Form(i % 3)})
	}
	c.DropFiles(1)
	runtime.GC()
	for i, b := range held {
		if kept := b.Value() != nil; kept != (i%2 == 0) {
			t.Errorf("block %d is in memory: %v", i, kept)
		}
	}
	runtime.KeepAlive(c)
}

func TestGetDoesNotAllocate(t *testing.T) {
	c := newPlain(1 << 20)
	id := ID{1, 1}
	c.Set(id, block(id, 100))
	if n := testing.AllocsPerRun(1000, func() {
		c.Get(id)
		c.Get(ID{1, 2})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
