package compaction_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"siftdb/compaction"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
)

// small are options under which a table holds 50 entries and level 0 is merged after 4 flushes of as many.
var small = compaction.Options{TableSize: 50 * entrySize, BaseBytes: 16 * 50 * entrySize}

// withEachStyle runs a test of what holds under each style.
func withEachStyle(t *testing.T, test func(t *testing.T, o compaction.Options)) {
	for _, style := range compaction.Styles() {
		o := small
		o.Style = style
		t.Run(style.String(), func(t *testing.T) { test(t, o) })
	}
}

// load flushes n entries, 50 at a time, and settles after each flush.
func (s *simulator) load(n int, next func() uint64) {
	users := make([]uint64, 50)
	for range n / len(users) {
		for i := range users {
			users[i] = next()
		}
		s.flush(users, allSets)
		s.settle()
	}
}

func TestLevelsKeepTheirRatio(t *testing.T) {
	rng := seeded(t)
	for _, ratio := range []int{4, 10} {
		o := small
		o.LevelRatio = ratio
		s := newSimulator(t, o)
		s.load(20_000, rng.Uint64)
		shape := compaction.Scores(s.state(), o)
		if shape.Base < 2 || shape.Base > 5 {
			t.Errorf("ratio %d: the base is level %d", ratio, shape.Base)
		}
		for level := 1; level < shape.Base; level++ {
			if shape.Levels[level].Tables > 0 {
				t.Errorf("ratio %d: tables in level %d above the base", ratio, level)
			}
		}
		for level := shape.Base; level < manifest.NumLevels-1; level++ {
			l, below := shape.Levels[level], shape.Levels[level+1]
			if l.Score >= 1 {
				t.Errorf("ratio %d: level %d of %d bytes is over its target %d", ratio, level, l.Bytes, l.Target)
			}
			if level > shape.Base && l.Bytes < l.Target*8/10 {
				t.Errorf("ratio %d: level %d of %d bytes is far under its target %d", ratio, level, l.Bytes, l.Target)
			}
			if level > shape.Base && below.Bytes > l.Bytes*int64(ratio)*13/10 {
				t.Errorf("ratio %d: level %d has %d bytes, the next %d", ratio, level, l.Bytes, below.Bytes)
			}
		}
		s.checkAge()
	}
}

// TestLastLevelMayOutgrowAllTargets holds far more than seven levels of this base and ratio are meant for.
func TestLastLevelMayOutgrowAllTargets(t *testing.T) {
	rng := seeded(t)
	o := compaction.Options{TableSize: 10 * entrySize, BaseBytes: 20 * entrySize, LevelRatio: 2}
	s := newSimulator(t, o)
	s.load(8_000, rng.Uint64)
	shape := compaction.Scores(s.state(), o)
	if shape.Base != 1 {
		t.Errorf("the base is level %d", shape.Base)
	}
	if got := s.version.Bytes(6); got < 2000*entrySize {
		t.Errorf("%d bytes in the last level", got)
	}
	s.checkAge()
}

// TestRunsTakeTheirPart: with lazy leveling the runs above the last level take no more room than a ratio's part of it, and
// are no more than there are levels.
func TestRunsTakeTheirPart(t *testing.T) {
	rng := seeded(t)
	for _, ratio := range []int{4, 10} {
		o := small
		o.LevelRatio, o.Style = ratio, compaction.LazyLeveled
		s := newSimulator(t, o)
		most := int64(0)
		for range 40 {
			s.load(500, func() uint64 { return rng.Uint64N(15_000) })
			shape := compaction.Scores(s.state(), o)
			runs := int64(0)
			for level := 1; level < manifest.NumLevels-1; level++ {
				runs += shape.Levels[level].Bytes
			}
			if room := shape.Levels[1].Target; runs > room {
				t.Errorf("ratio %d: runs of %d bytes, where there is room for %d", ratio, runs, room)
			}
			most = max(most, runs)
		}
		if most < 4*50*entrySize {
			t.Errorf("ratio %d: there was never a run of four flushes", ratio)
		}
		s.checkAge()
	}
}

func TestAscendingKeysAreMoved(t *testing.T) {
	withEachStyle(t, func(t *testing.T, o compaction.Options) {
		s := newSimulator(t, o)
		user := uint64(0)
		s.load(20_000, func() uint64 { user++; return user })
		if s.written != 0 {
			t.Errorf("%d entries were rewritten", s.written)
		}
		if got := s.version.NumTables(); got != 400 {
			t.Errorf("%d tables", got)
		}
	})
}

// TestSmallFlushesOfAscendingKeysAreJoined has flushes of a tenth of a table.
func TestSmallFlushesOfAscendingKeysAreJoined(t *testing.T) {
	withEachStyle(t, func(t *testing.T, o compaction.Options) {
		o.TableSize = 500 * entrySize
		s := newSimulator(t, o)
		user := uint64(0)
		s.load(20_000, func() uint64 { user++; return user })
		if got := s.version.NumTables(); got > 120 {
			t.Errorf("%d tables of 400 flushes", got)
		}
		if got := s.amplification(); got > 2.1 {
			t.Errorf("each entry was written %.1f times", got)
		}
	})
}

func TestDeletedDataGoes(t *testing.T) { withEachStyle(t, deletedDataGoes) }

