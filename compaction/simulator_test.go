package compaction_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"siftdb/compaction"
	"siftdb/compaction/merge"
	"siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
)

// entry is an entry of the simulator: a number for a key, and a trailer. Its value exists only as a size.
type entry struct {
	user    uint64
	trailer key.Trailer
}

func compareEntries(a, b entry) int {
	if c := cmp.Compare(a.user, b.user); c != 0 {
		return c
	}
	return cmp.Compare(b.trailer, a.trailer)
}

// userKey is the number as bytes that sort as the number does.
func userKey(user uint64) []byte { return binary.BigEndian.AppendUint64(nil, user) }

// simulator is a store without a disk: tables are slices, flushes and compactions happen at once or when they are
// asked to finish. It checks nothing by itself but what the manifest checks.
type simulator struct {
	t         reporter
	options   compaction.Options
	version   *manifest.Version
	tables    map[uint64][]entry
	number    uint64
	seq       key.Seq
	snapshots []key.Seq
	running   []job
	// flushed and written count entries: what came in, and what compactions wrote.
	flushed, written int
	moves, merges    int
}

// job is a plan with the version and the snapshots it was made from.
type job struct {
	plan      compaction.Plan
	from      *manifest.Version
	snapshots []key.Seq
}

// reporter is the part of testing.TB that the simulator needs.
type reporter interface {
	Helper()
	Fatalf(format string, args ...any)
}

// entrySize is what an entry takes in a table.
const entrySize = 100

func newSimulator(t reporter, o compaction.Options) *simulator {
	return &simulator{t: t, options: o, version: &manifest.Version{}, tables: map[uint64][]entry{}, number: 1}
}

// state is what the planner is shown.
func (s *simulator) state() compaction.State {
	state := compaction.State{Version: s.version, OldestSnapshot: key.MaxSeq}
	for _, j := range s.running {
		state.Running = append(state.Running, j.plan)
	}
	if len(s.snapshots) > 0 {
		state.OldestSnapshot = s.snapshots[0]
	}
	return state
}

// flush makes a table in level 0 of the users, deletions where the kind says so.
func (s *simulator) flush(users []uint64, kind func(user uint64) key.Kind) {
	entries := make([]entry, 0, len(users))
	for _, user := range users {
		s.seq++
		entries = append(entries, entry{user, key.MakeTrailer(s.seq, kind(user))})
	}
	slices.SortFunc(entries, compareEntries)
	s.flushed += len(entries)
	s.apply(&manifest.Edit{Added: []manifest.Addition{{Level: 0, Table: s.add(entries)}}})
}

func allSets(uint64) key.Kind { return key.KindSet }

// add makes a table of sorted entries.
func (s *simulator) add(entries []entry) *manifest.Table {
	first, last := entries[0], entries[len(entries)-1]
	t := &manifest.Table{
		Number:      s.number,
		Size:        int64(len(entries)) * entrySize,
		Smallest:    key.Key{User: userKey(first.user), Trailer: first.trailer},
		Largest:     key.Key{User: userKey(last.user), Trailer: last.trailer},
		SmallestSeq: key.MaxSeq,
		Entries:     uint64(len(entries)),
	}
	for i, e := range entries {
		t.SmallestSeq = min(t.SmallestSeq, e.trailer.Seq())
		t.LargestSeq = max(t.LargestSeq, e.trailer.Seq())
		if e.trailer.Kind() == key.KindDelete {
			t.Deletions++
		}
		if i == 0 || entries[i-1].user != e.user {
			t.Keys++
		}
	}
	s.tables[t.Number] = entries
	s.number++
	return t
}

func (s *simulator) apply(e *manifest.Edit) {
	s.t.Helper()
	next, err := s.version.Apply(e)
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	s.version = next
}

// start asks for a plan and lets it run, without finishing it.
func (s *simulator) start() bool {
	plan, ok := compaction.Pick(s.state(), s.options)
	if ok {
		s.begin(plan)
	}
	return ok
}

// begin lets a plan run.
func (s *simulator) begin(plan compaction.Plan) {
	s.running = append(s.running, job{plan, s.version, slices.Clone(s.snapshots)})
}

// finish ends the i-th running plan.
func (s *simulator) finish(i int) {
	s.t.Helper()
	j := s.running[i]
	s.running = slices.Delete(s.running, i, i+1)
	if j.plan.Trivial {
		s.moves++
		s.apply(j.plan.Edit(nil))
		return
	}
	s.merges++
	s.apply(j.plan.Edit(s.merge(j)))
}

// settle runs plans one after the other until nothing is due.
func (s *simulator) settle() {
	s.t.Helper()
	for plans := 0; s.start(); plans++ {
		s.finish(0)
		if plans > 100_000 {
			s.t.Fatalf("no end of plans; the last shape %+v", compaction.Scores(s.state(), s.options))
		}
	}
}

