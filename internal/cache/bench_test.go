package cache

import (
	"math/rand/v2"
	"testing"

	"github.com/maypok86/otter/v2"
)

// blockCache is what the benchmarks need of a cache, so that ours stands beside a well-known one.
type blockCache interface {
	Get(ID) ([]byte, bool)
	Set(ID, []byte)
}

// yardstick is otter, which bounds by weight and decides by frequency and recency (W-TinyLFU).
type yardstick struct{ c *otter.Cache[ID, []byte] }

func (y yardstick) Get(id ID) ([]byte, bool) { return y.c.GetIfPresent(id) }
func (y yardstick) Set(id ID, b []byte)      { y.c.Set(id, b) }

// caches makes each cache of the given number of bytes. Otter evicts in the caller here, because otherwise a
// goroutine of its own is left behind when the benchmark ends.
var caches = []struct {
	name string
	make func(bytes int64) blockCache
}{
	{"own", func(bytes int64) blockCache { return New(bytes) }},
	{"otter", func(bytes int64) blockCache {
		return yardstick{otter.Must(&otter.Options[ID, []byte]{
			MaximumWeight: uint64(bytes),
			Weigher:       func(_ ID, b []byte) uint32 { return uint32(len(b)) + entryOverhead },
			Executor:      func(f func()) { f() },
		})}
	}},
}

// BenchmarkGetHit reads blocks of 4 KiB in random order from a cache that holds them all.
func BenchmarkGetHit(b *testing.B) {
	for _, kind := range caches {
		b.Run(kind.name, func(b *testing.B) {
			c, ids := full(kind.make)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, ok := c.Get(ids[i%len(ids)]); !ok {
					b.Fatal("miss")
				}
				i++
			}
		})
	}
}

// BenchmarkGetHitParallel is BenchmarkGetHit from all processors.
func BenchmarkGetHitParallel(b *testing.B) {
	for _, kind := range caches {
		b.Run(kind.name, func(b *testing.B) {
			c, ids := full(kind.make)
			b.RunParallel(func(pb *testing.PB) {
				for i := rand.IntN(len(ids)); pb.Next(); i++ {
					c.Get(ids[i%len(ids)])
				}
			})
		})
	}
}

// BenchmarkMissAndSet reads blocks that never come again: each is set and pushes out another.
func BenchmarkMissAndSet(b *testing.B) {
	for _, kind := range caches {
		b.Run(kind.name, func(b *testing.B) {
			c, shared := kind.make(16<<20), make([]byte, 4096)
			b.ReportAllocs()
			i := uint64(0)
			for b.Loop() {
				if id := (ID{1, i << 12}); !read(c, id, shared) {
					i++
				}
			}
		})
	}
}

// BenchmarkHitShare reports which share of reads each cache of 8 MiB answers, for several ways of reading.
func BenchmarkHitShare(b *testing.B) {
	for _, way := range ways {
		for _, kind := range caches {
			b.Run(way.name+"/"+kind.name, func(b *testing.B) {
				c, r, shared := kind.make(8<<20), rand.New(rand.NewPCG(1, 2)), make([]byte, 4000)
				i, hits := 0, 0
				for b.Loop() {
					if read(c, ID{1, way.next(r, i) << 12}, shared) {
						hits++
					}
					i++
				}
				b.ReportMetric(float64(hits)/float64(i), "hits/op")
			})
		}
	}
}

var ways = []struct {
	name string
	next func(r *rand.Rand, i int) uint64
}{
	{"skewed", func(r *rand.Rand, _ int) uint64 { return skewed(r, 200000, 6) }},
	{"skewed with scans", func(r *rand.Rand, i int) uint64 {
		if i%100000 >= 50000 {
			return uint64(1000000 + i)
		}
		return skewed(r, 200000, 6)
	}},
	{"moving", func(r *rand.Rand, i int) uint64 { return uint64(i/20000)*500 + skewed(r, 5000, 2) }},
	{"uniform", func(r *rand.Rand, _ int) uint64 { return r.Uint64N(5000) }},
	{"loop", func(_ *rand.Rand, i int) uint64 { return uint64(i % 3000) }},
}

// skewed draws below n; the higher the power, the more of the draws are small.
func skewed(r *rand.Rand, n, power int) uint64 {
	x := float64(n)
	for range power {
		x *= r.Float64()
	}
	return uint64(x)
}

// read gets a block and sets it on a miss, as a table does.
func read(c blockCache, id ID, b []byte) bool {
	_, ok := c.Get(id)
	if !ok {
		c.Set(id, b)
	}
	return ok
}

func full(newCache func(int64) blockCache) (blockCache, []ID) {
	c, shared := newCache(256<<20), make([]byte, 4096)
	ids := make([]ID, 1<<14)
	for i := range ids {
		ids[i] = ID{uint64(i % 8), uint64(i) << 12}
		c.Set(ids[i], shared)
	}
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return c, ids
}
