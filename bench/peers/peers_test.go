package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestEngines: every store does what the workloads ask of it, and what they check finds faults.
func TestEngines(t *testing.T) {
	for _, c := range slices.Concat(contestants, variants) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store, err := c.open(filepath.Join(t.TempDir(), "store"), equalSettings)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			const keys = 300
			l := newLane(store, newContents(keys, 1, valueSize), 1, 0)
			for i := range keys {
				if err := l.fill(i); err != nil {
					t.Fatal(err)
				}
			}
			steps := func(when string) {
				for i := range keys {
					for name, err := range map[string]error{"get": l.get(i), "miss": l.miss(i), "scan": l.scan(i, 10)} {
						if err != nil {
							t.Fatalf("%s, %s of %d: %v", when, name, i, err)
						}
					}
				}
			}
			steps("filled")
			if err := l.put(7); err != nil {
				t.Fatal(err)
			}
			if err := l.insert(); err != nil {
				t.Fatal(err)
			}
			if err := store.PutAll([]Pair{{appendPresentKey(nil, 8), appendValue(nil, 8, 1, valueSize)}}); err != nil {
				t.Fatal(err)
			}
			l.contents.wrote(8)
			steps("written again")
			if err := store.Compact(); err != nil {
				t.Fatal(err)
			}
			steps("compacted")
			if err := store.Delete(appendPresentKey(nil, 9)); err != nil {
				t.Fatal(err)
			}
			if err := store.Put(appendPresentKey(nil, 10), []byte("another")); err != nil {
				t.Fatal(err)
			}
			if err := store.Put(appendAbsentKey(nil, 11), nil); err != nil {
				t.Fatal(err)
			}
			for name, err := range map[string]error{"a lost key": l.get(9), "a wrong value": l.get(10), "a key too many": l.miss(11),
				"a scan over a lost key": l.scan(8, 5)} {
				if err == nil {
					t.Errorf("%s is not noticed", name)
				}
			}
		})
	}
}

// TestZipf: the frequent ranks are as frequent as the law says.
func TestZipf(t *testing.T) {
	const n, draws = 1000, 200_000
	z := newZipf(n)
	l := newLane(nil, newContents(n, 0, valueSize), 1, 0)
	var counts [n]int
	for range draws {
		counts[z.rank(l.rng)]++
	}
	for _, rank := range []int{0, 1} {
		want := draws / z.zeta
		if rank == 1 {
			want *= z.half - 1
		}
		if got := float64(counts[rank]); got < 0.9*want || got > 1.1*want {
			t.Errorf("rank %d was drawn %v times, the law says %.0f", rank, got, want)
		}
	}
	if counts[n-1] > counts[0]/20 {
		t.Errorf("the last rank was drawn %d times, the first %d", counts[n-1], counts[0])
	}
}
