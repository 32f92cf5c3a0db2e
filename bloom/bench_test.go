package bloom

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Sizes in keys: a filter in the second-level cache, and one far outside the caches.
var benchSizes = []int{100_000, 50_000_000}

const benchProbes = 1 << 16 // more than a branch predictor learns by heart

// benchFilter is a filter of many keys without the keys: random words have the bits of a full filter.
func benchFilter(b *testing.B, family Family, keys int) TableFilter {
	r := rand.New(rand.NewPCG(1, 0))
	h, n := benchHeader(b, family, uint64(keys))
	words := make([]uint64, n)
	for i := range words {
		words[i] = r.Uint64()
	}
	words[n-1] = 0
	return parse(b, appendFilter(nil, h, words))
}

// benchHeader is the header of a filter of so many keys, and the words of its payload.
func benchHeader(b *testing.B, family Family, keys uint64) (h Header, words uint64) {
	const bitsPerKey = 10
	h = Header{Family: family, Keys: keys, AskedBits: bitsPerKey}
	var err error
	switch family {
	case FamilyClassic:
		var m uint64
		m, err = classicBits(keys, bitsPerKey)
		words = wordsFor(m)
		h.Params = [numParams]uint64{m, uint64(OptimalProbes(m, keys))}
	case FamilyBlocked:
		var lines uint64
		lines, err = blockedLines(keys, bitsPerKey)
		words = lines * lineWords
		h.Params = [numParams]uint64{lines, uint64(BlockedProbes(lines, keys))}
	case FamilyFuse:
		shape := fuseShapeFor(keys)
		width := shape.width(keys, bitsPerKey)
		words = packedBytes(shape.slots(), width) / wordBytes
		h.Params = shape.params(width, 0)
	case FamilyCuckoo:
		width := widestFingerprint(bitsPerKey)
		buckets := cuckooBuckets(keys, bitsPerKey, width)
		words = packedBytes(buckets*bucketSize, width) / wordBytes
		h.Params = [numParams]uint64{buckets, width}
	}
	if err != nil {
		b.Fatal(err)
	}
	return h, words
}

// BenchmarkProbe asks with hashes at hand: what a table costs a read of a key it does not hold.
func BenchmarkProbe(b *testing.B) {
	for _, kind := range sizedKinds {
		for _, keys := range benchSizes {
			b.Run(fmt.Sprintf("%s/absent/keys=%d", kind.name, keys), func(b *testing.B) {
				if testing.Short() && keys > 1_000_000 {
					b.Skip()
				}
				f := benchFilter(b, kind.family, keys)
				probe(b, f, randomHashes(rand.New(rand.NewPCG(2, 0)), benchProbes))
			})
		}
		b.Run(kind.name+"/present/keys=100000", func(b *testing.B) {
			hashes := randomHashes(rand.New(rand.NewPCG(3, 0)), 100_000)
			probe(b, parse(b, build(b, kind.policy(10), hashes)), hashes[:benchProbes])
		})
	}
}

func probe(b *testing.B, f TableFilter, hashes []Hash) {
	b.ReportAllocs()
	maybes, i := 0, 0
	for b.Loop() {
		if f.MayContain(hashes[i%benchProbes]) {
			maybes++
		}
		i++
	}
	if maybes > b.N {
		b.Fatal("more answers than questions")
	}
}

// BenchmarkBuild includes collecting the hashes and writing the bytes; see ns/key.
func BenchmarkBuild(b *testing.B) {
	for _, kind := range sizedKinds {
		for _, keys := range []int{10_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/keys=%d", kind.name, keys), func(b *testing.B) {
				hashes := randomHashes(rand.New(rand.NewPCG(4, 0)), keys)
				var dst []byte
				b.ReportAllocs()
				for b.Loop() {
					builder := kind.policy(10).Builder(Place{})
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

// BenchmarkParse is what opening a table costs; MB/s of the filter's bytes.
func BenchmarkParse(b *testing.B) {
	for _, kind := range sizedKinds {
		b.Run(kind.name, func(b *testing.B) {
			bytes := build(b, kind.policy(10), randomHashes(rand.New(rand.NewPCG(5, 0)), 100_000))
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(bytes); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSum(b *testing.B) {
	for _, n := range []int{8, 16, 24, 32, 256} {
		b.Run(fmt.Sprintf("bytes=%d", n), func(b *testing.B) {
			key := make([]byte, n)
			b.ReportAllocs()
			for b.Loop() {
				Sum(key)
			}
		})
	}
}

// BenchmarkExpectedRate is the exact theory, computed once a filter at most.
func BenchmarkExpectedRate(b *testing.B) {
	for b.Loop() {
		BlockedRate(20_000, 1_000_000, 6)
	}
}

func BenchmarkForRate(b *testing.B) {
	for b.Loop() {
		ForRate(0.01)
	}
}
