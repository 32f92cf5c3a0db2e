package memtable

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"siftdb/internal/key"
)

// TestChainFindsWhatALinearWalkFinds compares searches in chains of all lengths, with gaps between the sequence
// numbers, with a walk over every version.
func TestChainFindsWhatALinearWalkFinds(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	table := New(0)
	user := []byte("key")
	var trailers []key.Trailer // oldest first
	for seq := key.Seq(1); len(trailers) < 400; seq += key.Seq(1 + rng.IntN(3)) {
		k := key.Make(user, seq, key.KindSet)
		table.Add(k, nil)
		trailers = append(trailers, k.Trailer)
		head := newestOf(table, user)
		for range 20 {
			at := visibleAt(key.Seq(rng.IntN(int(seq) + 2)))
			upTo, above := key.Trailer(0), key.Trailer(0)
			for _, tr := range trailers {
				if tr <= at {
					upTo = tr
				} else if above == 0 {
					above = tr
				}
			}
			if got := table.arena.newestUpTo(head, at); (got == nil) != (upTo == 0) || got != nil && got.trailer() != upTo {
				t.Fatalf("seed %d: the newest of %d versions up to %d is not %d", seed, len(trailers), at, upTo)
			}
			if got := table.arena.oldestAbove(head, at); (got == nil) != (above == 0) || got != nil && got.trailer() != above {
				t.Fatalf("seed %d: the oldest of %d versions above %d is not %d", seed, len(trailers), at, above)
			}
		}
		if got := table.arena.oldest(head).trailer(); got != trailers[0] {
			t.Fatalf("seed %d: the oldest is %d, not %d", seed, got, trailers[0])
		}
	}
}

// TestChainJumpsFar counts the links from the newest version to any other: they are few.
func TestChainJumpsFar(t *testing.T) {
	const versions = 10_000
	table := New(0)
	user := []byte("key")
	for seq := range key.Seq(versions) {
		table.Add(key.Make(user, seq+1, key.KindSet), nil)
	}
	a := &table.arena
	most := 0
	for target := uint32(0); target < versions; target += 7 {
		e, links := a.at(newestOf(table, user)), 0
		for e.depth() > target {
			if far := a.at(e.jump()); far.depth() >= target {
				e = far
			} else {
				e = a.at(e.older())
			}
			links++
		}
		most = max(most, links)
	}
	if limit := 3 * bits.Len(versions); most > limit {
		t.Errorf("%d links, want at most %d", most, limit)
	}
}

// newestOf is the head of the chain of user.
func newestOf(t *Table, user []byte) ref {
	newest, ok := t.tree.get(user)
	if !ok {
		panic(fmt.Sprintf("%q is not there", user))
	}
	return newest
}