// compact compacts a range by hand, as Manual says.
func (s *simulator) compact(lower, upper []byte) {
	s.t.Helper()
	fresh := s.number
	for level := range manifest.NumLevels {
		for from := lower; ; {
			state := s.state()
			state.Fresh = fresh
			plan, ok := compaction.Manual(state, s.options, level, from, upper)
			if !ok {
				break
			}
			s.begin(plan)
			s.finish(0)
			from = plan.After()
		}
	}
}

// merge carries a plan out by the store's own loop.
func (s *simulator) merge(j job) []*manifest.Table {
	var children []iter.Iterator
	for level, tables := range j.plan.Inputs {
		if level == 0 {
			for _, t := range tables {
				children = append(children, &walk{entries: s.tables[t.Number]})
			}
			continue
		}
		var entries []entry
		for _, t := range tables {
			entries = append(entries, s.tables[t.Number]...)
		}
		if len(entries) > 0 {
			children = append(children, &walk{entries: entries})
		}
	}
	o := merge.Options{
		Snapshots:  j.snapshots,
		Elide:      j.plan.NothingBelow(j.from),
		TableSize:  s.options.TableSize,
		MaxOverlap: s.options.MaxOverlap(),
	}
	for _, t := range j.plan.Grandparents {
		o.Below = append(o.Below, merge.Extent{Smallest: t.Smallest.User, Largest: t.Largest.User, Size: t.Size})
	}
	sink := &writer{simulator: s}
	if _, err := merge.Run(context.Background(), iter.NewMerge(children...), sink, o); err != nil {
		s.t.Fatalf("%v: %v", j.plan, err)
	}
	return sink.made
}

// get reads a user key as the store does.
func (s *simulator) get(user uint64, view key.Seq) (key.Trailer, bool) {
	c := s.version.Candidates(userKey(user))
	for p, ok := c.Next(); ok; p, ok = c.Next() {
		entries := s.tables[s.version.Table(p).Number]
		at := sort.Search(len(entries), func(i int) bool {
			return compareEntries(entries[i], entry{user, key.MakeTrailer(view, key.KindMax)}) >= 0
		})
		if at < len(entries) && entries[at].user == user {
			return entries[at].trailer, entries[at].trailer.Kind() == key.KindSet
		}
	}
	return 0, false
}

// checkAge fails the test when an older version of a key stands above a newer one.
func (s *simulator) checkAge() {
	s.t.Helper()
	above := map[uint64]key.Trailer{} // the oldest version of each key so far, from the top
	for level, t := range s.version.All() {
		entries := s.tables[t.Number]
		if !slices.IsSortedFunc(entries, compareEntries) {
			s.t.Fatalf("table %v is not sorted", t)
		}
		for _, e := range entries {
			if oldest, seen := above[e.user]; seen && oldest.Seq() <= e.trailer.Seq() {
				s.t.Fatalf("key %d: version %d stands above %d, which is in level %d, table %v:\n%v",
					e.user, oldest.Seq(), e.trailer.Seq(), level, t, s.version)
			}
			above[e.user] = e.trailer
		}
	}
}

// amplification is how many entries were written for each that came in: the flush and all compactions.
func (s *simulator) amplification() float64 { return float64(s.flushed+s.written) / float64(s.flushed) }

// writer is the merge's sink: it makes tables of the simulator.
type writer struct {
	*simulator
	work []entry
	made []*manifest.Table
}

func (w *writer) Add(k key.Key, _ []byte) error {
	w.work = append(w.work, entry{binary.BigEndian.Uint64(k.User), k.Trailer})
	return nil
}

func (w *writer) Size() int64 { return int64(len(w.work)) * entrySize }

func (w *writer) Cut(context.Context) error {
	w.written += len(w.work)
	w.made = append(w.made, w.add(w.work))
	w.work = nil
	return nil
}

// walk is an iterator over entries that only goes forward.
type walk struct {
	iter.Iterator
	entries []entry
	at      int
	user    [8]byte
}

func (w *walk) First() bool   { w.at = -1; return w.Next() }
func (w *walk) Valid() bool   { return w.at < len(w.entries) }
func (w *walk) Value() []byte { return nil }
func (w *walk) Err() error    { return nil }
func (w *walk) Close() error  { return nil }

func (w *walk) Next() bool {
	w.at++
	if w.at >= len(w.entries) {
		return false
	}
	binary.BigEndian.PutUint64(w.user[:], w.entries[w.at].user)
	return true
}

func (w *walk) Key() key.Key { return key.Key{User: w.user[:], Trailer: w.entries[w.at].trailer} }

// seeded is a source of random numbers whose seed is printed when the test fails.
func seeded(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 1))
}
