package check

import (
	"errors"
	"math/rand/v2"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/key"
)

func TestSlicePasses(t *testing.T) {
	Run(t, func(_ testing.TB, entries []Entry) iter.Iterator { return NewSlice(entries) })
}

func TestGuardLetsThrough(t *testing.T) {
	Run(t, func(tb testing.TB, entries []Entry) iter.Iterator { return Guard(tb, NewSlice(entries)) })
}

// recorder is a testing.TB that notes a failure and stops the check by a panic, as Fatalf would end the test.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper() {}
func (r *recorder) Fatalf(string, ...any) {
	r.failed = true
	panic(r)
}

// caught reports whether run fails its test.
func caught(run func(tb testing.TB)) bool {
	r := &recorder{}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(r) {
				panic(p)
			}
		}()
		run(r)
	}()
	return r.failed
}

// broken is a Slice with a fault in one move.
type broken struct {
	*Slice
	fault string
}

func (b *broken) Next() bool {
	if b.fault == "skips an entry" && b.at == 3 {
		b.Slice.Next()
	}
	return b.Slice.Next()
}

func (b *broken) Prev() bool {
	if b.fault == "stays where it is going back" {
		return b.Valid()
	}
	return b.Slice.Prev()
}

func (b *broken) SeekLT(k key.Key) bool {
	if b.fault == "seeks the entry itself" {
		return b.SeekGE(k)
	}
	return b.Slice.SeekLT(k)
}

func (b *broken) Err() error {
	if b.fault == "has an error" {
		return errors.New("error")
	}
	return nil
}

func TestWalkFindsFaults(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	entries, script := Generate(rng, 100, 3), Script(rng, 1000)
	for _, fault := range []string{
		"skips an entry", "stays where it is going back", "seeks the entry itself", "has an error",
	} {
		it := &broken{NewSlice(entries), fault}
		if !caught(func(tb testing.TB) { Walk(tb, it, entries, script) }) {
			t.Errorf("an iterator that %s passes", fault)
		}
	}
}

func TestGuardFindsMisuse(t *testing.T) {
	entries := Generate(rand.New(rand.NewPCG(1, 2)), 3, 1)
	misuses := map[string]func(it iter.Iterator){
		"Next while fresh":  func(it iter.Iterator) { it.Next() },
		"Prev past the end": func(it iter.Iterator) { it.First(); it.Prev(); it.Prev() },
		"Key while fresh":   func(it iter.Iterator) { it.Key() },
		"Value after Close": func(it iter.Iterator) { it.First(); it.Close(); it.Value() },
		"First after Close": func(it iter.Iterator) { it.Close(); it.First() },
	}
	for name, misuse := range misuses {
		if !caught(func(tb testing.TB) { misuse(Guard(tb, NewSlice(entries))) }) {
			t.Errorf("%s passes", name)
		}
	}
}

func TestGuardSpoilsWhatItLent(t *testing.T) {
	it := Guard(t, NewSlice([]Entry{
		{key.Make([]byte("a"), 1, key.KindSet), []byte("1")},
		{key.Make([]byte("b"), 2, key.KindSet), []byte("2")},
	}))
	it.First()
	k, v := it.Key(), it.Value()
	it.Next()
	if string(k.User) == "a" || string(v) == "1" {
		t.Fatalf("%v and %q live on after the move", k, v)
	}
}

func TestFailingFailsOnce(t *testing.T) {
	cause := errors.New("cause")
	it := Failing(NewSlice(Generate(rand.New(rand.NewPCG(1, 2)), 3, 1)), 1, cause)
	if !it.First() || it.Err() != nil {
		t.Fatal("failed too early")
	}
	if it.Next() || it.Valid() || it.Err() != cause {
		t.Fatalf("the second move: Valid %v, Err %v", it.Valid(), it.Err())
	}
	if !it.First() || it.Err() != nil {
		t.Fatalf("the third move: Err %v", it.Err())
	}
}

func TestGenerate(t *testing.T) {
	entries := Generate(rand.New(rand.NewPCG(3, 4)), 1000, 4)
	seqs, users := map[key.Seq]bool{}, map[string]int{}
	for i, e := range entries {
		if i > 0 && key.Compare(entries[i-1].Key, e.Key) >= 0 {
			t.Fatalf("%v before %v", entries[i-1], e)
		}
		if seqs[e.Key.Seq()] {
			t.Fatalf("sequence number %d twice", e.Key.Seq())
		}
		seqs[e.Key.Seq()] = true
		users[string(e.Key.User)]++
	}
	if len(entries) != 1000 || len(users) == 1000 {
		t.Fatalf("%d entries of %d user keys", len(entries), len(users))
	}
}
