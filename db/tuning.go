package db

import "siftdb/bloom"

// filterTuning are what the options, and calls since, say of filters.
type filterTuning struct {
	policy bloom.Policy // for new tables
	kind   bloom.Policy // policy, or what it was before 0 bits were set
	bits   float64      // of filter a key, as an average over the store's keys
	live   bool         // bits were set since the store was opened
	limit  int64        // bytes of filters in memory; 0: none
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
	if err := checkPolicy("bits per key", policy); err != nil {
		return err
	}
	db.keeper.set(func() { db.keeper.policy, db.keeper.bits, db.keeper.live = policy, bits, true })
	return nil
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

// set changes the settings, and what comes into force with them.
func (k *keeper) set(change func()) {
	k.mu.Lock()
	change()
	k.mu.Unlock()
	k.wanted.Store(true)
	k.stir()
}

// policyNow is what filter new tables get.
func (k *keeper) policyNow() bloom.Policy {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.policy
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
