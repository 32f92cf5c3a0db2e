package bench

import (
	"context"
	"fmt"
	"time"

	"siftdb/db"
)

// LiveChange is a change of bits per key while the store is being read.
type LiveChange struct {
	From Bits `json:"from"`
	To   Bits `json:"to"`
	// Took is the time from the call of SetBitsPerKey until what is in memory was 95 to 100 % of Budget, the bytes that
	// the new setting comes to. Bytes is what it was in the end.
	Took   time.Duration `json:"took_ns"`
	Budget int64         `json:"budget_bytes"`
	Bytes  int64         `json:"bytes"`
	// Course is how what is in memory went from the old budget to the new one.
	Course []LiveMoment `json:"course"`
	// FilesWritten counts the table files that were made for it, FilterReads the reads of filters. OtherReads are the
	// reads of table files that were neither those nor the lookups' own: data blocks, if the change needed any.
	FilesWritten int64 `json:"files_written"`
	FilterReads  int64 `json:"filter_reads"`
	OtherReads   int64 `json:"other_reads"`
	// During are the lookups of absent keys that were made meanwhile, with their times.
	During Phase `json:"during"`
	// Before and After are lookups of absent keys on either side of it. Their theory is block reads for nothing, a
	// lookup, by the planes that were in memory.
	Before       Phase   `json:"before"`
	After        Phase   `json:"after"`
	BeforeTheory float64 `json:"before_theory"`
	AfterTheory  float64 `json:"after_theory"`
}

// LiveMoment is what the filters took in memory, in bytes, at a time after the change was asked for.
type LiveMoment struct {
	After time.Duration `json:"after_ns"`
	Bytes int64         `json:"bytes"`
}

// live makes a store and changes its bits per key.
func (r *run) live(ctx context.Context) error {
	c := r.config
	m := r.measurement(Setting{c.Live[0], c.Plans[0], c.Families[0]})
	return m.with(ctx, r.result, func(store *rowStore) error {
		if _, err := m.fill(ctx, store); err != nil {
			return err
		}
		if err := store.warm(ctx); err != nil {
			return err
		}
		l := &liveRun{rowRun: m, store: store, absent: absentKeys(c, r.workload)}
		// The store builds its filters for the first bits; from here on they are set.
		if err := l.set(ctx, c.Live[0]); err != nil {
			return err
		}
		before, err := l.measure(ctx, c.Live[0])
		if err != nil {
			return err
		}
		for i := 1; i < len(c.Live); i++ {
			change, err := l.change(ctx, c.Live[i-1], c.Live[i])
			if err != nil {
				return err
			}
			after, err := l.measure(ctx, c.Live[i])
			if err != nil {
				return err
			}
			change.Before, change.BeforeTheory = before.result(), before.wasteByTheory()
			change.After, change.AfterTheory = after.result(), after.wasteByTheory()
			before = after
			r.result.Live = append(r.result.Live, change)
		}
		return nil
	})
}

// liveRun is a store whose bits per key change.
type liveRun struct {
	*rowRun
	store  *rowStore
	absent kind
}

// set changes the bits per key, and waits until that is done.
func (l *liveRun) set(ctx context.Context, bits Bits) error {
	if err := l.store.SetBitsPerKey(float64(bits)); err != nil {
		return err
	}
	return l.store.WaitQuiet(ctx)
}

// measure looks absent keys up.
func (l *liveRun) measure(ctx context.Context, bits Bits) (*tally, error) {
	m := l.meter(l.store)
	m.row = "live, bits " + bits.String() + ", "
	t := newTally()
	return t, m.phase(ctx, l.absent, l.config.phaseLookups(bits, l.absent), t)
}

// How close to the new budget is there, how often that is looked at, and for how long. The store lets filters that
// cannot be divided be a little larger than their part.
const (
	closeEnough = 0.95
	littleMore  = 1.02
	lookAgain   = 200 * time.Microsecond
	lookNoMore  = 20 * time.Second
)

// change changes the bits per key while keys are looked up.
func (l *liveRun) change(ctx context.Context, from, to Bits) (LiveChange, error) {
	before := l.store.Metrics()
	created := l.store.device.created.Load()
	change := LiveChange{From: from, To: to, Budget: int64(float64(to) * float64(before.Filter.Keys) / 8)}
	change.note(0, before.FilterBytes)
	beside := l.lookBeside(ctx)
	start := time.Now()
	err := l.store.SetBitsPerKey(float64(to))
	if err == nil {
		err = l.await(ctx, start, &change)
	}
	change.Took = time.Since(start)
	if err == nil {
		err = l.store.WaitQuiet(ctx)
	}
	blocks, besideErr := beside.end()
	if err == nil {
		err = besideErr
	}
	during := l.store.Metrics().Sub(before)
	beside.tally.count(during)
	change.During = beside.tally.result()
	change.Bytes = during.FilterBytes
	change.note(time.Since(start), change.Bytes)
	change.FilesWritten = l.store.device.created.Load() - created
	change.FilterReads = during.FilterLoads
	change.OtherReads = during.TableReads - during.WarmUpReads - during.FilterLoads - blocks
	return change, err
}

// note adds what is in memory to the course, if it has changed.
func (c *LiveChange) note(after time.Duration, bytes int64) {
	if n := len(c.Course); n == 0 || c.Course[n-1].Bytes != bytes {
		c.Course = append(c.Course, LiveMoment{after, bytes})
	}
}

// await waits until as much of the filters is in memory as the change asks for.
func (l *liveRun) await(ctx context.Context, start time.Time, change *LiveChange) error {
	for ; ; time.Sleep(lookAgain) {
		bytes := l.store.Metrics().FilterBytes
		change.note(time.Since(start), bytes)
		if share := float64(bytes) / float64(change.Budget); share >= closeEnough && share <= littleMore {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Since(start) > lookNoMore {
			return fmt.Errorf("siftdb: bench: %d bytes of filters are in memory %v after bits per key were set to %s, "+
				"not 95 to 100 %% of %d; most of the tables have filters that cannot be divided, "+
				"or were made for fewer bits",
				bytes, lookNoMore, change.To, change.Budget)
		}
	}
}

// besideLookups looks absent keys up beside something else.
type besideLookups struct {
	tally *tally
	stop  context.CancelFunc
	done  chan struct{}
	trace db.Trace // of all of them
	err   error
}

// lookBeside looks absent keys up until end is called.
func (l *liveRun) lookBeside(ctx context.Context) *besideLookups {
	ctx, cancel := context.WithCancel(ctx)
	b := &besideLookups{tally: newTally(), stop: cancel, done: make(chan struct{})}
	go func() {
		defer close(b.done)
		var key []byte
		for i := 0; ctx.Err() == nil && b.err == nil; i++ {
			number := l.absent.order.at(i % l.absent.most)
			key = l.absent.key(key[:0], number)
			b.trace.Steps = b.trace.Steps[:0]
			start := time.Now()
			value, err := l.store.Get(key, db.TraceTo(&b.trace))
			b.tally.record(time.Since(start))
			b.err = l.absent.check(number, value, err)
		}
	}()
	return b
}

// end stops the lookups, and says how many blocks they read.
func (b *besideLookups) end() (blocks int64, err error) {
	b.stop()
	<-b.done
	return int64(b.trace.BlocksRead), b.err
}
