package db

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"siftdb/bloom"
	"siftdb/compaction/merge"
	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// arrange finds a level for each table: that of the manifest, where all have one and reads are right so; else one that
// follows from what is in the tables; and where there is none, as after an accident with the manifest that left the
// inputs of a compaction beside its outputs, all tables are merged into one run.
func (r *repair) arrange(ctx context.Context) error {
	order, err := r.orderOf(ctx)
	if err != nil {
		return err
	}
	if r.levelsHold(order) {
		return nil
	}
	clear(r.levels)
	if r.place(order) && r.levelsHold(order) {
		return nil
	}
	return r.mergeAll(ctx)
}

// order is what is known of tables: for each, those that share a range of keys with it, and of these those whose
// entries are newer. Mixed says that there are two of which neither is.
type order struct {
	neighbours map[*table][]*table
	newer      map[*table][]*table
	mixed      bool
}

// orderOf compares all tables that share a range of keys.
func (r *repair) orderOf(ctx context.Context) (*order, error) {
	o := &order{neighbours: make(map[*table][]*table), newer: make(map[*table][]*table)}
	sorted := slices.SortedFunc(slices.Values(r.tables), func(a, b *table) int {
		return bytes.Compare(a.meta.Smallest.User, b.meta.Smallest.User)
	})
	for i, a := range sorted {
		for _, b := range sorted[i+1:] {
			if !a.meta.Contains(b.meta.Smallest.User) {
				break
			}
			found, err := r.db.agesOf(ctx, a, b)
			if err != nil {
				return nil, err
			}
			o.neighbours[a], o.neighbours[b] = append(o.neighbours[a], b), append(o.neighbours[b], a)
			switch found.age {
			case newer:
				o.newer[b] = append(o.newer[b], a)
			case older:
				o.newer[a] = append(o.newer[a], b)
			case mixed:
				o.mixed = true
			}
		}
	}
	return o, nil
}

// levelsHold says whether each table has a level, and reads are right with these levels.
func (r *repair) levelsHold(o *order) bool {
	if o.mixed || len(r.levels) < len(r.tables) {
		return false
	}
	version, err := (&manifest.Version{}).Apply(&manifest.Edit{Added: r.additions()})
	if err != nil {
		return false
	}
	turn := make(map[uint64]int) // in the order of a read
	for _, t := range version.All() {
		turn[t.Number] = len(turn)
	}
	for t, newer := range o.newer {
		for _, n := range newer {
			if turn[n.meta.Number] > turn[t.meta.Number] {
				return false
			}
		}
	}
	return true
}

// additions are the tables with their levels.
func (r *repair) additions() []manifest.Addition {
	var added []manifest.Addition
	for _, t := range r.tables {
		added = append(added, manifest.Addition{Level: r.levels[t], Table: t.meta})
	}
	return added
}

// place puts the tables into levels, each as deep as it can be, a table after all that are older: above all of them
// that share a range of keys with it. Those for which there is no level left go to level 0. It says false when the ages
// go round in circles.
func (r *repair) place(o *order) bool {
	waits := make(map[*table]int) // the number of older tables that have no level yet
	for _, newer := range o.newer {
		for _, n := range newer {
			waits[n]++
		}
	}
	var ready []*table
	for _, t := range r.tables {
		if waits[t] == 0 {
			ready = append(ready, t)
		}
	}
	byAge := func(a, b *table) int {
		return cmp.Or(cmp.Compare(a.meta.LargestSeq, b.meta.LargestSeq), cmp.Compare(a.meta.Number, b.meta.Number))
	}
	for len(ready) > 0 {
		slices.SortFunc(ready, byAge)
		t := ready[0]
		ready = ready[1:]
		level := manifest.NumLevels - 1
		for _, other := range o.neighbours[t] {
			if below, placed := r.levels[other]; placed {
				level = min(level, below-1)
			}
		}
		r.levels[t] = max(0, level)
		for _, n := range o.newer[t] {
			if waits[n]--; waits[n] == 0 {
				ready = append(ready, n)
			}
		}
	}
	return len(r.levels) == len(r.tables)
}

// mergeAll writes the newest entry of each key to new tables in the last level. Deletions stay, and so do sequence
// numbers, for whoever looks at the files.
func (r *repair) mergeAll(ctx context.Context) error {
	slices.SortFunc(r.tables, func(a, b *table) int { return cmp.Compare(b.meta.Number, a.meta.Number) })
	var tables sources
	for _, t := range r.tables {
		if err := tables.addTable(r.db, t, &sstable.Access{Mode: sstable.SkipCache}); err != nil {
			return err
		}
	}
	in := tables.merged()
	defer in.Close()
	last := manifest.NumLevels - 1
	b := r.db.newBuilder(bloom.Place{Level: last, Bottommost: true, Reason: bloom.ReasonCompaction})
	for _, t := range r.tables {
		b.replaces = append(b.replaces, t.meta.Number)
	}
	built, err := b.merge(ctx, in, merge.Options{TableSize: r.db.opts.TableSize})
	if err != nil {
		return err
	}
	for _, c := range r.relics {
		if out := &r.report.Tables[c.report]; out.Fate == TableKept {
			out.Fate, out.Problem = TableRewritten, cmp.Or(out.Problem, errMerged)
		}
	}
	r.forget()
	r.db.discard(r.built)
	r.tables, r.built = nil, built
	clear(r.levels)
	for _, meta := range built {
		r.take(meta, last)
	}
	return nil
}

// errMerged is why a sound table was rewritten.
var errMerged = errors.New("siftdb: no order of the tables reads right, all were merged")
