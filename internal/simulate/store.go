package simulate

import (
	"context"
	"encoding/binary"
	"slices"

	"siftdb/compaction"
	"siftdb/compaction/merge"
	"siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
)

// store is a store without a disk: its tables are lists of entries.
type store struct {
	config  Store
	version *manifest.Version
	tables  map[uint64][]entry
	number  uint64  // of the next table
	flushes key.Seq // so far; the sequence number of all that the next brings
	running []job
	disk    int64 // bytes of all tables and of what running jobs have written
	result  *Result
}

// job is a plan that is being carried out. What comes of it is known from the beginning; it is there when the work is
// done.
type job struct {
	plan compaction.Plan
	made []*manifest.Table
	left float64 // bytes still to read and write
	work float64 // bytes in all
}

func newStore(c Store, r *Result) *store {
	return &store{config: c, version: &manifest.Version{}, tables: make(map[uint64][]entry), number: 1, result: r}
}

// state is what the planner is shown.
func (s *store) state() compaction.State {
	state := compaction.State{Version: s.version, OldestSnapshot: key.MaxSeq}
	for _, j := range s.running {
		state.Running = append(state.Running, j.plan)
	}
	return state
}

// flush makes a table in level 0 of entries, sorted and each of another key.
func (s *store) flush(entries []entry) error {
	s.flushes++
	t := s.add(entries, s.flushes, s.flushes)
	s.result.Flushes++
	s.result.FlushedBytes += t.Size
	s.disk += t.Size
	return s.apply(&manifest.Edit{Added: []manifest.Addition{{Level: 0, Table: t}}})
}

// add makes a table of sorted entries.
func (s *store) add(entries []entry, smallest, largest key.Seq) *manifest.Table {
	t := &manifest.Table{
		Number:      s.number,
		Smallest:    key.Make(userKey(entries[0].user()), largest, key.KindSet),
		Largest:     key.Make(userKey(entries[len(entries)-1].user()), smallest, key.KindSet),
		SmallestSeq: smallest,
		LargestSeq:  largest,
		Entries:     uint64(len(entries)),
		Keys:        uint64(len(entries)),
	}
	for _, e := range entries {
		t.Size += s.config.size(e)
		if e.deleted() {
			t.Deletions++
		}
	}
	s.tables[t.Number] = entries
	s.number++
	return t
}

func (s *store) apply(e *manifest.Edit) error {
	next, err := s.version.Apply(e)
	if err != nil {
		return err
	}
	s.version = next
	for _, r := range e.Removed {
		if !slices.ContainsFunc(e.Added, func(a manifest.Addition) bool { return a.Table.Number == r.Number }) {
			delete(s.tables, r.Number)
		}
	}
	return nil
}

// start begins all that is due and has a worker.
func (s *store) start(ctx context.Context) error {
	for len(s.running) < s.config.Workers {
		plan, ok := compaction.Pick(s.state(), s.config.Options)
		if !ok {
			return nil
		}
		if plan.Trivial {
			s.result.Moves++
			if err := s.apply(plan.Edit(nil)); err != nil {
				return err
			}
			continue
		}
		made, err := s.merge(ctx, plan)
		if err != nil {
			return err
		}
		work := float64(plan.Bytes() + sizeOf(made))
		s.running = append(s.running, job{plan, made, work, work})
	}
	return ctx.Err()
}

// finish ends the running job that is done first.
func (s *store) finish() error {
	first := 0
	for i, j := range s.running {
		if j.left < s.running[first].left {
			first = i
		}
	}
	j := s.running[first]
	s.advance(j.left)
	s.running = slices.Delete(s.running, first, first+1)
	written := sizeOf(j.made)
	s.result.Merges++
	s.result.CompactedBytes += written
	s.disk += written
	s.result.PeakBytes = max(s.result.PeakBytes, s.diskNow())
	s.disk -= j.plan.Bytes()
	return s.apply(j.plan.Edit(j.made))
}

// advance lets running jobs read and write so many bytes each.
func (s *store) advance(bytes float64) {
	for i := range s.running {
		s.running[i].left -= bytes
	}
}

// diskNow is the size of all tables, those included that jobs have begun.
func (s *store) diskNow() int64 {
	sum := float64(s.disk)
	for _, j := range s.running {
		sum += float64(sizeOf(j.made)) * (1 - max(0, j.left)/max(1, j.work))
	}
	return int64(sum)
}

// merge works out what comes of a plan, by the store's own loop.
func (s *store) merge(ctx context.Context, plan compaction.Plan) ([]*manifest.Table, error) {
	out := &sink{store: s, smallest: key.MaxSeq}
	var runs [][]entry // newest first
	for level, tables := range plan.Inputs {
		var run []entry
		for _, t := range tables {
			out.smallest, out.largest = min(out.smallest, t.SmallestSeq), max(out.largest, t.LargestSeq)
			if level == 0 {
				runs = append(runs, s.tables[t.Number])
				continue
			}
			run = append(run, s.tables[t.Number]...)
		}
		if len(run) > 0 {
			runs = append(runs, run)
		}
	}
	var children []iter.Iterator
	for i, run := range runs {
		children = append(children, &cursor{entries: run, age: key.Seq(len(runs) - i)})
	}
	o := merge.Options{
		Elide:      plan.NothingBelow(s.version),
		TableSize:  s.config.Options.TableSize,
		MaxOverlap: s.config.Options.MaxOverlap(),
	}
	for _, t := range plan.Grandparents {
		o.Below = append(o.Below, merge.Extent{Smallest: t.Smallest.User, Largest: t.Largest.User, Size: t.Size})
	}
	_, err := merge.Run(ctx, iter.NewMerge(children...), out, o)
	return out.made, err
}

func sizeOf(tables []*manifest.Table) (sum int64) {
	for _, t := range tables {
		sum += t.Size
	}
	return sum
}

// sink makes tables of what a merge gives it.
type sink struct {
	*store
	smallest, largest key.Seq
	work              []entry
	size              int64
	made              []*manifest.Table
}

// Add implements merge.Sink.
func (w *sink) Add(k key.Key, _ []byte) error {
	e := makeEntry(binary.BigEndian.Uint64(k.User), k.Kind() == key.KindDelete)
	w.work = append(w.work, e)
	w.size += w.config.size(e)
	return nil
}

// Size implements merge.Sink.
func (w *sink) Size() int64 { return w.size }

// Cut implements merge.Sink.
func (w *sink) Cut(context.Context) error {
	w.made = append(w.made, w.add(slices.Clone(w.work), w.smallest, w.largest))
	w.work, w.size = w.work[:0], 0
	return nil
}
