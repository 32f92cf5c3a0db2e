package bloom

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkElasticProbe is what a table costs a read whose hash is at hand, by planes in memory.
func BenchmarkElasticProbe(b *testing.B) {
	const keys = 100_000
	absent := randomHashes(rand.New(rand.NewPCG(2, 0)), benchProbes)
	hashes := randomHashes(rand.New(rand.NewPCG(3, 0)), keys)
	full, _ := elasticOf(b, hashes)
	for _, planes := range []int{1, 2, 4, 8, 10, 16} {
		e := full
		for i := planes; i < maxPlanes; i++ {
			e = e.Without(i)
		}
		b.Run(fmt.Sprintf("absent/planes=%d", planes), func(b *testing.B) { probe(b, e, absent) })
		b.Run(fmt.Sprintf("present/planes=%d", planes), func(b *testing.B) { probe(b, e, hashes[:benchProbes]) })
	}
	b.Run("absent/planes=8/keys=50000000", func(b *testing.B) { probe(b, madeUpRibbon(50_000_000, 8), absent) })
}

// madeUpRibbon is a filter of many keys without the keys: random words have the bits of a full one.
func madeUpRibbon(keys uint64, planes int) *Elastic {
	r := rand.New(rand.NewPCG(1, 0))
	h := &ribbonHead{}
	parts := (keys + largestPart - 1) / largestPart
	for range parts {
		p := ribbonPart{keys: keys / parts, slots: ribbonSlots(keys/parts, 0), first: h.Params[paramSlots] / wordBits}
		h.Params[paramSlots] += p.slots
		h.parts = append(h.parts, p)
	}
	e := &Elastic{head: h, part: h.parts[0]}
	if parts > 1 {
		e.parts = h.parts
	}
	for ; planes > 0; planes -= groupWidth {
		g := group{words: make([]uint64, (h.planeWords()+1)*groupWidth), width: groupWidth}
		for i := range g.words {
			g.words[i] = r.Uint64()
		}
		for i := range g.numbers {
			g.numbers[i] = uint8(e.used*groupWidth + i)
		}
		e.groups[e.used] = g
		e.used++
	}
	return e
}

// BenchmarkManyTables asks a thousand filters in turn, each of 50 000 keys and 8 planes: 50 MiB of filters.
func BenchmarkManyTables(b *testing.B) {
	absent := randomHashes(rand.New(rand.NewPCG(2, 0)), benchProbes)
	tables := make([]TableFilter, 1000)
	for i := range tables {
		tables[i] = madeUpRibbon(50_000, 8)
	}
	i := 0
	for b.Loop() {
		tables[i*331%len(tables)].MayContain(absent[i%benchProbes])
		i++
	}
}

// BenchmarkRibbonBuild includes collecting the hashes and writing the bytes; see ns/key.
func BenchmarkRibbonBuild(b *testing.B) {
	for _, planes := range []int{8, 16} {
		for _, keys := range []int{10_000, 100_000, 1_000_000, 4_000_000} {
			b.Run(fmt.Sprintf("planes=%d/keys=%d", planes, keys), func(b *testing.B) {
				hashes := randomHashes(rand.New(rand.NewPCG(4, 0)), keys)
				var dst []byte
				b.ReportAllocs()
				for b.Loop() {
					builder := newRibbonBuilder(10, planes)
					for _, h := range hashes {
						builder.Add(h)
					}
					var err error
					if dst, err = builder.Append(dst[:0]); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(keys), "ns/key")
			})
		}
	}
}

// BenchmarkPlane loads and drops the plane beside three others, and parses a whole filter; of 100 000 keys.
func BenchmarkPlane(b *testing.B) {
	_, bytes := elasticOf(b, randomHashes(rand.New(rand.NewPCG(5, 0)), 100_000))
	e := with(b, headOf(b, bytes), bytes, 0, 1, 2)
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			with(b, e, bytes, 3)
		}
	})
	four := with(b, e, bytes, 3)
	b.Run("drop", func(b *testing.B) {
		for b.Loop() {
			four.Without(3)
		}
	})
	b.Run("parse all", func(b *testing.B) {
		for b.Loop() {
			parse(b, bytes)
		}
	})
}
