package iter_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// deal gives the entries out to n guarded sources, in runs, so that some sources are empty and some stay in front
// for long.
func deal(tb testing.TB, rng *rand.Rand, n int, entries []check.Entry) []iter.Iterator {
	hands := make([][]check.Entry, n)
	for i := 0; i < len(entries); {
		hand := rng.IntN(n)
		for range 1 + rng.IntN(1+rng.IntN(20)) {
			if i < len(entries) {
				hands[hand] = append(hands[hand], entries[i])
				i++
			}
		}
	}
	children := make([]iter.Iterator, n)
	for i, hand := range hands {
		children[i] = check.Guard(tb, check.NewSlice(hand))
	}
	return children
}

func TestMergeConformance(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 20} {
		t.Run(fmt.Sprintf("children=%d", n), func(t *testing.T) {
			check.Run(t, func(tb testing.TB, entries []check.Entry) iter.Iterator {
				rng := rand.New(rand.NewPCG(uint64(len(entries)), uint64(n)))
				return check.Guard(tb, iter.NewMerge(deal(tb, rng, n, entries)...))
			})
		})
	}
}

func TestMergeOfMerges(t *testing.T) {
	check.Run(t, func(tb testing.TB, entries []check.Entry) iter.Iterator {
		rng := rand.New(rand.NewPCG(uint64(len(entries)), 0))
		children := deal(tb, rng, 6, entries)
		return iter.NewMerge(iter.NewMerge(children[:2]...), iter.NewMerge(children[2:]...), iter.NewMerge())
	})
}

