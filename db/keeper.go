package db

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"siftdb/bloom"
)

// keeper decides which filters, and how many planes of each, are in memory, and brings memory to that state in the
// background. Reads never wait for it: they ask what is there.
//
// Memory is shared out by the misses that each table serves (share.go), within two bounds: the bits per key that
// are set, over all keys of the store; and FilterMemory, which holds at every moment, with what is being loaded.
type keeper struct {
	db     *DB
	plan   bloom.Plan
	wake   chan struct{} // holds a token when something has changed
	wanted atomic.Bool   // a read has met a table whose filter is not in memory

	loads, drops, problems atomic.Int64

	// failure is the first in a round that may pass. Loads set it under mu; run reads and clears it when
	// there are none.
	failure error

	mu sync.Mutex // guards what follows
	filterTuning
	booked  ledger
	traffic map[*table]*traffic
	idle    int    // ticks since traffic was aged
	changed uint64 // counts what may ask for another share
	settled uint64 // the value of changed that memory follows
	trouble error  // why it does not follow all the way
}

// tick is how often the keeper looks at the filters and their traffic.
const tick = time.Second

func newKeeper(db *DB, o *Options) *keeper {
	return &keeper{
		db:   db,
		plan: o.FilterPlan,
		wake: make(chan struct{}, 1),
		filterTuning: filterTuning{
			policy: o.Filter,
			kind:   o.Filter,
			bits:   o.Filter.AskedBits(),
			limit:  o.FilterMemory,
		},
		booked:  newLedger(),
		traffic: make(map[*table]*traffic),
	}
}

// stir tells the keeper that something has changed.
func (k *keeper) stir() {
	k.mu.Lock()
	k.changed++
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// want is called by a read that met a table whose filter is not in memory. Before the first such read nothing is
// loaded, so that opening a store costs no more than what is asked of it.
func (k *keeper) want() {
	if !k.wanted.Load() && k.wanted.CompareAndSwap(false, true) {
		k.stir()
	}
}

// LoadFilters brings as much of the filters into memory as the settings allow, and returns when it is there. Without it
// that begins with the first read that would have had a filter to ask. A filter that is damaged is left out; see
// TableInfo.FilterProblem. Where the disk fails it returns the error; what is missing is tried again in the background.
func (db *DB) LoadFilters(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return db.unlessClosed(err)
	}
	db.keeper.wanted.Store(true)
	db.keeper.stir() // what failed before is tried again now
	return db.waitUntil(ctx, func(*view) (bool, error) { return db.keeper.quiet() })
}

// run keeps memory as it should be until ctx ends.
func (k *keeper) run(ctx context.Context) {
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
			k.balance(ctx)
		case <-ticks.C:
			k.look(ctx)
		}
	}
}

// look is what the keeper does at each tick: it checks the filters, and follows the traffic.
func (k *keeper) look(ctx context.Context) {
	k.checkFilters()
	k.ageIfIdle()
	if busy := k.lookAtTraffic(); busy && k.plan == bloom.Adaptive || k.failure != nil {
		k.balance(ctx)
	}
}

// balance brings memory to the share that tables, traffic and settings ask for: it drops first, then it loads, the
// busiest tables before the others. A change on the way ends the round; the next one follows.
func (k *keeper) balance(ctx context.Context) {
	number := k.change()
	k.failure = nil
	if !k.round(ctx, number) {
		return
	}
	if k.failure != nil {
		k.db.opts.Logger.Warn("siftdb: filters not loaded, will be tried again", "err", k.failure)
	}
	k.mu.Lock()
	k.settled, k.trouble = number, k.failure
	k.mu.Unlock()
	k.db.wake()
}

// round is one round of balance; it says whether it came to its end before anything else changed.
func (k *keeper) round(ctx context.Context, number uint64) (whole bool) {
	v := k.db.pinTables()
	if v == nil {
		return false
	}
	defer k.db.release(v, iteratorUser)
	shares := k.share(v)
	k.dropRetired()
	for _, s := range shares {
		k.shrink(s.table, s.steps)
	}
	return !k.wanted.Load() || k.load(ctx, shares, number)
}

// loaders is how many tables' filters are loaded at once: while one waits for the disk, another lays out what came.
const loaders = 4

// load loads what tables lack of their shares, up to loaders of them at once. It begins no more once anything has
// changed since number, and says whether it came to its end before that.
func (k *keeper) load(ctx context.Context, shares []share, number uint64) (whole bool) {
	loads, ctx := errgroup.WithContext(ctx)
	loads.SetLimit(loaders)
	for _, s := range shares {
		if s.table.resident.Load().steps() >= s.steps {
			continue
		}
		loads.Go(func() error {
			if k.change() != number {
				return errChanged
			}
			if ctx.Err() == nil {
				k.grow(s.table, s.steps)
			}
			return ctx.Err()
		})
	}
	return loads.Wait() == nil
}

// errChanged ends a round of loads.
var errChanged = errors.New("another share is due")

// change is the number of the last change.
func (k *keeper) change() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.changed
}

// quiet says whether memory is as it should be, or why it cannot be for now.
func (k *keeper) quiet() (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.settled != k.changed {
		return false, nil
	}
	return true, k.trouble
}

// end drops all filters, when the store has been closed.
func (k *keeper) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for t := range k.booked.by {
		t.show(nil)
	}
	k.booked = newLedger()
}
