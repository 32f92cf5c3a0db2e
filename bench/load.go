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

// load puts all present keys into s, until nothing is due.
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
	b := buildOf(s, time.Since(start))
	b.Keys = w.Present()
	if c.Layout == Overlap && b.Tables != c.Tables {
		return b, fmt.Errorf("siftdb: bench: %d tables were made where %d were asked for", b.Tables, c.Tables)
	}
	return b, nil
}

// buildOf reads off what filling s has cost.
func buildOf(s *rowStore, elapsed time.Duration) Build {
	m := s.Metrics()
	b := Build{
		Elapsed:        elapsed,
		LogBytes:       m.LogBytes,
		FlushedBytes:   m.FlushedBytes,
		CompactedBytes: m.CompactionWritten,
		TableReads:     m.TableReads,
		Flushes:        m.Flushes,
		Compactions:    m.Compactions,
		Stalled:        m.StallTime,
	}
	for table := range s.Tables() {
		b.Tables++
		b.TableBytes += table.Size
	}
	return b
}

// loader puts keys in batches.
type loader struct {
	ctx        context.Context
	store      *rowStore
	workload   Workload
	progress   Progress
	batch      db.Batch
	key, value []byte
	done       int
}

// layOut puts the keys so that they lie as c.Layout says, and flushes them.
func (l *loader) layOut(c *Config) error {
	n := l.workload.Present()
	if c.Layout == Overlap {
		// Dealt out like cards, each table gets keys from the whole range.
		for table := range c.Tables {
			for i := table; i < n; i += c.Tables {
				if err := l.put(i); err != nil {
					return err
				}
			}
			if err := l.flush(); err != nil {
				return err
			}
		}
		return nil
	}
	// A memtable at a time, with nothing left due in between: so the same tables come out whatever else the machine
	// does, and rows can be compared.
	order := newPermutation(n, c.Seed^loadOrder)
	held := int64(0)
	for i := range n {
		if err := l.put(order.at(i)); err != nil {
			return err
		}
		held += int64(len(l.key)+len(l.value)) + memTablePerKey
		if held < c.MemTableSize && i < n-1 {
			continue
		}
		held = 0
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
	if err := l.store.Flush(l.ctx); err != nil {
		return err
	}
	return l.store.WaitQuiet(l.ctx)
}

// What a seed is mixed with, so that the orders it decides have nothing to do with each other.
const (
	loadOrder    = 0x6c6f6164
	absentOrder  = 0x616273
	presentOrder = 0x707265
)