func FuzzMerge(f *testing.F) {
	f.Add(uint64(1), uint8(3), []byte{225, 10, 20, 0, 120, 0, 120, 224, 120, 0, 255, 1, 1, 200, 100})
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, script []byte) {
		rng := rand.New(rand.NewPCG(seed, 0))
		entries := check.Generate(rng, rng.IntN(40), 4)
		m := iter.NewMerge(deal(t, rng, 1+int(n%8), entries)...)
		check.Walk(t, m, entries, script)
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMergeEqualKeysLowerChildFirst(t *testing.T) {
	a, b := key.Make([]byte("a"), 1, key.KindSet), key.Make([]byte("b"), 1, key.KindSet)
	child := func(name string, keys ...key.Key) iter.Iterator {
		var entries []check.Entry
		for _, k := range keys {
			entries = append(entries, check.Entry{Key: k, Value: []byte(name)})
		}
		return check.Guard(t, check.NewSlice(entries))
	}
	m := iter.NewMerge(child("0", b), child("1", a, b), child("2", a), child("3", a, b))
	defer m.Close()
	want := []string{"a1", "a2", "a3", "b0", "b1", "b3"}
	at := func() string {
		if !m.Valid() {
			return "end"
		}
		return string(m.Key().User) + string(m.Value())
	}
	m.First()
	for _, w := range want {
		if at() != w {
			t.Fatalf("forward: at %s, want %s", at(), w)
		}
		m.Next()
	}
	m.Last()
	for i := len(want) - 1; i >= 0; i-- {
		if at() != want[i] {
			t.Fatalf("backward: at %s, want %s", at(), want[i])
		}
		m.Prev()
	}
	// A turn at every entry, from both sides.
	for i := 1; i < len(want); i++ {
		m.First()
		for range i {
			m.Next()
		}
		m.Prev()
		if at() != want[i-1] {
			t.Fatalf("Prev from %s: at %s, want %s", want[i], at(), want[i-1])
		}
		m.Next()
		if at() != want[i] {
			t.Fatalf("Next back: at %s, want %s", at(), want[i])
		}
	}
}

func TestMergeErrorEndsTheWalk(t *testing.T) {
	cause := errors.New("cause")
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	entries := check.Generate(rng, 100, 2)
	for _, n := range []int{1, 2, 5} {
		for moves := range 40 {
			children := deal(t, rng, n, entries)
			bad := rng.IntN(n)
			children[bad] = check.Guard(t, check.Failing(children[bad], moves, cause))
			m := check.Guard(t, iter.NewMerge(children...))
			seen := 0
			for ok := m.First(); ok; ok = m.Next() {
				if key.Compare(m.Key(), entries[seen].Key) != 0 {
					t.Fatalf("seed %d: entry %d is %v, want %v", seed, seen, m.Key(), entries[seen].Key)
				}
				seen++
			}
			if m.Err() == nil && seen != len(entries) {
				t.Fatalf("seed %d: stopped after %d entries without an error", seed, seen)
			}
			if m.Err() != nil && m.Err() != cause {
				t.Fatalf("seed %d: Err: %v", seed, m.Err())
			}
			if failed := m.Err(); failed != nil {
				// The cause is behind us: a positioning call tries anew.
				check.Walk(t, m, entries, append([]byte{224}, check.Script(rng, 100)...))
				m.Close()
				continue
			}
			if err := m.Close(); err != nil {
				t.Fatalf("seed %d: Close: %v", seed, err)
			}
		}
	}
}

func TestMergeCloseReportsTheError(t *testing.T) {
	cause := errors.New("cause")
	slices := []*check.Slice{check.NewSlice(nil), check.NewSlice(nil), check.NewSlice(nil)}
	m := iter.NewMerge(slices[0], check.Failing(slices[1], 0, cause), slices[2])
	if m.First() || m.Err() != cause {
		t.Fatalf("First: Err %v", m.Err())
	}
	for range 2 {
		if err := m.Close(); err != cause {
			t.Fatalf("Close: %v", err)
		}
	}
	for i, s := range slices {
		if s.Closed() != 1 {
			t.Errorf("child %d closed %d times", i, s.Closed())
		}
	}
	if m.First() || m.Last() || m.SeekGE(key.Key{}) || m.SeekLT(key.Key{}) || m.Valid() {
		t.Error("a closed merge moves")
	}
}

// numbered makes n entries with keys of 16 bytes; those of child i of n children, dealt in runs.
func numbered(n, children, run int) [][]check.Entry {
	hands := make([][]check.Entry, children)
	for i := range n {
		e := check.Entry{Key: key.Make(fmt.Appendf(nil, "%016d", i), key.Seq(i+1), key.KindSet), Value: []byte("value")}
		hand := i / run % children
		hands[hand] = append(hands[hand], e)
	}
	return hands
}

func mergeOf(hands [][]check.Entry) iter.Iterator {
	var children []iter.Iterator
	for _, hand := range hands {
		children = append(children, check.NewSlice(hand))
	}
	return iter.NewMerge(children...)
}

func TestMergeDoesNotAllocate(t *testing.T) {
	m := mergeOf(numbered(1000, 5, 3))
	target := key.Lookup([]byte("0000000000000500"), key.MaxSeq)
	moves := map[string]func(){
		"First":      func() { m.First() },
		"Last":       func() { m.Last() },
		"SeekGE":     func() { m.SeekGE(target) },
		"SeekLT":     func() { m.SeekLT(target) },
		"Next":       func() { m.SeekGE(target); m.Next(); m.Next() },
		"turns":      func() { m.SeekGE(target); m.Prev(); m.Next(); m.Prev() },
		"whole walk": func() { walk(m) },
	}
	for name, move := range moves {
		if n := testing.AllocsPerRun(10, move); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// walk goes over all entries and returns how many there are.
func walk(it iter.Iterator) int {
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	return n
}

// BenchmarkMergeNext is the cost of one step, by the number of children and the length of the runs that come from
// the same child.
func BenchmarkMergeNext(b *testing.B) {
	for _, children := range []int{1, 2, 5, 12} {
		for _, run := range []int{1, 1000} {
			b.Run(fmt.Sprintf("children=%d/run=%d", children, run), func(b *testing.B) {
				m := mergeOf(numbered(100_000, children, run))
				b.ReportAllocs()
				for ok := false; b.Loop(); ok = m.Next() {
					if !ok {
						m.First()
					}
				}
			})
		}
	}
}
