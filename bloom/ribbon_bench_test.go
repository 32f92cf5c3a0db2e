package bloom

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkElasticProbe(b *testing.B) {
	absent := randomHashes(rand.New(rand.NewPCG(2, 0)), benchProbes)
	for _, keys := range []int{100_000} {
		hashes := randomHashes(rand.New(rand.NewPCG(3, 0)), keys)
		full := parse(b, build(b, Ribbon(10), hashes)).(*Elastic)
		for _, planes := range []int{1, 2, 3, 4, 6, 8, 10, 16} {
			e := full
			for i := planes; i < maxPlanes; i++ {
				e = e.Without(i)
			}
			b.Run(fmt.Sprintf("absent/keys=%d/planes=%d", keys, planes), func(b *testing.B) { probe(b, e, absent) })
			b.Run(fmt.Sprintf("present/keys=%d/planes=%d", keys, planes), func(b *testing.B) { probe(b, e, hashes[:benchProbes]) })
		}
	}
}

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
