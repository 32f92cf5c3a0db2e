package bloom

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/FastFilter/xorfilter"
)

// BenchmarkFuseBesideItsAuthors builds and probes fingerprints of 8 bits, ours and those of the authors of binary fuse filters,
// over the same 64-bit numbers. Theirs takes whole bytes and the numbers only; ours any width, and hashes.
func BenchmarkFuseBesideItsAuthors(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		numbers := make([]uint64, n)
		r := rand.New(rand.NewPCG(68, 0))
		for i := range numbers {
			numbers[i] = r.Uint64()
		}
		hashes := make([]Hash, n)
		for i, x := range numbers {
			hashes[i].H1 = x
		}
		absent := randomHashes(r, benchProbes)
		b.Run(fmt.Sprintf("build/ours/keys=%d", n), func(b *testing.B) {
			for b.Loop() {
				build(b, Fuse(9.6), hashes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
		})
		b.Run(fmt.Sprintf("build/theirs/keys=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := xorfilter.PopulateBinaryFuse8(numbers); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
		})
		b.Run(fmt.Sprintf("absent/ours/keys=%d", n), func(b *testing.B) {
			probe(b, parse(b, build(b, Fuse(9.6), hashes)), absent)
		})
		b.Run(fmt.Sprintf("absent/theirs/keys=%d", n), func(b *testing.B) {
			theirs, err := xorfilter.PopulateBinaryFuse8(numbers)
			if err != nil {
				b.Fatal(err)
			}
			maybes, i := 0, 0
			for b.Loop() {
				if theirs.Contains(absent[i%benchProbes].H1) {
					maybes++
				}
				i++
			}
			if maybes > b.N {
				b.Fatal("more answers than questions")
			}
		})
	}
}
