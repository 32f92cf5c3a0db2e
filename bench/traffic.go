package bench

import (
	"fmt"
	"math"
	"slices"
)

// Traffic says which keys are looked up more often than others.
type Traffic string

const (
	// EvenTraffic looks up each key as often as any other, in a random order, none twice in a phase.
	EvenTraffic Traffic = "uniform"
	// ZipfTraffic cuts the keys into Config.Ranges ranges. The last is looked up most, each one before it less by
	// Zipf's law with the exponent 0.99, as in the Yahoo cloud serving benchmark (Cooper and others, 2010): as where
	// keys begin with a date and the newest are wanted. Within a range each key is as likely as any other. Absent keys
	// are made anew for each lookup, where they are made.
	ZipfTraffic Traffic = "zipf"
	// ScatteredTraffic is ZipfTraffic with hot and cold ranges in a random order. Tables above the deepest level have
	// some of both, so that there is less to tell them apart by.
	ScatteredTraffic Traffic = "zipf-scattered"
)

var traffics = []Traffic{EvenTraffic, ZipfTraffic, ScatteredTraffic}

// zipfExponent is that of ZipfTraffic.
const zipfExponent = 0.99

// ParseTraffic reads a traffic's name.
func ParseTraffic(name string) (Traffic, error) {
	for _, t := range traffics {
		if name == string(t) {
			return t, nil
		}
	}
	return "", fmt.Errorf("siftdb: bench: traffic %q is none of %v", name, traffics)
}

// order says which keys are looked up: at gives the number of the key of the i-th lookup. It answers the same for ever.
type order interface{ at(i int) int }

// zipf is the order of ZipfTraffic and ScatteredTraffic.
type zipf struct {
	keys   int
	hotter []float64       // share of the lookups that go to ranges up to and with this one, the hottest first
	place  func(i int) int // of the range with that heat, 0 being the hottest
	draws  uint64          // seed
	// variants is how many keys a place stands for: the number of a key is its place, and the keys times the variant.
	variants int
}

// newZipf makes an order over n keys in so many ranges.
func newZipf(n, ranges int, draws uint64) *zipf {
	ranges = max(1, min(ranges, n))
	z := &zipf{keys: n, draws: draws, variants: 1}
	z.place = func(i int) int { return ranges - 1 - i }
	sum := 0.0
	for i := range ranges {
		sum += math.Pow(float64(i+1), -zipfExponent)
		z.hotter = append(z.hotter, sum)
	}
	for i := range z.hotter {
		z.hotter[i] /= sum
	}
	return z
}

// scatter puts the ranges into a random order.
func (z *zipf) scatter(seed uint64) { z.place = newPermutation(len(z.hotter), seed).at }

func (z *zipf) at(i int) int {
	draw := func(n uint64) uint64 { return mix(z.draws, 3*uint64(i)+n) }
	ranges := len(z.hotter)
	heat, _ := slices.BinarySearch(z.hotter, float64(draw(0)>>11)/(1<<53))
	place := z.place(min(heat, ranges-1))
	first, end := partAt(z.keys, place, ranges), partAt(z.keys, place+1, ranges)
	key := first + int(draw(1)%uint64(end-first))
	return key + z.keys*int(draw(2)%uint64(z.variants))
}

// partAt is where the i-th of so many equal parts of n begins.
func partAt(n, i, parts int) int { return int(int64(n) * int64(i) / int64(parts)) }
