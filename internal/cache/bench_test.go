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

// plain is a Cache whose blocks are all stored uncompressed, as those of other caches are.
type plain struct{ *Cache }

func newPlain(bytes int64) plain { return plain{New(bytes)} }

func (p plain) Get(id ID) ([]byte, bool) {
	b, ok := p.Cache.Get(id)
	return b.Bytes, ok
}

func (p plain) Set(id ID, b []byte) { p.Cache.Set(id, Block{Bytes: b}) }

// yardstick is otter, which bounds by weight and decides by frequency and recency (W-TinyLFU).
type yardstick struct{ c *otter.Cache[ID, []byte] }

func (y yardstick) Get(id ID) ([]byte, bool) { return y.c.GetIfPresent(id) }
func (y yardstick) Set(id ID, b []byte)      { y.c.Set(id, b) }

// cacheKind makes a cache of a given number of bytes.
type cacheKind struct {
	name string
	make func(bytes int64) blockCache
}

// caches are ours and the yardstick. Otter evicts in the caller here, because otherwise a goroutine of its own is left
// behind when the benchmark ends.
var caches = []cacheKind{
	{"own", func(bytes int64) blockCache { return newPlain(bytes) }},
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

// BenchmarkHitShare reports which share of reads each cache answers, for several ways of reading, once it is full. One round
// is enough: go test -run '^$' -bench HitShare -benchtime 1x
func BenchmarkHitShare(b *testing.B) {
	for _, w := range workloads {
		for _, kind := range append(caches[:len(caches):len(caches)], plainLRU) {
			b.Run(w.name+"/"+kind.name, func(b *testing.B) {
				share := 0.0
				for b.Loop() {
					share = hitShare(kind.make(cacheSize), w, 1_000_000)
				}
				b.ReportMetric(100*share, "%hits")
			})
		}
	}
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
