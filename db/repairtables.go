package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// relic is a table that belongs to the store, or what is left of it.
type relic struct {
	number uint64
	level  int             // -1: not known
	meta   *manifest.Table // nil: nobody says what is in it
	state  relicState
	report int // its place in the report

	replaces []uint64 // numbers of the tables that it was made of
	part     uint64   // its place among those that were made with it
}

// relicState says how much of a table can be used.
type relicState uint8

const (
	relicSound    relicState = iota
	relicUnsifted            // but for its filter
	relicDamaged             // perhaps some blocks
	relicMissing
)

// inspectTables reads each table that may belong to the store.
func (r *repair) inspectTables(ctx context.Context) error {
	numbers := numbersOf(r.names, manifest.ParseTableName)
	if r.witness != nil {
		for number := range r.witness.Tables {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	for _, number := range slices.Compact(numbers) {
		if err := r.inspect(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

// inspect reads one table and notes what is wrong with it.
func (r *repair) inspect(ctx context.Context, number uint64) error {
	out := RepairedTable{File: manifest.TableName(number)}
	c := &relic{number: number, level: -1, report: len(r.report.Tables)}
	if r.witness != nil {
		named, is := r.witness.Tables[number]
		if !is && (r.whole || r.witness.Removed[number]) {
			out.Fate, out.Problem = TableUnneeded, fmt.Errorf("siftdb: %s does not name it", r.report.Manifest)
			r.report.Tables = append(r.report.Tables, out)
			return nil
		}
		if is {
			c.level, c.meta = named.Level, named.Table
		}
	}
	problem, err := r.look(ctx, c)
	if err != nil {
		return err
	}
	out.Problem = problem
	if c.state == relicSound {
		out.Entries = c.meta.Entries
	}
	r.report.Tables = append(r.report.Tables, out)
	r.relics = append(r.relics, c)
	return nil
}

// look reads the file of c, checks it, and holds it against what the manifest says. A problem is damage; an error that
// is none ends the repair.
func (r *repair) look(ctx context.Context, c *relic) (problem, err error) {
	name := r.db.tables.path(c.number)
	if _, there := slices.BinarySearch(r.names, filepath.Base(name)); !there {
		c.state = relicMissing
		return missingTable(name), nil
	}
	err = r.withFile(name, func(f File, size int64) error {
		table, err := sstable.Open(f, size, sstable.ReaderOptions{Name: name, ID: c.number})
		if err != nil {
			return err
		}
		verified := table.Verify(ctx)
		filterOnly := table.InFilter(verified)
		if verified != nil && !filterOnly && !errors.Is(verified, bloom.ErrUnknown) {
			return verified
		}
		if problem = r.adopt(c, table); problem == nil && filterOnly {
			c.state, problem = relicUnsifted, verified
		}
		return nil
	})
	if errors.Is(err, ErrCorrupt) {
		c.state = relicDamaged
		return err, nil
	}
	return problem, err
}

// withFile calls fn with an open file.
func (r *repair) withFile(name string, fn func(f File, size int64) error) error {
	f, err := r.db.fs.Open(name)
	if err != nil {
		return fmt.Errorf("siftdb: opening a table: %w", err)
	}
	info, err := f.Stat()
	if err == nil {
		err = fn(f, info.Size())
	}
	return errors.Join(err, f.Close())
}

// adopt makes the properties of a sound table what is known of it, unless the manifest says the same. If the manifest
// says something else the file is another table under this name; it is taken as what it is, wherever it fits.
func (r *repair) adopt(c *relic, table *sstable.Reader) error {
	p := table.Properties()
	is := tableOf(c.number, manifest.OriginRecovery, p)
	c.replaces, c.part = p.Replaces, p.Part
	if c.meta != nil {
		is.FilterRate, is.FilterPlanes, is.Origin = c.meta.FilterRate, c.meta.FilterPlanes, c.meta.Origin
		if c.meta.Equal(is) {
			return nil
		}
	}
	is.FilterRate, is.FilterPlanes = 0, 0
	if filter, err := table.LoadFilter(); err == nil && filter != nil {
		is.FilterRate, is.FilterPlanes = filter.ExpectedRate(), 1
		if e, ok := filter.(*bloom.Elastic); ok {
			is.FilterPlanes = e.Planes()
		}
	}
	known := c.meta
	c.level, c.meta = -1, is
	if known != nil {
		return corrupt.New(r.db.tables.path(c.number), -1, "the manifest says %v, the table's properties say %v",
			known, is)
	}
	return nil
}

// rebuildTables keeps the tables that are sound, and writes anew what can be read of the others.
func (r *repair) rebuildTables(ctx context.Context) error {
	r.levels = make(map[*table]int)
	for _, c := range r.relics {
		out := &r.report.Tables[c.report]
		var built []*manifest.Table
		var err error
		switch {
		case c.meta != nil && c.meta.Entries == 0 && c.state != relicDamaged:
			out.Fate = TableUnneeded
			continue
		case c.state == relicSound:
			r.take(c.meta, c.level)
			continue
		case c.state == relicMissing && !r.whole:
			out.Fate = TableGone
			continue
		case c.state == relicMissing:
			out.Fate, out.Lost = TableLost, []Range{lostRange(c, sstable.Gap{})}
			continue
		case c.state == relicUnsifted:
			built, err = r.copied(ctx, c, out)
		default:
			built, err = r.salvaged(ctx, c, out)
		}
		r.built = append(r.built, built...)
		if err != nil {
			return err
		}
		for _, meta := range built {
			r.take(meta, c.level)
		}
	}
	return nil
}

// place is what the filter of a table that is written anew is made for.
func (c *relic) place() bloom.Place {
	level := c.level
	if level < 0 {
		level = manifest.NumLevels - 1
	}
	return bloom.Place{Level: level, Reason: bloom.ReasonRebuild}
}

// copied writes a table whose filter is damaged anew.
func (r *repair) copied(ctx context.Context, c *relic, out *RepairedTable) (built []*manifest.Table, err error) {
	name := r.db.tables.path(c.number)
	err = r.withFile(name, func(f File, size int64) error {
		table, err := sstable.Open(f, size, sstable.ReaderOptions{Name: name, ID: c.number})
		if err == nil {
			built, err = r.db.newBuilder(c.place()).copy(ctx, table)
		}
		return err
	})
	out.Fate, out.Entries = TableRewritten, c.meta.Entries
	return built, err
}

// salvaged writes what can be read of a damaged table to a new one.
func (r *repair) salvaged(ctx context.Context, c *relic, out *RepairedTable) (built []*manifest.Table, err error) {
	name := r.db.tables.path(c.number)
	b := r.db.newBuilder(c.place())
	var found sstable.Salvaged
	err = r.withFile(name, func(f File, size int64) error {
		found, err = sstable.Salvage(ctx, f, size, name, func(k key.Key, value []byte) error { return b.Add(k, value) })
		return err
	})
	if err == nil {
		err = b.Cut(ctx)
	}
	if err != nil {
		b.abandon()
		return nil, err
	}
	out.Entries = found.Entries
	for _, gap := range found.Gaps {
		out.Lost = append(out.Lost, lostRange(c, gap))
	}
	switch {
	case len(found.Gaps) == 0:
		out.Fate = TableRewritten
	case found.Entries > 0:
		out.Fate = TableSalvaged
	default:
		out.Fate = TableLost
	}
	return b.finish()
}

// lostRange are the keys that a gap in a table may have held.
func lostRange(c *relic, gap sstable.Gap) Range {
	lower, upper := gap.After, gap.Before
	if lower == nil && c.meta != nil {
		lower = slices.Clone(c.meta.Smallest.User)
	}
	if upper == nil && c.meta != nil {
		upper = slices.Clone(c.meta.Largest.User)
	}
	if upper != nil {
		upper = append(upper, 0) // the first key after it
	}
	return Range{Lower: lower, Upper: upper}
}
