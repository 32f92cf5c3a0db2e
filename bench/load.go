package bench

import (
	"context"
	"fmt"
	"time"

	"siftdb/db"
)

// loadBatch is how many keys are put at once.
const loadBatch = 1000

// memTablePerKey is more than what a memtable takes for a key beside its bytes and its value's: a memtable that is
// reckoned with it is flushed when this package says, never before.
const memTablePerKey = 160

// load puts all present keys into s, until nothing is due; not for the Levels layout.
func load(ctx context.Context, s *rowStore, w Workload, c *Config, row string, p Progress) (Build, error) {
	l := &loader{ctx: ctx, store: s, workload: w, progress: p}
	start := time.Now()
	p.Begin(row+"load", w.Present())
	err := l.layOut(c)
	p.At(l.done)
	p.End()
	if err != nil {
		return Build{}, err
	}
	var b Build
	b.add(s, time.Since(start))
	if c.Layout == Overlap && b.Tables != c.Tables {
		return b, fmt.Errorf("siftdb: bench: %d tables were made where %d were asked for", b.Tables, c.Tables)
	}
	return b, nil
}

// add adds what filling s has cost since it was opened, and notes what it holds.
func (b *Build) add(s *rowStore, elapsed time.Duration) {
	m := s.Metrics()
	b.Elapsed += elapsed
	b.LogBytes += m.LogBytes
	b.FlushedBytes += m.FlushedBytes
	b.CompactedBytes += m.CompactionWritten
	b.TableReads += m.TableReads
	b.Flushes += m.Flushes
	b.Compactions += m.Compactions
	b.Stalled += m.StallTime
	b.FiltersRebuilt += m.FiltersRebuilt
	b.Keys, b.Tables, b.TableBytes = 0, 0, 0
	for table := range s.Tables() {
		b.Keys += int(table.Keys)
		b.Tables++
		b.TableBytes += table.Size
	}
}

// rebuild gives the tables of s the filters of a setting, as far as they have others.
func rebuild(ctx context.Context, s *rowStore, setting Setting) (Build, error) {
	start := time.Now()
	if err := s.RebuildFilters(ctx, setting.Policy()); err != nil {
		return Build{}, err
	}
	if err := s.WaitQuiet(ctx); err != nil {
		return Build{}, err
	}
	var b Build
	b.add(s, time.Since(start))
	return b, nil
}

// loader puts keys in batches.
type loader struct {
	ctx        context.Context
	store      *rowStore
	workload   Workload
	progress   Progress
	batch      db.Batch
	key, value []byte
	held       int64 // bytes put since the last flush, as a memtable takes them at most
	done       int
}

// layOut puts the keys so that they lie as c.Layout says, and flushes them.
func (l *loader) layOut(c *Config) error {
	n := l.workload.Present()
	if c.Layout == Overlap {
		return l.deal(n, func(i int) int { return i }, c.Tables)
	}
	// A memtable at a time, with nothing left due in between: so the same tables come out whatever else the machine
	// does, and rows can be compared.
	order := newPermutation(n, c.Seed^loadOrder)
	for i := range n {
		if err := l.put(order.at(i)); err != nil {
			return err
		}
		if l.held < c.MemTableSize && i < n-1 {
			continue
		}
		if err := l.flush(); err != nil {
			return err
		}
	}
	return nil
}

// deal puts n keys, which ascend, like cards into so many tables, each of which has keys from the whole range.
func (l *loader) deal(n int, key func(i int) int, tables int) error {
	for table := range tables {
		for i := table; i < n; i += tables {
			if err := l.put(key(i)); err != nil {
				return err
			}
		}
		if err := l.flush(); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) put(i int) error {
	l.key = l.workload.AppendKey(l.key[:0], i)
	l.value = l.workload.AppendValue(l.value[:0], i)
	l.batch.Put(l.key, l.value)
	l.held += int64(len(l.key)+len(l.value)) + memTablePerKey
	if l.batch.Len() < loadBatch {
		return nil
	}
	return l.apply()
}

func (l *loader) apply() error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if err := l.store.Apply(&l.batch, db.NoSync); err != nil {
		return err
	}
	l.done += l.batch.Len()
	l.progress.At(l.done)
	l.batch.Reset()
	return nil
}

// flush makes a table of what was put, and waits until nothing is due.
func (l *loader) flush() error {
	if err := l.apply(); err != nil {
		return err
	}
	l.held = 0
	if err := l.store.Flush(l.ctx); err != nil {
		return err
	}
	return l.store.WaitQuiet(l.ctx)
}

// What a seed is mixed with, so that the orders it decides have nothing to do with each other.
const (
	loadOrder    = 0x6c6f6164
	levelOrder   = 0x6c6576
	rangeOrder   = 0x72616e6765
	absentOrder  = 0x616273
	presentOrder = 0x707265
)
