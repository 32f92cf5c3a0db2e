package db

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"siftdb/internal/fsys"
)

// styleStore is a store that changes its style of compaction, and what it must hold.
type styleStore struct {
	t    *testing.T
	disk *fsys.Mem
	rng  *rand.Rand
	want map[string]string
	*DB
}

func (s *styleStore) open(style CompactionStyle) {
	s.t.Helper()
	store, err := Open("store", &Options{
		FS: s.disk, NoSync: true, MemTableSize: minMemTableSize, TableSize: minTableSize, LevelRatio: 4, Workers: 2,
		Compaction: style, Compression: NoCompression,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.DB = store
}

// write puts and deletes n keys.
func (s *styleStore) write(n int) {
	s.t.Helper()
	for range n {
		key := fmt.Sprintf("key%05d", s.rng.IntN(8000))
		var err error
		if s.rng.IntN(5) == 0 {
			err = s.Delete([]byte(key))
			delete(s.want, key)
		} else {
			value := fmt.Sprintf("%040d", s.rng.Uint32())
			err = s.Put([]byte(key), []byte(value))
			s.want[key] = value
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// check compares a scan and point reads with what was written.
func (s *styleStore) check() {
	s.t.Helper()
	found := 0
	for e, err := range s.Scan(Range{}) {
		if err != nil {
			s.t.Fatal(err)
		}
		if got, ok := s.want[string(e.Key)]; !ok || got != string(e.Value) {
			s.t.Fatalf("a scan gives %s = %s, want %q (there: %v)", e.Key, e.Value, got, ok)
		}
		found++
	}
	if found != len(s.want) {
		s.t.Fatalf("a scan gives %d keys, want %d", found, len(s.want))
	}
	for range 500 {
		key := fmt.Sprintf("key%05d", s.rng.IntN(8000))
		value, err := s.Get([]byte(key))
		if want, ok := s.want[key]; ok && string(value) != want || !ok && err != ErrNotFound {
			s.t.Fatalf("%s is %q, %v, want %q", key, value, err, want)
		}
	}
	for _, err := range s.Verify(s.t.Context()) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// runs is how many levels between level 0 and the last hold tables.
func (s *styleStore) runs() (n int) {
	levels := s.Metrics().Levels
	for _, l := range levels[1 : len(levels)-1] {
		if l.Tables > 0 {
			n++
		}
	}
	return n
}

// TestStyleMayChangeAtAnyTime: a store is opened under one style after the other, also while compactions are due, and
// always holds what was written. Lazy leveling is at work in it: more runs stand over each other than leveled
// compaction leaves.
func TestStyleMayChangeAtAnyTime(t *testing.T) {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	s := &styleStore{t: t, disk: fsys.NewMem(), rng: rand.New(rand.NewPCG(seed, 1)), want: make(map[string]string)}
	most := map[CompactionStyle]int{}
	for round := range 10 {
		style := CompactionStyle(round % 2)
		s.open(style)
		for range 4 {
			s.write(1500)
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := s.WaitQuiet(t.Context()); err != nil {
				t.Fatal(err)
			}
			most[style] = max(most[style], s.runs())
		}
		s.check()
		s.write(2000) // what is due now is left to the next life
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if most[LazyLeveled] <= most[Leveled] {
		t.Errorf("at most %d runs lazy, %d leveled", most[LazyLeveled], most[Leveled])
	}
	s.open(LazyLeveled)
	defer s.Close()
	if err := s.Compact(t.Context(), Range{}); err != nil {
		t.Fatal(err)
	}
	if n := s.runs(); n > 0 || s.Metrics().Levels[0].Tables > 0 {
		t.Errorf("after compacting everything %d runs stand above the last level", n)
	}
	s.check()
}
