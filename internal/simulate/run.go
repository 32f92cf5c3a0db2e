package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"siftdb/compaction"
)

// Store is the store that is simulated.
type Store struct {
	// KeyBytes and ValueBytes are what a key and a value take in a table, on average, together 1 or more. A deletion
	// takes KeyBytes.
	KeyBytes, ValueBytes int64
	// MemTableWrites is how many writes a memtable holds, 1 to MostMemTable.
	MemTableWrites int
	// Options are the planner's.
	Options compaction.Options
	// Workers is how many compactions may run at once, 1 or more.
	Workers int
	// Speed is how many bytes one worker reads and writes while one byte comes in; 0: compactions take no time.
	Speed float64
	// Level0Stop is the number of tables in level 0 at which a full memtable waits; 0: it never does.
	Level0Stop int
}

// orderBits is how many binary digits a write's place in its memtable has.
const orderBits = 64 - userBits - 1

// MostMemTable is the most writes that a memtable may hold.
const MostMemTable = 1 << orderBits

// size is what an entry takes in a table.
func (c Store) size(e entry) int64 {
	if e.deleted() {
		return c.KeyBytes
	}
	return c.KeyBytes + c.ValueBytes
}

func (c Store) check() error {
	var faults []error
	if c.KeyBytes < 0 || c.ValueBytes < 0 || c.KeyBytes+c.ValueBytes < 1 {
		faults = append(faults, fmt.Errorf("siftdb: simulate: an entry of %d and %d bytes", c.KeyBytes, c.ValueBytes))
	}
	if c.MemTableWrites < 1 || c.MemTableWrites > MostMemTable {
		faults = append(faults, fmt.Errorf("siftdb: simulate: a memtable of %d writes is not 1 to %d", c.MemTableWrites,
			MostMemTable))
	}
	if c.Workers < 1 {
		faults = append(faults, fmt.Errorf("siftdb: simulate: %d workers", c.Workers))
	}
	if !(c.Speed >= 0) {
		faults = append(faults, fmt.Errorf("siftdb: simulate: a speed of %g", c.Speed))
	}
	return errors.Join(faults...)
}

// Run plays the workload in the store. It returns ctx.Err() when ctx ends first.
func Run(ctx context.Context, c Store, w Workload) (Result, error) {
	if err := errors.Join(c.check(), w.check()); err != nil {
		return Result{}, err
	}
	var r Result
	s := &run{
		store:  newStore(c, &r),
		writes: newWrites(w),
		asked:  rand.New(rand.NewPCG(w.Seed, 2)),
	}
	if err := s.play(ctx); err != nil {
		return Result{}, err
	}
	return r, nil
}

// run is one run.
type run struct {
	*store
	writes   *writes
	memtable []uint64 // its writes: entries, each with its place in the order under it
	asked    *rand.Rand
	samples  int64 // of lookups
	runs     int64 // that they had to ask
	time     float64
	waited   float64
}

func (s *run) play(ctx context.Context) error {
	for e, ok := s.writes.next(); ok; e, ok = s.writes.next() {
		s.result.Writes++
		s.result.UserBytes += s.config.size(e)
		// A deletion's bit stands lowest, so that writes of one key are in their order.
		s.memtable = append(s.memtable, e.user()<<(orderBits+1)|uint64(len(s.memtable))<<1|uint64(e&1))
		if len(s.memtable) == s.config.MemTableWrites {
			if err := s.rotate(ctx); err != nil {
				return err
			}
		}
	}
	if err := s.rotate(ctx); err != nil {
		return err
	}
	for len(s.running) > 0 {
		if err := s.next(ctx); err != nil {
			return err
		}
	}
	s.sum()
	return nil
}

// rotate flushes the memtable, after the compactions that were done while it was filled.
func (s *run) rotate(ctx context.Context) error {
	if len(s.memtable) == 0 {
		return nil
	}
	entries := s.sorted()
	s.memtable = s.memtable[:0]
	var came int64
	for _, e := range entries {
		came += s.config.size(e)
	}
	if err := s.pass(ctx, float64(came)); err != nil {
		return err
	}
	for s.config.Level0Stop > 0 && len(s.version.Levels[0]) >= s.config.Level0Stop && len(s.running) > 0 {
		s.waited -= s.time
		if err := s.next(ctx); err != nil {
			return err
		}
		s.waited += s.time
	}
	if err := s.flush(entries); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	if s.config.Speed == 0 {
		for len(s.running) > 0 {
			if err := s.next(ctx); err != nil {
				return err
			}
		}
	}
	s.look()
	return nil
}

// sorted is what a flush writes of the memtable: the newest of each key.
func (s *run) sorted() []entry {
	slices.Sort(s.memtable)
	var entries []entry
	for i, write := range s.memtable {
		user := write >> (orderBits + 1)
		if i+1 < len(s.memtable) && s.memtable[i+1]>>(orderBits+1) == user {
			continue
		}
		entries = append(entries, makeEntry(user, write&1 == 1))
	}
	return entries
}

// pass lets time go by while so many bytes come in.
func (s *run) pass(ctx context.Context, bytes float64) error {
	until := s.time + bytes
	for len(s.running) > 0 && s.time+s.soonest() <= until {
		if err := s.next(ctx); err != nil {
			return err
		}
	}
	s.advance((until - s.time) * s.config.Speed)
	s.time = until
	s.result.PeakBytes = max(s.result.PeakBytes, s.diskNow())
	return nil
}

// soonest is the time until a running job ends.
func (s *run) soonest() float64 {
	if s.config.Speed == 0 {
		return 0
	}
	left := s.running[0].left
	for _, j := range s.running {
		left = min(left, j.left)
	}
	return max(0, left) / s.config.Speed
}

// next goes on to the end of a running job, and begins what is due then.
func (s *run) next(ctx context.Context) error {
	s.time += s.soonest()
	if err := s.finish(); err != nil {
		return err
	}
	return s.start(ctx)
}

// lookups is how many lookups are made after each flush.
const lookups = 32

// look counts the tables that lookups have to ask if no filter spares them.
func (s *run) look() {
	for range lookups {
		c := s.version.Candidates(userKey(userOf(uint64(s.asked.IntN(s.writes.Keys)), s.writes.Seed)))
		n := 0
		for _, ok := c.Next(); ok; _, ok = c.Next() {
			n++
		}
		s.samples++
		s.runs += int64(n)
		s.result.MostRuns = max(s.result.MostRuns, n)
	}
}

// sum fills in what is known at the end.
func (s *run) sum() {
	r := s.result
	r.LiveBytes = int64(s.writes.live.count()) * (s.config.KeyBytes + s.config.ValueBytes)
	r.EndBytes = s.disk
	r.PeakBytes = max(r.PeakBytes, r.EndBytes)
	r.MeanRuns = float64(s.runs) / float64(max(1, s.samples))
	r.Stopped = s.waited / max(1, s.time)
	for level, tables := range s.version.Levels {
		if len(tables) > 0 {
			r.Levels = append(r.Levels, Level{Level: level, Tables: len(tables), Bytes: s.version.Bytes(level)})
		}
	}
}