func deletedDataGoes(t *testing.T, o compaction.Options) {
	rng := seeded(t)
	for _, view := range []bool{false, true} {
		s := newSimulator(t, o)
		users := rng.Perm(4_000)
		at := 0
		next := func() uint64 { at++; return uint64(users[at-1]) }
		s.load(len(users), next)
		if view {
			s.snapshots = []key.Seq{s.seq}
		}
		rng.Shuffle(len(users), func(i, j int) { users[i], users[j] = users[j], users[i] })
		for chunk := range slices.Chunk(users, 50) {
			batch := make([]uint64, len(chunk))
			for i, user := range chunk {
				batch[i] = uint64(user)
			}
			s.flush(batch, func(uint64) key.Kind { return key.KindDelete })
			s.settle()
		}
		if view {
			for user := range uint64(len(users)) {
				if _, ok := s.get(user, s.snapshots[0]); !ok {
					t.Fatalf("the view lost key %d", user)
				}
			}
			s.snapshots = nil
			s.settle()
		}
		if got := s.version.NumTables(); got > 0 {
			t.Errorf("view %v: everything was deleted, and there are %d tables", view, got)
		}
	}
}

func TestManualCompactionRewritesTheRange(t *testing.T) { withEachStyle(t, manualCompactionRewrites) }

func manualCompactionRewrites(t *testing.T, o compaction.Options) {
	rng := seeded(t)
	s := newSimulator(t, o)
	s.snapshots = []key.Seq{2000, 9000}
	s.load(20_000, func() uint64 { return rng.Uint64N(5000) })
	s.snapshots = nil
	lower, upper := userKey(1000), userKey(2999)
	old := s.number
	s.compact(lower, upper)
	s.checkAge()
	for level, table := range s.version.All() {
		if level < manifest.NumLevels-1 && table.Overlaps(lower, upper) {
			t.Errorf("%v is left in level %d", table, level)
		}
	}
	written, inRange := s.written, 0
	for _, table := range s.version.Overlaps(manifest.NumLevels-1, lower, upper) {
		if table.Number < old || table.Entries != table.Keys {
			t.Errorf("%v was not rewritten: %d entries of %d keys", table, table.Entries, table.Keys)
		}
		inRange += int(table.Entries)
	}
	if inRange < 1900 || inRange > 2200 {
		t.Errorf("%d entries for 2000 keys", inRange)
	}
	s.compact(nil, nil)
	if got := s.version.NumTables(); got != len(s.version.Levels[manifest.NumLevels-1]) || s.version.Bytes(6) > 5000*entrySize {
		t.Errorf("after compacting everything: %d tables, %d bytes in the last level", got, s.version.Bytes(6))
	}
	if s.written == written {
		t.Error("nothing was written")
	}
	s.compact(nil, nil) // ends, too, when there is nothing to gain
}

// TestWriteAmplification bounds what compactions write, so that a change that costs writing is noticed.
// Run it with -v for the numbers.
func TestWriteAmplification(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two")
	}
	for _, c := range []struct {
		name    string
		next    func(rng *rand.Rand, zipf *rand.Zipf) uint64
		leveled float64
		lazy    float64
	}{
		{"new keys", func(rng *rand.Rand, _ *rand.Zipf) uint64 { return rng.Uint64() }, 11.5, 10},
		{"overwriting", func(rng *rand.Rand, _ *rand.Zipf) uint64 { return rng.Uint64N(20_000) }, 10.5, 9.6},
		{"zipfian", func(_ *rand.Rand, zipf *rand.Zipf) uint64 { return zipf.Uint64() * 0x9e3779b97f4a7c15 }, 7.2, 6.9},
	} {
		for style, most := range map[compaction.Style]float64{compaction.Leveled: c.leveled, compaction.LazyLeveled: c.lazy} {
			rng := rand.New(rand.NewPCG(1, 1)) // the bounds are for this seed
			zipf := rand.NewZipf(rng, 1.01, 1, 100_000)
			o := small
			o.Style = style
			s := newSimulator(t, o)
			s.load(30_000, func() uint64 { return c.next(rng, zipf) })
			t.Logf("%-12s %-12v each entry written %.2f times, %d merges, %d moves, %d tables",
				c.name, style, s.amplification(), s.merges, s.moves, s.version.NumTables())
			if got := s.amplification(); got > most {
				t.Errorf("%s, %v: each entry was written %.2f times, want at most %v", c.name, style, got, most)
			}
		}
	}
}

func BenchmarkPick(b *testing.B) {
	for _, style := range compaction.Styles() {
		for _, tables := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%v/tables=%d", style, tables), func(b *testing.B) {
				state := compaction.State{Version: wide(b, tables), OldestSnapshot: key.MaxSeq}
				o := compaction.Options{Style: style, TableSize: 1000, BaseBytes: 16_000}
				if _, ok := compaction.Pick(state, o); !ok {
					b.Fatal("nothing is due")
				}
				b.ReportAllocs()
				for b.Loop() {
					compaction.Pick(state, o)
				}
			})
		}
	}
}

// wide is a version with two levels, the upper of which is over its target.
func wide(t testing.TB, tables int) *manifest.Version {
	e := &manifest.Edit{}
	for level, n := range map[int]int{5: tables / 5, 6: tables} {
		for i := range n {
			smallest, largest := userKey(uint64(i*1000*tables/n)), userKey(uint64((i+1)*1000*tables/n-1))
			e.Added = append(e.Added, manifest.Addition{Level: level, Table: &manifest.Table{
				Number: uint64(len(e.Added) + 1), Size: 1000, Entries: 10, Keys: 10,
				Smallest: key.Make(smallest, 1, key.KindSet), Largest: key.Make(bytes.Clone(largest), 1, key.KindSet),
			}})
		}
	}
	v, err := (&manifest.Version{}).Apply(e)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
