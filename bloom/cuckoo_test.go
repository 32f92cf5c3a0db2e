package bloom

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestCuckooBucketsAreEachOthersOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 0))
	for _, buckets := range []uint64{2, 4, 6, 10, 1000, 1 << 20, 1<<40 + 6} {
		for _, width := range []uint64{leastFingerprint, 8, 13, 40, maxPackedWidth} {
			table := newCuckooTable(packedOver(nil, width), buckets)
			for range 300 {
				k := table.keyOf(Hash{r.Uint64(), r.Uint64()})
				if k.bucket >= buckets || k.other >= buckets || (k.bucket+k.other)%2 == 0 {
					t.Fatalf("%d buckets: %+v", buckets, k)
				}
				if k.fingerprint == 0 || k.fingerprint > table.mask || table.other(k.other, k.fingerprint) != k.bucket {
					t.Fatalf("%d buckets, %d bits: %+v", buckets, width, k)
				}
			}
		}
	}
}

// A bucket is compared in one word where it fits into one; both ways must see the same.
func TestCuckooBucketsInOneWord(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 0))
	for width := uint64(leastFingerprint); width <= maxPackedWidth; width++ {
		const buckets = 16
		table := newCuckooTable(newPacked(buckets*bucketSize, width), buckets)
		if inWord := table.lanes != 0; inWord != (width <= 14) {
			t.Fatalf("width %d: %v", width, inWord)
		}
		// Numbers near each other and at the edges, where a borrow would show.
		some := []uint64{0, 1, 2, 3, table.mask, table.mask - 1, table.mask/2 + 1, table.mask / 2}
		for range 2000 {
			bucket := r.Uint64N(buckets)
			table.set(bucket*bucketSize+r.Uint64N(bucketSize), some[r.IntN(len(some))])
			for _, v := range some[1:] {
				if _, want := table.find(bucket, v); table.holds(bucket, v) != want {
					t.Fatalf("width %d: %d in bucket %d: %v", width, v, bucket, !want)
				}
			}
		}
	}
}

// Recipe FSZ-09: how full a table gets before the first key finds no room, and that it is unchanged then.
func TestCuckooFillsUp(t *testing.T) {
	largest := uint64(18)
	if quick() {
		largest = 14
	}
	for log := uint64(4); log <= largest; log += 2 {
		for seed := range uint64(10) {
			if log >= 16 && seed >= 3 {
				break
			}
			buckets := uint64(1) << log
			table := newCuckooTable(newPacked(buckets*bucketSize, 12), buckets)
			r := rand.New(rand.NewPCG(seed, log))
			var added []cuckooKey
			for {
				k := table.keyOf(Hash{r.Uint64(), r.Uint64()})
				var before []byte
				if log <= 8 {
					before = bytes.Clone(table.bytes)
				}
				if !table.insert(k) {
					if before != nil && !bytes.Equal(before, table.bytes) {
						t.Fatal("a key that found no room changed the table")
					}
					break
				}
				added = append(added, k)
			}
			if table.taken() != uint64(len(added)) {
				t.Fatalf("seed %d: %d slots taken for %d keys", seed, table.taken(), len(added))
			}
			for _, k := range added {
				if !table.contains(k) {
					t.Fatalf("seed %d, %d buckets: a key is denied", seed, buckets)
				}
			}
			// Chance leaves some of a few buckets empty; from a thousand slots on it does not.
			least := 0.95
			if log < 10 {
				least = 0.6
			}
			if load := float64(len(added)) / float64(buckets*bucketSize); load < least {
				t.Errorf("seed %d, %d buckets: full at %.3f", seed, buckets, load)
			}
		}
	}
}

// Whatever is asked for, the table of a store finds room, with fingerprints as long as the bits pay for, or next to it.
func TestCuckooFingerprintsAreAsLongAsBitsPayFor(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 0))
	for _, n := range []int{cuckooLeast, 2000, 50_000} {
		hashes := randomHashes(r, n)
		for _, bits := range []float64{6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 33, 64} {
			h, err := ReadHeader(build(t, Cuckoo(bits), hashes))
			if err != nil {
				t.Fatal(err)
			}
			widest := widestFingerprint(bits)
			if h.Family != FamilyCuckoo || h.Params[1] > widest || h.Params[1]+1 < widest {
				t.Errorf("%d keys, %g bits: %v with %d bits a fingerprint, %d are paid for", n, bits, h.Family, h.Params[1], widest)
			}
		}
	}
}

func TestCuckooRatesArePublished(t *testing.T) {
	type file struct {
		Cuckoo struct {
			Rows []struct {
				Bits uint64  `json:"fingerprint_bits"`
				Load float64 `json:"load"`
				Rate float64 `json:"fpr_zero_reserved"`
			}
		}
	}
	rows := vectors[file](t, "variants.json").Cuckoo.Rows
	for _, row := range rows {
		const buckets = 1 << 20
		// The published formula is a little high where many keys are of one class.
		if got := cuckooRate(buckets, row.Bits, uint64(row.Load*bucketSize*buckets)); got > row.Rate || !near(got, row.Rate, 0.08*row.Rate+1e-4) {
			t.Errorf("%d bits: rate %.6g, published is %.6g", row.Bits, got, row.Rate)
		}
	}
	if len(rows) < 9 {
		t.Errorf("%d rows", len(rows))
	}
}

// BenchmarkCuckooInsert is a key of a CuckooFilter that is filled to what it was made for.
func BenchmarkCuckooInsert(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			hashes := randomHashes(rand.New(rand.NewPCG(74, 0)), n)
			var f *CuckooFilter
			for i := 0; b.Loop(); i++ {
				if i%n == 0 {
					f, _ = NewCuckoo(n, 0.001)
				}
				f.table.insert(f.table.keyOf(hashes[i%n]))
			}
		})
	}
}
