package cache

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"

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
	c := New(1 << 20)
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
		c := New(size)
		for i := range uint64(100) {
			id := ID{1, i}
			c.Set(id, block(id, 16))
			if _, ok := c.Get(id); ok {
				t.Fatalf("a cache of %d bytes holds a block", size)
			}
		}
		c.DropFile(1)
		if m := c.Metrics(); m.Bytes != 0 || m.Entries != 0 || m.Hits != 0 {
			t.Errorf("a cache of %d bytes says %+v", size, m)
		}
		c.Close()
	}
}

func TestBlockLargerThanTheCacheIsNotHeld(t *testing.T) {
	c := New(8 << 20)
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
	c := New(1 << 20)
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
		c := New(capacity)
		for range 5000 {
			id := ID{r.Uint64N(4), r.Uint64N(300)}
			switch r.IntN(40) {
			case 0:
				c.DropFile(id.File)
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
		checkAccount(t, c)
	}
}

// checkAccount compares the counts kept with what can be found.
func checkAccount(t *testing.T, c *Cache) {
	t.Helper()
	var sum, young, n int64
	for i := range c.shards {
		s := &c.shards[i]
		var queued int
		for _, q := range []queue{s.new, s.main} {
			var bytes int64
			for e := q.head; e != nil; e = e.next {
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
		if queued != s.table.Load().n {
			t.Fatalf("%d entries queued, %d in the table", queued, s.table.Load().n)
		}
		n += int64(queued)
	}
	if c.young.Load() != young {
		t.Fatalf("the new queues have %d bytes, the account says %d", young, c.young.Load())
	}
	if m := c.Metrics(); m.Bytes != sum || m.Entries != n {
		t.Fatalf("metrics say %d bytes, %d entries; there are %d, %d", m.Bytes, m.Entries, sum, n)
	}
}

func TestDropFile(t *testing.T) {
	c := New(4 << 20)
	for i := range uint64(400) {
		id := ID{i % 4, i}
		c.Set(id, block(id, 1000))
	}
	c.DropFile(2)
	for i := range uint64(400) {
		_, ok := c.Get(ID{i % 4, i})
		if ok != (i%4 != 2) {
			t.Fatalf("block %d of file %d held: %v", i, i%4, ok)
		}
	}
	checkAccount(t, c)
}

func TestScanLeavesTheHotSet(t *testing.T) {
	const size, capacity = 4000, 8 << 20
	hot := uint64(capacity / (size + entryOverhead) / 2)
	c := New(capacity)
	readIn := func(id ID) bool {
		if _, ok := c.Get(id); ok {
			return true
		}
		c.Set(id, block(id, size))
		return false
	}
	for range 3 {
		for i := range hot {
			readIn(ID{1, i})
		}
	}
	for i := range uint64(20 * capacity / size) {
		readIn(ID{2, i})
	}
	kept := 0
	for i := range hot {
		if readIn(ID{1, i}) {
			kept++
		}
	}
	if kept < int(hot)*9/10 {
		t.Errorf("of %d hot blocks %d are left after a scan of 20 times the cache", hot, kept)
	}
}

// admission is a full cache whose blocks came once and then again so many times, and blocks that come from outside.
type admission struct {
	t      *testing.T
	c      *Cache
	blocks uint64 // that the cache holds
}

const admissionSize = 4000

func newAdmission(t *testing.T, again int) *admission {
	const capacity = 8 << 20
	a := &admission{t, New(capacity), capacity / (admissionSize + entryOverhead)}
	for range 1 + again {
		a.read(1, a.blocks)
	}
	return a
}

// read reads so many blocks of a file, and sets those that are not there.
func (a *admission) read(file, blocks uint64) {
	for i := range blocks {
		id := ID{file, i << 12}
		read(a.c, id, block(id, admissionSize))
	}
}

// held is how many of the first so many blocks of a file are there; it looks without a trace.
func (a *admission) held(file, blocks uint64) (held uint64) {
	for i := range blocks {
		if _, ok := a.c.Peek(ID{file, i << 12}); ok {
			held++
		}
	}
	return held
}

// A block that comes again soon after it fell out is kept, in the place of one that came once.
func TestSecondComingIsKept(t *testing.T) {
	a := newAdmission(t, 0)
	const twice = 100
	a.read(2, twice)
	a.read(3, a.blocks) // pushes them out
	if a.held(2, twice) != 0 {
		t.Fatal("a new block outlived a scan; the test needs a longer one")
	}
	a.read(2, twice)
	a.read(4, a.blocks)
	if kept := a.held(2, twice); kept < twice*9/10 {
		t.Errorf("of %d blocks that came twice %d are left", twice, kept)
	}
}

// A block is let in over another only when it was asked for more often: two comings are not enough where the others were
// read three times, four are.
func TestABlockIsLetInWhenItWasAskedForMoreOften(t *testing.T) {
	a := newAdmission(t, 2)
	const some = 100
	for coming := 1; coming <= 5; coming++ {
		a.read(2, some)
		a.read(uint64(10+coming), a.blocks/4)
		kept := a.held(2, some)
		if coming <= 2 && kept > some/10 || coming >= 5 && kept < some*9/10 {
			t.Errorf("of %d blocks %d are there after they came %d times", some, kept, coming)
		}
	}
	if hot := a.held(1, a.blocks); hot < a.blocks*8/10 {
		t.Errorf("of %d blocks that were read three times %d are left", a.blocks, hot)
	}
}

// What was popular once makes room for what is now.
func TestPopularityAges(t *testing.T) {
	a := newAdmission(t, 10)
	for range 12 {
		a.read(2, a.blocks/2)
	}
	if now := a.held(2, a.blocks/2); now < a.blocks/2*9/10 {
		t.Errorf("of %d blocks that are read now %d are held", a.blocks/2, now)
	}
}

// Peeking leaves a cache as it is: nothing is counted, and a block that was only peeked at is the first to go.
func TestPeekLeavesNoTrace(t *testing.T) {
	a := newAdmission(t, 0)
	before := a.c.Metrics()
	for range 5 {
		if a.held(1, a.blocks) == 0 || a.held(9, a.blocks) != 0 {
			t.Fatal("peeking sees other blocks than are there")
		}
	}
	if after := a.c.Metrics(); after != before {
		t.Errorf("metrics went from %+v to %+v", before, after)
	}
	a.read(2, 100)
	a.read(3, a.blocks)
	a.read(2, 100)
	a.read(4, a.blocks)
	if kept := a.held(2, 100); kept < 90 {
		t.Errorf("of 100 blocks that came twice %d are left beside those that were only peeked at", kept)
	}
	if b, ok := (*Cache)(nil).Peek(ID{}); ok || b != nil {
		t.Error("no cache has a block")
	}
}

// The share of reads that find their block: what admission is for. The numbers beside other caches are in doc.go.
func TestHitShares(t *testing.T) {
	reads := 500_000
	if testing.Short() {
		reads = 200_000
	}
	for name, least := range map[string]float64{"zipf": 6, "zipf and one-time reads": 7, "zipf and scans": 6, "moving": 1, "uniform": -1, "loop": 30} {
		for _, w := range workloads {
			if w.name != name {
				continue
			}
			own, plain := 100*hitShare(New(cacheSize), w, reads), 100*hitShare(newLRU(cacheSize), w, reads)
			if own < plain+least {
				t.Errorf("%s: %.1f %% hits, want at least %g points more than the %.1f %% of plain LRU", name, own, least, plain)
			}
		}
	}
}

func TestClose(t *testing.T) {
	c := New(1 << 20)
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
	c := New(1 << 20)
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
					c.DropFile(id.File)
					c.Metrics()
				}
			}
		})
	}
	wg.Wait()
	if used := c.Metrics().Bytes; used > 1<<20 {
		t.Errorf("%d bytes in a cache of 1 MiB", used)
	}
	checkAccount(t, c)
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
			model[id] = &entry{id: id}
			table = table.insert(id.hash(), model[id])
		} else if r.IntN(2) == 0 {
			table.remove(e)
			delete(model, id)
		}
	}
	for id, e := range model {
		if table.find(id.hash(), id) != e {
			t.Fatalf("%v is lost", id)
		}
	}
	if table.n != len(model) {
		t.Fatalf("table says %d entries, there are %d", table.n, len(model))
	}
}

func TestGetDoesNotAllocate(t *testing.T) {
	c := New(1 << 20)
	id := ID{1, 1}
	c.Set(id, block(id, 100))
	if n := testing.AllocsPerRun(1000, func() {
		c.Get(id)
		c.Get(ID{1, 2})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
