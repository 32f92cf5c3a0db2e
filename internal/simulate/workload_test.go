package simulate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestKeysOfRanksDiffer(t *testing.T) {
	seen := make(map[uint64]bool)
	for rank := range uint64(100_000) {
		user := userOf(rank, 7)
		if seen[user] || user>>userBits != 0 {
			t.Fatalf("rank %d has key %x, which is another's or too long", rank, user)
		}
		seen[user] = true
	}
}

// TestZipfFollowsTheLaw: frequencies are within 5 standard deviations of Zipf's law.
func TestZipfFollowsTheLaw(t *testing.T) {
	const draws = 200_000
	for _, s := range []float64{0.5, 0.99, 1, 1.5, 4} {
		for _, n := range []int{1, 2, 3, 1000} {
			rng := rand.New(rand.NewPCG(1, 2))
			z := newZipf(n, s)
			counts := make([]int, n)
			for range draws {
				counts[z.draw(rng)]++
			}
			whole := 0.0
			for i := range n {
				whole += math.Pow(float64(i+1), -s)
			}
			for i, count := range counts {
				p := math.Pow(float64(i+1), -s) / whole
				if off := math.Abs(float64(count) - p*draws); off > 5*math.Sqrt(p*draws)+1 {
					t.Errorf("exponent %g of %d: rank %d came %d times, want about %.0f", s, n, i, count, p*draws)
				}
			}
		}
	}
}

func TestWritesAreTheWorkload(t *testing.T) {
	w := Workload{Keys: 5000, Updates: 20_000, Deletes: 0.25, Zipf: 0.9, Seed: 3}
	all := func() (entries []entry, live int) {
		s := newWrites(w)
		for e, ok := s.next(); ok; e, ok = s.next() {
			entries = append(entries, e)
		}
		return entries, s.live.count()
	}
	entries, live := all()
	if again, _ := all(); !slices.Equal(entries, again) {
		t.Error("the same seed draws other writes")
	}
	state := make(map[uint64]bool)
	deletions := 0
	for i, e := range entries {
		if i < w.Keys && (e.deleted() || state[e.user()]) {
			t.Fatalf("write %d of the fill is %x, a deletion or a key that was there", i, e)
		}
		state[e.user()] = !e.deleted()
		if e.deleted() {
			deletions++
		}
	}
	want := 0
	for _, there := range state {
		if there {
			want++
		}
	}
	if len(entries) != w.Keys+w.Updates || len(state) != w.Keys || live != want {
		t.Errorf("%d writes to %d keys, %d of them live, not %d", len(entries), len(state), live, want)
	}
	if deletions < 4500 || deletions > 5500 {
		t.Errorf("%d of %d updates delete", deletions, w.Updates)
	}
}
