package db

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

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

	again bool // a load failed for a reason that may pass; of the goroutine in run alone

	mu sync.Mutex // guards what follows
	filterTuning
	booked  ledger
	traffic map[*table]*traffic
	idle    int    // ticks since traffic was aged
	changed uint64 // counts what may ask for another share
	settled uint64 // the value of changed that memory follows
}

// filterTuning are what the options, and calls since, say of filters.
type filterTuning struct {
	policy bloom.Policy // for new tables
	kind   bloom.Policy // policy, or what it was before 0 bits were set
	bits   float64      // of filter a key, as an average over the store's keys
	live   bool         // bits were set since the store was opened
	limit  int64        // bytes of filters in memory; 0: none
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

// stir tells the keeper that tables or settings have changed.
func (k *keeper) stir() {
	k.mu.Lock()
	k.changed++
	k.mu.Unlock()
	k.rouse()
}

func (k *keeper) rouse() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// want is called by a read that met a table whose filter is not in memory. Before the first such read nothing is
// loaded, so that opening a store costs no more than what is asked of it.
func (k *keeper) want() {
	if k.wanted.Load() {
		return
	}
	k.mu.Lock()
	if k.wanted.CompareAndSwap(false, true) {
		k.changed++ // in one step, so that nobody finds the keeper quiet between the two
	}
	k.mu.Unlock()
	k.rouse()
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
	busy := k.lookAtTraffic() && k.plan == bloom.Adaptive && k.worthwhile()
	if busy || k.again {
		k.again = false
		k.balance(ctx)
	}
}

// balance brings memory to the share that tables, traffic and settings ask for: it drops first, then it loads, the
// busiest tables before the others. A change on the way ends the round; the next one follows.
func (k *keeper) balance(ctx context.Context) {
	number := k.change()
	if !k.round(ctx, number) {
		return
	}
	k.mu.Lock()
	k.settled = number
	k.mu.Unlock()
	k.db.wake()
}

// round is one round of balance; it says whether it came to its end before anything else changed.
func (k *keeper) round(ctx context.Context, number uint64) (whole bool) {
	v := k.db.acquire(iteratorUser)
	if v == nil {
		return false
	}
	defer k.db.release(v, iteratorUser)
	shares := k.share(v)
	k.dropRetired()
	for _, s := range shares {
		k.shrink(s.table, s.steps)
	}
	if k.wanted.Load() {
		for _, s := range shares {
			if ctx.Err() != nil || k.change() != number {
				return false
			}
			k.grow(s.table, s.steps)
		}
	}
	return true
}

// change is the number of the last change.
func (k *keeper) change() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.changed
}

// quiet says whether memory is as it should be.
func (k *keeper) quiet() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.settled == k.changed
}

// set changes the settings, and what comes into force with them.
func (k *keeper) set(change func()) {
	k.mu.Lock()
	change()
	k.wanted.Store(true)
	k.changed++
	k.mu.Unlock()
	k.rouse()
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

// policyNow is what filter new tables get.
func (k *keeper) policyNow() bloom.Policy {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.policy
}

// SetBitsPerKey sets the bits of filter per key, as an average over the keys of the store, and is in force at once:
// filters in planes follow in the background within moments, on tables written long ago too, and no table is
// rewritten. New tables are built for the new setting. Filters that are not stored in planes stay or go whole.
//
// 0 bits are no filters: those in memory are dropped, and new tables are built without, until other bits are set. What
// is not a number of bits, from 0 to 64, is an *OptionError and changes nothing.
func (db *DB) SetBitsPerKey(bits float64) error {
	if db.closed.Load() {
		return ErrClosed
	}
	policy := db.keeper.withBits(bits)
	if err := policy.Validate(); err != nil {
		return &OptionError{Option: "bits per key", Reason: err.Error(), Err: err}
	}
	db.keeper.set(func() { db.keeper.policy, db.keeper.bits, db.keeper.live = policy, bits, true })
	return nil
}

// withBits is the policy for new tables at other bits per key. Without any it is None, and the kind is kept for later.
func (k *keeper) withBits(bits float64) bloom.Policy {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.policy != bloom.None {
		k.kind = k.policy
	}
	return bloom.WithBits(k.kind, bits)
}

// LoadFilters brings as much of the filters into memory as the settings allow, and returns when it is there. Without it
// that begins with the first read that would have had a filter to ask. A filter that is damaged is left out; see
// TableInfo.FilterProblem.
func (db *DB) LoadFilters(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return db.unlessClosed(err)
	}
	db.keeper.want()
	return db.waitUntil(ctx, func(*view) (bool, error) { return db.keeper.quiet(), nil })
}

// SetFilterMemory sets the most bytes that filters may take in memory; 0: no limit. From the return on nothing is
// loaded beyond it; what is above it is dropped within moments.
func (db *DB) SetFilterMemory(bytes int64) error {
	if db.closed.Load() {
		return ErrClosed
	}
	if bytes < 0 {
		return &OptionError{Option: "FilterMemory", Reason: "a negative number of bytes"}
	}
	db.keeper.set(func() {
		db.keeper.limit = bytes
		db.keeper.withdrawBeyond(bytes)
	})
	return nil
}
