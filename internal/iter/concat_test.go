package iter_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// shelf is a row of disjoint sources for a concat, which counts those that are open.
type shelf struct {
	tb      testing.TB
	sources [][]check.Entry
	bounds  [][2]key.Key
	opened  int // ever
	open    int // now
	// failing wraps the sources, when it is not nil.
	failing func(i int, it iter.Iterator) (iter.Iterator, error)
}

// newShelf cuts the entries into runs.
func newShelf(tb testing.TB, rng *rand.Rand, entries []check.Entry) *shelf {
	s := &shelf{tb: tb}
	for len(entries) > 0 {
		n := 1 + rng.IntN(min(len(entries), 30))
		s.sources = append(s.sources, entries[:n])
		s.bounds = append(s.bounds, [2]key.Key{entries[0].Key, entries[n-1].Key})
		entries = entries[n:]
	}
	return s
}

// thin takes the entries, but not the bounds, of about every third source, so that a seek into it has to go on. It
// returns the entries that are left.
func (s *shelf) thin(rng *rand.Rand) []check.Entry {
	var left []check.Entry
	for i := range s.sources {
		if rng.IntN(3) == 0 {
			s.sources[i] = nil
		}
		left = append(left, s.sources[i]...)
	}
	return left
}

func (s *shelf) concat() iter.Iterator {
	c := new(iter.Concat)
	c.Reset(s)
	return c
}

func (s *shelf) Len() int { return len(s.sources) }

func (s *shelf) Bounds(i int) (smallest, largest key.Key) { return s.bounds[i][0], s.bounds[i][1] }

func (s *shelf) Open(i int) (iter.Iterator, error) {
	it := iter.Iterator(check.NewSlice(s.sources[i]))
	if s.failing != nil {
		var err error
		if it, err = s.failing(i, it); err != nil {
			return nil, err
		}
	}
	s.opened++
	s.open++
	if s.open > 1 {
		s.tb.Fatalf("%d sources open at once", s.open)
	}
	return &shelved{check.Guard(s.tb, it), s}, nil
}

// shelved is a source off a shelf.
type shelved struct {
	iter.Iterator
	shelf *shelf
}

func (s *shelved) Close() error {
	s.shelf.open--
	return s.Iterator.Close()
}

func TestConcatConformance(t *testing.T) {
	check.Run(t, func(tb testing.TB, entries []check.Entry) iter.Iterator {
		rng := rand.New(rand.NewPCG(uint64(len(entries)), 0))
		return check.Guard(tb, newShelf(tb, rng, entries).concat())
	})
}

func TestConcatSkipsEmptySources(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		shelf := newShelf(t, rng, check.Generate(rng, rng.IntN(300), 3))
		left := shelf.thin(rng)
		c := check.Guard(t, shelf.concat())
		check.Walk(t, c, left, check.Script(rng, 300))
		if err := c.Close(); err != nil || shelf.open != 0 {
			t.Fatalf("Close: %v; %d sources left open", err, shelf.open)
		}
	}
}

func TestConcatIsLazy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	entries := check.Generate(rng, 500, 1)
	shelf := newShelf(t, rng, entries)
	c := shelf.concat()
	if shelf.opened != 0 {
		t.Fatalf("%d sources opened by the making", shelf.opened)
	}
	target := entries[250].Key
	for range 3 {
		c.SeekGE(target)
		c.SeekLT(key.Key{User: append(target.Clone().User, 0)})
	}
	if shelf.opened != 1 {
		t.Fatalf("%d sources opened for seeks into one", shelf.opened)
	}
	past := key.Make(append(entries[499].Key.Clone().User, 1), 1, key.KindSet)
	if c.SeekGE(past) || c.SeekLT(key.Lookup(nil, key.MaxSeq)) || shelf.opened != 1 {
		t.Fatalf("%d sources opened for seeks beyond the ends", shelf.opened)
	}
	if err := c.Close(); err != nil || shelf.open != 0 {
		t.Fatalf("Close: %v; %d sources left open", err, shelf.open)
	}
}

func TestConcatErrorEndsTheWalk(t *testing.T) {
	cause := errors.New("cause")
	rng := rand.New(rand.NewPCG(1, 1))
	entries := check.Generate(rng, 300, 2)
	faults := map[string]func(failures *int) func(int, iter.Iterator) (iter.Iterator, error){
		"open": func(failures *int) func(int, iter.Iterator) (iter.Iterator, error) {
			return func(i int, it iter.Iterator) (iter.Iterator, error) {
				if i == 3 && *failures == 0 {
					*failures++
					return nil, cause
				}
				return it, nil
			}
		},
		"move": func(failures *int) func(int, iter.Iterator) (iter.Iterator, error) {
			return func(i int, it iter.Iterator) (iter.Iterator, error) {
				if i == 3 && *failures == 0 {
					*failures++
					return check.Failing(it, 0, cause), nil
				}
				return it, nil
			}
		},
	}
	for name, fault := range faults {
		for _, direction := range []string{"forward", "backward"} {
			t.Run(name+" "+direction, func(t *testing.T) {
				shelf, failures := newShelf(t, rng, entries), 0
				shelf.failing = fault(&failures)
				c := check.Guard(t, shelf.concat())
				start, step := c.First, c.Next
				if direction == "backward" {
					start, step = c.Last, c.Prev
				}
				for ok := start(); ok; ok = step() {
				}
				if c.Err() != cause || c.Valid() {
					t.Fatalf("Err: %v, Valid: %v", c.Err(), c.Valid())
				}
				check.Walk(t, c, entries, append([]byte{224}, check.Script(rng, 200)...))
				if err := c.Close(); err != nil || shelf.open != 0 {
					t.Fatalf("Close: %v; %d sources left open", err, shelf.open)
				}
			})
		}
	}
}

func TestConcatClosed(t *testing.T) {
	cause := errors.New("cause")
	shelf := newShelf(t, rand.New(rand.NewPCG(1, 1)), check.Generate(rand.New(rand.NewPCG(1, 1)), 10, 1))
	shelf.failing = func(int, iter.Iterator) (iter.Iterator, error) { return nil, cause }
	c := shelf.concat()
	c.First()
	for range 2 {
		if err := c.Close(); err != cause {
			t.Fatalf("Close: %v", err)
		}
	}
	if c.First() || c.Last() || c.SeekGE(key.Key{}) || c.SeekLT(key.Key{}) || c.Valid() {
		t.Error("a closed concat moves")
	}
	if c.Err() != cause || c.Close() != cause {
		t.Errorf("a move made a closed concat forget its error: Err %v", c.Err())
	}
}

func TestConcatDoesNotAllocateInsideASource(t *testing.T) {
	var c iter.Concat
	c.Reset(lone(numbered(1000, 1, 1)[0]))
	target := key.Lookup([]byte("0000000000000500"), key.MaxSeq)
	if n := testing.AllocsPerRun(10, func() { c.SeekGE(target); c.SeekLT(target); walk(&c) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// lone is the parts of a concat that has just one.
type lone []check.Entry

func (l lone) Len() int { return 1 }

func (l lone) Bounds(int) (smallest, largest key.Key) { return l[0].Key, l[len(l)-1].Key }

func (l lone) Open(int) (iter.Iterator, error) { return check.NewSlice(l), nil }
