package merge

import (
	"context"

	"siftdb/internal/iter"
	"siftdb/internal/key"
)

// stride is how many entries are read between two looks at the context: some hundred microseconds.
const stride = 1000

// Sink makes tables of the entries that survive. Run calls it from one goroutine.
type Sink interface {
	// Add puts an entry into the table in work and begins a table if there is none. Entries ascend. The bytes are
	// the iterator's: valid during the call only.
	Add(k key.Key, value []byte) error
	// Size is the size so far of the table in work, in bytes.
	Size() int64
	// Cut finishes the table in work, which has at least one entry.
	Cut(ctx context.Context) error
}

// Options says what may be left out and where tables end.
type Options struct {
	// Snapshots are the sequence numbers of all views in use, ascending, each of which sees the entries up to and
	// with its number. The newest state is always kept and needs no entry. A view made while Run is at work needs
	// none either: it sees at least all that the input holds.
	Snapshots []key.Seq
	// Elide reports whether no entry of a user key lies below the output, so that a deletion has nothing left to
	// hide. It is asked with ascending keys, at most once for each; a false no costs only space. Nil: never.
	Elide func(user []byte) bool
	// TableSize is the size in bytes at which a table ends; 0 or less: one table.
	TableSize int64
	// Below are the tables of the level under the output, ascending and disjoint. A table that is half full ends
	// where one of them ends, and any table ends before it overlaps more than MaxOverlap bytes of them, so that its
	// own compaction stays small. MaxOverlap 0 or less: no limit.
	Below      []Extent
	MaxOverlap int64
}

// Extent is a table seen from outside: its user keys from Smallest to Largest, both included, and its size in
// bytes.
type Extent struct {
	Smallest, Largest []byte
	Size              int64
}

// Stats counts what a Run did.
type Stats struct {
	// EntriesIn = EntriesOut + Hidden + TombstonesDropped.
	EntriesIn, EntriesOut int64
	// Hidden counts entries that a newer one of the same key hides from every view.
	Hidden int64
	// TombstonesDropped counts deletions that had nothing left to hide, TombstonesOut those that were kept.
	TombstonesDropped, TombstonesOut int64
	// BytesIn and BytesOut are the lengths of user keys and values.
	BytesIn, BytesOut int64
	// Tables counts the tables.
	Tables int
}

// Run reads the whole of in, in its order, and gives the sink what some view may still see. It does not close in.
//
// All versions of one user key come into the same table. Memory does not grow with the input. When the context
// ends, Run returns its error after at most 1000 further entries; it returns the first error of in, of the sink or
// of the context, and the tables made till then, and the one in work, are for the caller to throw away.
func Run(ctx context.Context, in iter.Iterator, sink Sink, o Options) (Stats, error) {
	r := run{sink: sink, split: splitter{tableSize: o.TableSize, below: o.Below, limit: o.MaxOverlap}}
	r.retain = retainer{snapshots: o.Snapshots, elide: o.Elide}
	for ok := in.First(); ok; ok = in.Next() {
		if r.stats.EntriesIn%stride == 0 {
			if err := ctx.Err(); err != nil {
				return r.stats, err
			}
		}
		if err := r.entry(ctx, in.Key(), in.Value()); err != nil {
			return r.stats, err
		}
	}
	if err := in.Err(); err != nil {
		return r.stats, err
	}
	if err := ctx.Err(); err != nil {
		return r.stats, err
	}
	if err := r.settle(ctx); err != nil {
		return r.stats, err
	}
	return r.stats, r.cut(ctx)
}

// run is the state of one Run.
type run struct {
	sink   Sink
	retain retainer
	split  splitter
	open   bool // a table is in work
	begun  bool // an entry of the current user key has come out
	stats  Stats
}

// entry takes one entry of the input.
func (r *run) entry(ctx context.Context, k key.Key, value []byte) error {
	r.stats.EntriesIn++
	r.stats.BytesIn += int64(len(k.User) + len(value))
	if r.retain.isNew(k.User) {
		if err := r.settle(ctx); err != nil {
			return err
		}
		r.retain.begin(k.User)
		r.begun = false
	}
	switch r.retain.judge(k.Trailer) {
	case hidden:
		r.stats.Hidden++
		return nil
	case waits:
		return nil
	case waitsInstead:
		r.stats.Hidden++
		return nil
	}
	if t, ok := r.retain.takeTombstone(); ok {
		if err := r.out(ctx, key.Key{User: k.User, Trailer: t}, nil); err != nil {
			return err
		}
	}
	return r.out(ctx, key.Key{User: k.User, Trailer: r.retain.trailer(k.Trailer)}, value)
}

// settle ends the current user key: a deletion that still waits has nothing older after it in the input.
func (r *run) settle(ctx context.Context) error {
	t, ok := r.retain.takeTombstone()
	if !ok {
		return nil
	}
	if r.retain.nothingBelow() {
		r.stats.TombstonesDropped++
		return nil
	}
	return r.out(ctx, key.Key{User: r.retain.user, Trailer: t}, nil)
}

// out gives one entry to the sink, and ends the table before it where that is due.
func (r *run) out(ctx context.Context, k key.Key, value []byte) error {
	if !r.begun {
		r.begun = true
		if r.split.cutBefore(k.User, r.size()) {
			if err := r.cut(ctx); err != nil {
				return err
			}
		}
	}
	r.open = true
	r.stats.EntriesOut++
	r.stats.BytesOut += int64(len(k.User) + len(value))
	if k.Kind() == key.KindDelete {
		r.stats.TombstonesOut++
	}
	return r.sink.Add(k, value)
}

// size is the size of the table in work, 0 when there is none.
func (r *run) size() int64 {
	if !r.open {
		return 0
	}
	return r.sink.Size()
}

// cut ends the table in work, if there is one.
func (r *run) cut(ctx context.Context) error {
	if !r.open {
		return nil
	}
	r.open = false
	r.stats.Tables++
	return r.sink.Cut(ctx)
}
