package cmd

import (
	"context"
	"errors"

	"siftdb/db"
	"siftdb/internal/forecast"
)

// lookups are keys to look up, more than once in the same order. They are held in memory.
type lookups struct {
	bytes []byte
	ends  []int
}

func (l *lookups) add(key []byte) {
	l.bytes = append(l.bytes, key...)
	l.ends = append(l.ends, len(l.bytes))
}

func (l *lookups) len() int { return len(l.ends) }

func (l *lookups) key(i int) []byte {
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.bytes[start:l.ends[i]]
}

// tally is what became of lookups.
type tally struct {
	found, missing int64
	// vain has, for each table by its file, how many of them came to it and did not find their key there: of those that
	// found it elsewhere, and of those that did not.
	vain map[string]*vainLookups
	// searched is how often a table was searched for nothing.
	searched int64
	// warm is what the later half of the lookups did, which find the block cache filled by the first.
	warm struct {
		lookups, blocks        int64 // blocks that were read from files
		searched, vainFromFile int64 // searches for nothing, and those of them that read from files
	}
}

type vainLookups struct{ present, absent int64 }

// run looks all keys up in the store.
func (l *lookups) run(ctx context.Context, store *db.DB) (*tally, error) {
	t := &tally{vain: make(map[string]*vainLookups)}
	var trace db.Trace
	for i := range l.len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		trace = db.Trace{Steps: trace.Steps[:0]}
		err := store.GetFunc(l.key(i), func([]byte) error { return nil }, db.TraceTo(&trace))
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return nil, err
		}
		t.add(lookup{trace: &trace, found: err == nil, warm: i >= l.len()/2})
	}
	return t, nil
}

// lookup is what became of one key.
type lookup struct {
	trace *db.Trace
	found bool
	warm  bool // it came when the block cache was filled
}

// add counts one lookup.
func (t *tally) add(l lookup) {
	if l.found {
		t.found++
	} else {
		t.missing++
	}
	if l.warm {
		t.warm.lookups++
		t.warm.blocks += int64(l.trace.BlocksRead)
	}
	for _, step := range l.trace.Steps {
		inVain := step.Outcome == db.StepAbsent || step.Outcome == db.StepFalsePass
		if step.Level < 0 || !inVain && step.Outcome != db.StepFilterSkip {
			continue
		}
		of := t.vain[step.Table]
		if of == nil {
			of = &vainLookups{}
			t.vain[step.Table] = of
		}
		if l.found {
			of.present++
		} else {
			of.absent++
		}
		if inVain {
			t.searched++
		}
		if inVain && l.warm {
			t.warm.searched++
			t.warm.vainFromFile += int64(min(1, step.BlocksRead))
		}
	}
}

// lookups is how many there were.
func (t *tally) lookups() int64 { return t.found + t.missing }

// spread puts the misses that were counted into the parts of a store, of which each is one of tables.
func (t *tally) spread(s *forecast.Store, tables []db.TableInfo) {
	s.Found = part(t.found, t.lookups())
	for i, table := range tables {
		of := t.vain[table.File]
		if of == nil {
			of = &vainLookups{}
		}
		s.Parts[i].Absent = part(of.absent, t.missing)
		s.Parts[i].Present = part(of.present, t.found)
	}
}

// fromFile is the share of searches for nothing that read from a file, when the block cache is warm; 1 where nothing
// was searched for nothing.
func (t *tally) fromFile() float64 {
	if t.warm.searched == 0 {
		return 1
	}
	return part(t.warm.vainFromFile, t.warm.searched)
}

// part is a quotient, and 0 of nothing.
func part(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
