package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"siftdb/internal/iter"
)

// Maker makes the iterator under test over entries, which are in order and distinct. It is called many times;
// what an iterator needs beside Close to be cleaned up goes into tb.Cleanup.
type Maker func(tb testing.TB, entries []Entry) iter.Iterator

// Run holds an implementation to the contract of iter.Iterator. Its random walks print their seed on failure.
func Run(t *testing.T, make Maker) { run(t, make, 4) }

// RunDistinct is Run for iterators that show one entry of each user key: no entries share one.
func RunDistinct(t *testing.T, make Maker) { run(t, make, 1) }

func run(t *testing.T, make Maker, versions int) {
	seed := rand.Uint64()
	t.Run("fresh", func(t *testing.T) { fresh(t, make) })
	t.Run("close", func(t *testing.T) { closing(t, make) })
	t.Run("whole", func(t *testing.T) { whole(t, make, versions, seed) })
	t.Run("walks", func(t *testing.T) { walks(t, make, versions, seed) })
}

// fresh: an iterator that was not moved yet is at no entry and has no error.
func fresh(t *testing.T, make Maker) {
	it := make(t, Generate(rand.New(rand.NewPCG(1, 1)), 10, 1))
	defer it.Close()
	if it.Valid() || it.Err() != nil {
		t.Fatalf("a fresh iterator: Valid %v, Err %v", it.Valid(), it.Err())
	}
}

// closing: Close works in every state and any number of times.
func closing(t *testing.T, make Maker) {
	states := map[string]func(iter.Iterator){
		"fresh":     func(iter.Iterator) {},
		"at first":  func(it iter.Iterator) { it.First() },
		"exhausted": func(it iter.Iterator) { it.Last(); it.Next() },
	}
	for name, reach := range states {
		it := make(t, Generate(rand.New(rand.NewPCG(1, 1)), 10, 1))
		reach(it)
		for range 3 {
			if err := it.Close(); err != nil || it.Err() != nil {
				t.Fatalf("%s: Close: %v, Err: %v", name, err, it.Err())
			}
		}
	}
}

// whole: all entries forward, all backward, and a turn at each end.
func whole(t *testing.T, make Maker, versions int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 1000} {
		entries := Generate(rng, n, versions)
		it := make(t, entries)
		w := walk{tb: t, it: it, model: NewSlice(entries), entries: entries}
		for w.compare("First", it.First(), w.model.First()); w.model.Valid(); {
			w.compare("Next", it.Next(), w.model.Next())
		}
		for w.compare("Last", it.Last(), w.model.Last()); w.model.Valid(); {
			w.compare("Prev", it.Prev(), w.model.Prev())
		}
		if n >= 2 {
			w.compare("Last", it.Last(), w.model.Last())
			w.compare("Prev", it.Prev(), w.model.Prev())
			w.compare("Next", it.Next(), w.model.Next())
			w.compare("First", it.First(), w.model.First())
			w.compare("Next", it.Next(), w.model.Next())
			w.compare("Prev", it.Prev(), w.model.Prev())
		}
		if err := it.Close(); err != nil {
			t.Fatalf("%d entries, seed %d: Close: %v", n, seed, err)
		}
	}
}

// walks: random moves over random entries.
func walks(t *testing.T, make Maker, versions int, seed uint64) {
	rounds, moves := 200, 300
	if testing.Short() {
		rounds = 40
	}
	for round := range rounds {
		t.Run(fmt.Sprintf("seed=%d/round=%d", seed, round), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, uint64(round+1)))
			n := rng.IntN([]int{3, 10, 60, 400}[round%4] + 1)
			entries := Generate(rng, n, 1+rng.IntN(versions))
			it := make(t, entries)
			Walk(t, it, entries, Script(rng, moves))
			if err := it.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
		})
	}
}
