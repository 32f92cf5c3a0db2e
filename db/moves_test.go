package db

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"siftdb/internal/fsys"
)

var moveStrings = flag.Int("moves.strings", 0, "strings of moves of TestStringsOfMoves; 0: 3,000, or 300 with -short")

// TestStringsOfMoves makes strings of random moves with iterators over a store with a memtable, tables in level 0 and
// tables below, with deletions in all of them: at each stop an iterator is where a cursor over sorted keys is, at the
// ends, beyond them and where the walk turns round (ITR-02). Long: -moves.strings 1000000
func TestStringsOfMoves(t *testing.T) {
	count := *moveStrings
	if count == 0 {
		count = 3_000
		if testing.Short() {
			count = 300
		}
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 10 {
		store, m := inLayers(t, rng)
		for range count / 10 {
			if trail := wrongMove(store, m, rng); trail != "" {
				t.Fatalf("seed %d: %s", seed, trail)
			}
		}
		check(t, store.Close())
	}
}

// inLayers is a store of few keys whose versions and deletions lie in five layers, and what it holds.
func inLayers(t *testing.T, rng *rand.Rand) (*DB, *model) {
	t.Helper()
	store, m := openStore(t, fsys.NewMem(), func(o *Options) { o.NoCompaction = true }), newModel()
	for layer := range 5 {
		for range 12 {
			k := moveKey(rng)
			if rng.IntN(3) == 0 {
				check(t, store.Delete([]byte(k), NoSync))
				delete(m.now, k)
			} else {
				check(t, store.Put([]byte(k), fmt.Append(nil, layer), NoSync))
				m.now[k] = fmt.Sprint(layer)
			}
		}
		switch layer {
		case 0, 1:
			check(t, store.Compact(context.Background(), Range{Lower: []byte(moveKey(rng))}))
		case 2, 3:
			flush(t, store)
		}
	}
	return store, m
}

func moveKey(rng *rand.Rand) string {
	return strings.Repeat("k", rng.IntN(3)) + string(rune('a'+rng.IntN(12)))
}

// wrongMove makes up to 50 moves within random bounds. It gives those up to the first after which the iterator is not
// where it should be; nothing if there is none.
func wrongMove(store *DB, m *model, rng *rand.Rand) (trail string) {
	var r Range
	if rng.IntN(2) == 0 {
		r.Lower = []byte(moveKey(rng))
	}
	if rng.IntN(2) == 0 {
		r.Upper = []byte(moveKey(rng))
	}
	it, want := store.NewIter(r), m.cursor(r)
	defer it.Close()
	trail = fmt.Sprintf("from %q to %q:", r.Lower, r.Upper)
	for range 50 {
		var ok, there bool
		target := moveKey(rng)
		switch rng.IntN(8) {
		case 0:
			trail += " First"
			ok, there = it.First(), want.first()
		case 1:
			trail += " Last"
			ok, there = it.Last(), want.last()
		case 2:
			trail += " SeekGE " + target
			ok, there = it.SeekGE([]byte(target)), want.seekGE(target)
		case 3:
			trail += " SeekLT " + target
			ok, there = it.SeekLT([]byte(target)), want.seekLT(target)
		case 4, 5:
			trail += " Next"
			ok, there = it.Next(), want.next()
		default:
			trail += " Prev"
			ok, there = it.Prev(), want.prev()
		}
		if ok != there || ok && (string(it.Key()) != want.key() || string(it.Value()) != m.now[want.key()]) {
			return fmt.Sprintf("%s: %v, at %q = %q", trail, ok, it.Key(), it.Value())
		}
	}
	return ""
}
