package bench

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// TestZipfTraffic: ranges are looked up as Zipf's law says, the last most, and every key of a range alike.
func TestZipfTraffic(t *testing.T) {
	const keys, ranges, draws = 1000, 10, 200_000
	z := newZipf(keys, ranges, 7)
	var counts [ranges]int
	halves := [2]int{}
	for i := range draws {
		key := z.at(i)
		counts[key*ranges/keys]++
		halves[key/50%2]++
	}
	sum := 0.0
	for i := range ranges {
		sum += math.Pow(float64(i+1), -zipfExponent)
	}
	for place, got := range counts {
		share := math.Pow(float64(ranges-place), -zipfExponent) / sum
		if want := share * draws; math.Abs(float64(got)-want) > 5*math.Sqrt(want) {
			t.Errorf("range %d: %d lookups, want about %.0f", place, got, want)
		}
	}
	if math.Abs(float64(halves[0]-halves[1])) > 5*math.Sqrt(draws) {
		t.Errorf("the halves of ranges have %v lookups", halves)
	}
	if z.at(123_456) != newZipf(keys, ranges, 7).at(123_456) {
		t.Error("the same lookup is of another key")
	}
	z.scatter(1)
	scattered := [ranges]int{}
	for i := range draws {
		scattered[z.at(i)*ranges/keys]++
	}
	if slices.IsSorted(scattered[:]) {
		t.Errorf("scattered ranges are in order: %v", scattered)
	}
	slices.Sort(scattered[:])
	if scattered != counts {
		t.Errorf("scattered, the ranges have %v lookups, in order %v", scattered, counts)
	}
}

func TestZipfOfFewKeys(t *testing.T) {
	for n := 1; n < 20; n++ {
		z := newZipf(n, 7, 1)
		for i := range 1000 {
			if key := z.at(i); key < 0 || key >= n {
				t.Fatalf("key %d of %d", key, n)
			}
		}
	}
}

// TestAbsentVariants: numbers beyond the absent keys are further keys in the same gaps.
func TestAbsentVariants(t *testing.T) {
	g := newGenerated(100, EmailKeys, 10, 3, 1)
	seen := map[string]bool{}
	for i := range 5 * g.Absent() {
		key := g.AppendAbsent(nil, i)
		gap := i%g.Absent() + g.margin
		if bytes.Compare(g.AppendKey(nil, gap), key) >= 0 || bytes.Compare(key, g.AppendKey(nil, gap+1)) >= 0 {
			t.Fatalf("absent key %d, %s, is not in gap %d", i, key, gap)
		}
		if seen[string(key)] {
			t.Fatalf("absent key %d, %s, was there before", i, key)
		}
		seen[string(key)] = true
	}
}
