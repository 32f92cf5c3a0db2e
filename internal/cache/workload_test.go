package cache

import (
	"container/list"
	"math"
	"math/rand/v2"
	"sort"
	"sync"
)

// zipf draws numbers below n, i with a probability proportional to 1/(i+1)^s.
type zipf struct {
	below []float64 // share of the draws up to each
}

func newZipf(n int, s float64) *zipf {
	z := &zipf{below: make([]float64, n)}
	sum := 0.0
	for i := range z.below {
		sum += math.Pow(float64(i+1), -s)
		z.below[i] = sum
	}
	for i := range z.below {
		z.below[i] /= sum
	}
	return z
}

func (z *zipf) draw(r *rand.Rand) uint64 {
	return uint64(sort.SearchFloat64s(z.below, r.Float64()))
}

// The workloads that admission is measured with. The cache holds a twentieth of the blocks that are read again.
const (
	popularBlocks = 40_000
	cachedBlocks  = popularBlocks / 20
	blockSize     = 4000
	cacheSize     = cachedBlocks * (blockSize + entryOverhead)
)

// workload gives the number of the block that is read next, the i-th.
type workload struct {
	name string
	next func(z *zipf, r *rand.Rand, i int) uint64
}

var workloads = []workload{
	{"zipf", func(z *zipf, r *rand.Rand, _ int) uint64 { return z.draw(r) }},
	{"zipf and one-time reads", func(z *zipf, r *rand.Rand, i int) uint64 {
		if r.IntN(2) == 0 {
			return popularBlocks + uint64(i)
		}
		return z.draw(r)
	}},
	{"zipf and scans", func(z *zipf, r *rand.Rand, i int) uint64 {
		// After 10 000 reads a scan of twice what the cache holds, each time of other blocks.
		if i%14_000 >= 10_000 {
			return popularBlocks + uint64(i)
		}
		return z.draw(r)
	}},
	{"moving", func(_ *zipf, r *rand.Rand, i int) uint64 {
		// What is popular moves on by a tenth every 20 000 reads.
		return uint64(i/20_000)*500 + uint64(5_000*r.Float64()*r.Float64())
	}},
	{"uniform", func(_ *zipf, r *rand.Rand, _ int) uint64 { return r.Uint64N(5_000) }},
	{"loop", func(_ *zipf, _ *rand.Rand, i int) uint64 { return uint64(i % 3_000) }},
}

// popularity is that of the blocks, drawn up once.
var popularity = sync.OnceValue(func() *zipf { return newZipf(popularBlocks, 0.99) })

// hitShare is the share of reads that find their block, over all but the first fifth.
func hitShare(c blockCache, w workload, reads int) float64 {
	z, r, shared := popularity(), rand.New(rand.NewPCG(1, 2)), make([]byte, blockSize)
	hits := 0
	for i := range reads {
		if read(c, ID{1, w.next(z, r, i) << 12}, shared) && i >= reads/5 {
			hits++
		}
	}
	return float64(hits) / float64(reads-reads/5)
}

var plainLRU = cacheKind{"lru", func(bytes int64) blockCache { return newLRU(bytes) }}

// lru is the plain rule: out goes what was not used for longest.
type lru struct {
	bytes, used int64
	order       *list.List
	at          map[ID]*list.Element
}

type lruEntry struct {
	id    ID
	block []byte
}

func newLRU(bytes int64) *lru {
	return &lru{bytes: bytes, order: list.New(), at: map[ID]*list.Element{}}
}

func (l *lru) Get(id ID) ([]byte, bool) {
	e := l.at[id]
	if e == nil {
		return nil, false
	}
	l.order.MoveToFront(e)
	return e.Value.(lruEntry).block, true
}

func (l *lru) Set(id ID, block []byte) {
	l.at[id] = l.order.PushFront(lruEntry{id, block})
	l.used += int64(len(block)) + entryOverhead
	for l.used > l.bytes {
		last := l.order.Remove(l.order.Back()).(lruEntry)
		delete(l.at, last.id)
		l.used -= int64(len(last.block)) + entryOverhead
	}
}
