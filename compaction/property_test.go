package compaction_test

import (
	"bytes"
	"slices"
	"testing"

	"siftdb/compaction"
	"siftdb/internal/key"

	"pgregory.net/rapid"
)

// world is a simulator and what it must answer.
type world struct {
	*simulator
	history map[uint64][]key.Trailer // of each key, oldest first
}

// TestCompactionsInAnyOrder lets flushes, plans that run at once and end in any order, views, manual compactions and
// changes of style follow each other at random. After each step every view must see what it saw, older versions must stand below
// newer ones, and the plans that run must keep apart.
func TestCompactionsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := compaction.Options{
			TableSize:  entrySize * rapid.Int64Range(1, 8).Draw(t, "entries a table"),
			BaseBytes:  entrySize * rapid.Int64Range(1, 40).Draw(t, "entries in the base"),
			LevelRatio: rapid.IntRange(2, 4).Draw(t, "ratio"),
			L0Tables:   rapid.IntRange(1, 4).Draw(t, "trigger"),
			Style:      rapid.SampledFrom(compaction.Styles()).Draw(t, "style"),
		}
		w := &world{simulator: newSimulator(t, o), history: map[uint64][]key.Trailer{}}
		t.Repeat(map[string]func(*rapid.T){
			"flush":   w.randomFlush,
			"flush 2": w.randomFlush,
			"start": func(t *rapid.T) {
				if len(w.running) > 3 || !w.start() {
					t.Skip()
				}
			},
			"finish": func(t *rapid.T) {
				if len(w.running) == 0 {
					t.Skip()
				}
				w.finish(rapid.IntRange(0, len(w.running)-1).Draw(t, "which"))
			},
			"take a view": func(t *rapid.T) {
				if n := len(w.snapshots); n > 2 || n > 0 && w.snapshots[n-1] == w.seq {
					t.Skip()
				}
				w.snapshots = append(w.snapshots, w.seq)
			},
			"close a view": func(t *rapid.T) {
				if len(w.snapshots) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(w.snapshots)-1).Draw(t, "which")
				w.snapshots = slices.Delete(w.snapshots, i, i+1)
			},
			"compact by hand": func(t *rapid.T) {
				if len(w.running) > 0 {
					t.Skip()
				}
				lower := userKey(rapid.Uint64Range(0, keys).Draw(t, "lower"))
				upper := userKey(rapid.Uint64Range(0, keys).Draw(t, "upper"))
				w.compact(lower, upper)
			},
			"change the style": func(t *rapid.T) {
				w.options.Style = rapid.SampledFrom(compaction.Styles()).Draw(t, "style")
			},
			"settle": func(t *rapid.T) {
				for len(w.running) > 0 {
					w.finish(0)
				}
				w.settle()
				w.checkQuiet()
			},
			"": func(*rapid.T) {
				w.checkAge()
				w.checkViews()
				w.checkApart()
			},
		})
	})
}

// keys is how many keys the random stores have.
const keys = 40

func (w *world) randomFlush(t *rapid.T) {
	users := rapid.SliceOfN(rapid.Uint64Range(0, keys), 1, 12).Draw(t, "keys")
	deletions := rapid.IntRange(0, 2).Draw(t, "deletions in three")
	seq := w.seq
	kinds := map[uint64]key.Kind{}
	for i, user := range users {
		kinds[user] = key.KindSet
		if i%3 < deletions {
			kinds[user] = key.KindDelete
		}
	}
	for _, user := range users {
		seq++
		w.history[user] = append(w.history[user], key.MakeTrailer(seq, kinds[user]))
	}
	w.flush(users, func(user uint64) key.Kind { return kinds[user] })
}

// checkViews compares what each view sees with the history.
func (w *world) checkViews() {
	for _, view := range append(slices.Clone(w.snapshots), key.MaxSeq) {
		for user := range uint64(keys + 1) {
			var want key.Trailer
			for _, t := range w.history[user] {
				if t.Seq() <= view {
					want = t
				}
			}
			exists := want != 0 && want.Kind() == key.KindSet
			got, ok := w.get(user, view)
			if ok != exists || ok && got.Seq() != want.Seq() && got.Seq() != 0 {
				w.t.Fatalf("view %d of key %d: %v %v, want %v %v in\n%v", view, user, got.Seq(), ok, want.Seq(), exists, w.version)
			}
		}
	}
}

// checkApart fails when two running plans share a table, or keys in the level they write to.
func (w *world) checkApart() {
	for i, a := range w.running {
		for _, b := range w.running[:i] {
			for _, mine := range slices.Concat(a.plan.Inputs[:]...) {
				for _, theirs := range slices.Concat(b.plan.Inputs[:]...) {
					if mine == theirs {
						w.t.Fatalf("%v is in both\n%v\n%v", mine, a.plan, b.plan)
					}
				}
			}
			low, high := bounds(a.plan)
			otherLow, otherHigh := bounds(b.plan)
			if a.plan.Output == b.plan.Output && bytes.Compare(low, otherHigh) <= 0 && bytes.Compare(otherLow, high) <= 0 {
				w.t.Fatalf("both write to the same keys of level %d\n%v\n%v", a.plan.Output, a.plan, b.plan)
			}
		}
	}
}

func bounds(p compaction.Plan) (low, high []byte) {
	for i, t := range slices.Concat(p.Inputs[:]...) {
		if i == 0 || bytes.Compare(t.Smallest.User, low) < 0 {
			low = t.Smallest.User
		}
		if i == 0 || bytes.Compare(t.Largest.User, high) > 0 {
			high = t.Largest.User
		}
	}
	return low, high
}

// checkQuiet fails when something is over its target, or deletions are left that nothing holds.
func (w *world) checkQuiet() {
	for level, l := range compaction.Scores(w.state(), w.options).Levels {
		if l.Score >= 1 {
			w.t.Fatalf("level %d scores %.2f and nothing is done about it:\n%v", level, l.Score, w.version)
		}
	}
	if debt := compaction.Debt(w.state(), w.options); debt != 0 {
		w.t.Fatalf("a debt of %d, and nothing is done about it:\n%v", debt, w.version)
	}
	for level, t := range w.version.All() {
		if len(w.snapshots) == 0 && 2*t.Deletions > t.Entries {
			w.t.Fatalf("%v in level %d is mostly deletions:\n%v", t, level, w.version)
		}
	}
}
