package db

import "siftdb/bloom"

// youngPlace is the place of a table of level 0 that is about to be built, of so many keys or fewer.
func (db *DB) youngPlace(reason bloom.Reason, keys int) bloom.Place {
	place := bloom.Place{Level: 0, Reason: reason}
	if v := db.acquire(iteratorUser); v != nil {
		place.Bits = db.keeper.youngBits(v, keys)
		db.release(v, iteratorUser)
	}
	return place
}

// youngBits is the bits per key that the plan has for a table of so many keys that comes into level 0 of v. Its filter
// cannot be divided, so that its size has to be right when it is built. What is in memory now does not count, only what
// the settings would have there: the same tables and traffic give the same bits.
func (k *keeper) youngBits(v *view, keys int) float64 {
	if k.plan == bloom.Uniform {
		return 0
	}
	shares := k.misses(v)
	demands := demandsOf(shares, (*table).steps)
	return bloom.YoungBits(k.policyNow(), uint64(keys), busiest(v, shares), demands, k.memoryFor(shares, keys))
}

// busiest is the misses of the run of v that has most. A table that a flush makes will be asked as often, see inherit.
func busiest(v *view, shares []share) (most float64) {
	first := 0
	for run := range v.runs() {
		misses := 0.0
		for _, s := range shares[first : first+len(run)] {
			misses += s.misses
		}
		most = max(most, misses)
		first += len(run)
	}
	return most
}
