package manifest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"siftdb/internal/key"
)

// table makes the description of a small table: number, bounds, sequence numbers.
func table(number uint64, smallest, largest string, low, high key.Seq) *Table {
	return &Table{
		Number:       number,
		Size:         1000 + int64(number),
		TailSize:     100,
		Smallest:     key.Make([]byte(smallest), high, key.KindSet),
		Largest:      key.Make([]byte(largest), low, key.KindDelete),
		SmallestSeq:  low,
		LargestSeq:   high,
		Entries:      20,
		Keys:         10,
		Deletions:    3,
		RawBytes:     5000,
		FilterBits:   100,
		FilterPolicy: "bits per key 10",
		FilterFamily: "blocked",
		AskedBits:    10,
		FilterRate:   0.01,
		Origin:       OriginFlush,
	}
}

// add is an edit that only adds.
func add(level int, tables ...*Table) *Edit {
	e := &Edit{}
	for _, t := range tables {
		e.Added = append(e.Added, Addition{Level: level, Table: t})
	}
	return e
}

// mustApply runs the edits over an empty version.
func mustApply(t testing.TB, v *Version, edits ...*Edit) *Version {
	t.Helper()
	for _, e := range edits {
		next, err := v.Apply(e)
		if err != nil {
			t.Fatalf("edit %v: %v", e, err)
		}
		v = next
	}
	return v
}

// seeded is a source of random numbers whose seed is printed when the test fails.
func seeded(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 1))
}

// randomVersion has up to width tables a level over keys of two letters. Its level 0 tables overlap.
func randomVersion(t testing.TB, rng *rand.Rand, width int) *Version {
	t.Helper()
	v := &Version{}
	number, seq := uint64(1), key.Seq(100_000)
	for level := NumLevels - 1; level > 0; level-- {
		e := &Edit{}
		at := 0
		for range rng.IntN(width + 1) {
			low := at + rng.IntN(20)
			high := low + rng.IntN(10)
			if at = high + 1; at > 650 {
				break
			}
			e.Added = append(e.Added, Addition{level, table(number, pair(low), pair(high), 1, 2)})
			number++
		}
		v = mustApply(t, v, e)
	}
	for range rng.IntN(width + 1) {
		low := rng.IntN(600)
		v = mustApply(t, v, add(0, table(number, pair(low), pair(low+rng.IntN(70)), seq, seq+9)))
		number++
		seq += 10
	}
	return v
}

// pair is a number as a key of two letters.
func pair(i int) string { return fmt.Sprintf("%c%c", 'a'+i/26, 'a'+i%26) }
