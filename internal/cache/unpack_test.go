package cache

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// Blocks of tables that are stored compressed: what they take in the cache packed and unpacked.
const (
	packedSize  = 2300
	contentSize = 4100
	packedRoom  = 3_000 // packed blocks that the cache holds
)

// reader reads compressed blocks through a cache, as a table does, and counts what that takes.
type reader struct {
	c               *Cache
	policy          policy
	packed, content []byte

	reads, misses, unpacked, moved int
}

// policy says which blocks are held unpacked.
type policy string

const (
	hotUnpacked policy = "hot"
	noUnpacked  policy = "none"
	allUnpacked policy = "all"
)

func newReader(p policy) *reader {
	c := New(packedRoom * (packedSize + entryOverhead))
	return &reader{c: c, policy: p, packed: make([]byte, packedSize), content: make([]byte, contentSize)}
}

func (r *reader) read(block uint64) {
	r.reads++
	id := ID{1, block << 12}
	b, ok := r.c.Get(id)
	switch {
	case !ok && r.policy == allUnpacked:
		r.misses++
		r.unpacked++
		r.c.Set(id, Block{Bytes: r.content})
	case !ok:
		r.misses++
		r.unpacked++
		r.c.Set(id, Block{Bytes: r.packed, Form: Packed})
	case b.Form == Packed:
		r.unpacked++
		if b.Hot && r.policy == hotUnpacked {
			r.moved++
			r.c.Unpack(id, r.content)
		}
	}
}

// cost is what a read took since the counts were cleared, in times of what unpacking a block takes: reading it takes
// three times as much, from a file that the system holds in memory.
func (r *reader) cost() float64 { return float64(3*r.misses+r.unpacked) / float64(r.reads) }

func (r *reader) clear() { r.reads, r.misses, r.unpacked, r.moved = 0, 0, 0, 0 }

// packedTraffic is traffic of which the blocks do not all fit unpacked, but for the first.
var packedTraffic = []workload{
	{"uniform, all fit unpacked", uniformOver(packedRoom / 2)},
	{"uniform, all fit packed", uniformOver(packedRoom * 98 / 100)},
	{"uniform, nearly all fit packed", uniformOver(packedRoom * 105 / 100)},
	{"uniform, half fit packed", uniformOver(packedRoom * 2)},
	{"Zipf, all fit packed", keysOver(packedRoom * 98 / 100)},
	{"Zipf, nearly all fit packed", keysOver(packedRoom * 105 / 100)},
	{"Zipf, third fits packed", keysOver(packedRoom * 3)},
	{"half is hot, others come once", func(_ *zipf, r *rand.Rand, i int) uint64 {
		if i%10 == 0 {
			return packedRoom + uint64(i)
		}
		return r.Uint64N(packedRoom * 45 / 100)
	}},
}

func uniformOver(blocks uint64) func(*zipf, *rand.Rand, int) uint64 {
	return func(_ *zipf, r *rand.Rand, _ int) uint64 { return r.Uint64N(blocks) }
}

// keysOver draws keys by Zipf's law, which lie scattered over the blocks, several in each.
func keysOver(blocks uint64) func(*zipf, *rand.Rand, int) uint64 {
	return func(z *zipf, r *rand.Rand, _ int) uint64 { return z.draw(r) * 2654435761 % blocks }
}

// manyKeys is their popularity.
var manyKeys = sync.OnceValue(func() *zipf { return newZipf(36*packedRoom, 0.99) })

// run reads as w does, and clears the counts when the cache is full and has got used to it.
func (r *reader) run(w workload, reads int) {
	z, rng := manyKeys(), rand.New(rand.NewPCG(1, 2))
	for i := range reads {
		if i == reads/2 {
			r.clear()
		}
		r.read(w.next(z, rng, i))
	}
}

// Holding hot blocks unpacked costs no more than the better of holding all or none so, and less where some blocks
// are asked for more often than others.
func TestHotBlocksAreUnpacked(t *testing.T) {
	const reads = 120_000
	for _, w := range packedTraffic {
		cost := map[policy]float64{}
		for _, p := range []policy{hotUnpacked, noUnpacked, allUnpacked} {
			r := newReader(p)
			r.run(w, reads)
			cost[p] = r.cost()
			checkAccount(t, r.c)
		}
		if best := min(cost[noUnpacked], cost[allUnpacked]); cost[hotUnpacked] > 1.05*best+0.02 {
			t.Errorf("%s: a read costs %.3f, with all blocks packed %.3f, with all unpacked %.3f", w.name, cost[hotUnpacked],
				cost[noUnpacked], cost[allUnpacked])
		}
		switch w.name {
		case "Zipf, all fit packed", "Zipf, nearly all fit packed":
			if best := min(cost[noUnpacked], cost[allUnpacked]); cost[hotUnpacked] > 0.9*best {
				t.Errorf("%s: a read costs %.3f, want nine tenths of %.3f", w.name, cost[hotUnpacked], best)
			}
		}
	}
}

// BenchmarkPacked reports what a read costs with each policy, in times of unpacking a block. One round is enough: go
// test -run '^$' -bench Packed -benchtime 1x
func BenchmarkPacked(b *testing.B) {
	for _, w := range packedTraffic {
		for _, p := range []policy{allUnpacked, noUnpacked, hotUnpacked} {
			b.Run(fmt.Sprintf("%s/%s", w.name, p), func(b *testing.B) {
				r := newReader(p)
				for b.Loop() {
					r = newReader(p)
					r.run(w, 1_000_000)
				}
				b.ReportMetric(100*float64(r.misses)/float64(r.reads), "%missed")
				b.ReportMetric(100*float64(r.unpacked)/float64(r.reads), "%unpacked")
				b.ReportMetric(100*float64(r.moved)/float64(r.reads), "%moved")
				b.ReportMetric(r.cost(), "cost")
			})
		}
	}
}

func TestUnpack(t *testing.T) {
	c := New(1 << 20)
	packed, plain, id := bytes.Repeat([]byte("p"), 100), bytes.Repeat([]byte("u"), 200), ID{1, 0}
	c.Unpack(id, plain)
	if _, ok := c.Get(id); ok {
		t.Fatal("unpacking put in a block that was not there")
	}
	c.SetCopy(id, Block{Bytes: packed, Form: Packed})
	held, _ := c.Get(id)
	if c.Unpack(id, plain); !bytes.Equal(held.Bytes, packed) {
		t.Error("the packed bytes changed for one who held them")
	}
	for range 2 {
		if b, ok := c.Get(id); !ok || b.Form != Unpacked || b.Hot || !bytes.Equal(b.Bytes, plain) {
			t.Fatalf("%v, %v", b, ok)
		}
		c.Unpack(id, packed)                                   // it is unpacked already
		c.Set(id, Block{Bytes: packed, Form: Packed})          // it is there already
		c.Unpack(id, make([]byte, 2<<20))                      // does not fit
		c.SetCopy(ID{1, 1}, Block{Bytes: make([]byte, 2<<20)}) // nor does this
		if m := c.Metrics(); m.Entries != 1 || m.Packed != 0 || m.Bytes != int64(cap(plain))+entryOverhead {
			t.Fatalf("metrics %+v", m)
		}
	}
	checkAccount(t, c)
}

// SetCopy leaves the bytes to the caller.
func TestSetCopyCopies(t *testing.T) {
	c, b := New(1<<20), []byte("block")
	c.SetCopy(ID{1, 0}, Block{Bytes: b, Form: Packed})
	copy(b, "other")
	if held, _ := c.Peek(ID{1, 0}); string(held.Bytes) != "block" || held.Form != Packed || cap(held.Bytes) != sizeStep {
		t.Errorf("%+v", held)
	}
	if m := c.Metrics(); m.Packed != 1 {
		t.Errorf("metrics %+v", m)
	}
}

// With room for all, blocks are soon unpacked, and then never again.
func TestRoomIsUsed(t *testing.T) {
	r := newReader(hotUnpacked)
	r.run(workload{next: uniformOver(packedRoom / 4)}, 100_000)
	if m := r.c.Metrics(); r.unpacked > 0 || m.Packed > 0 {
		t.Errorf("%d of %d reads unpacked a block, %d of %d blocks are packed", r.unpacked, r.reads, m.Packed, m.Entries)
	}
}

// Blocks are unpacked, dropped and read by many at once.
func TestUnpackByManyGoroutines(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := New(1 << 20)
	var wg sync.WaitGroup
	for g := range uint64(8) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, g))
			for i := range 5000 {
				id := ID{r.Uint64N(3), uint64(400 * r.Float64() * r.Float64() * r.Float64())}
				b, ok := c.Get(id)
				switch {
				case !ok:
					c.SetCopy(id, Block{Bytes: block(id, 2000), Form: Packed})
				case !bytes.Equal(b.Bytes[:16], block(id, 16)):
					t.Errorf("block of %v asked for as %v", b.Bytes[:16], id)
				case b.Form == Packed && (b.Hot || i%20 == 0):
					c.Unpack(id, block(id, 4000))
				}
				if i%1000 == 0 {
					c.DropFiles(id.File)
				}
			}
		})
	}
	wg.Wait()
	if m := c.Metrics(); m.Bytes > 1<<20 || m.Packed > m.Entries || m.Packed < 0 {
		t.Errorf("%+v in a cache of 1 MiB", m)
	}
	checkAccount(t, c)
}
