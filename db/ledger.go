package db

import "math"

// ledger books the memory of filters. The keeper's mutex guards it.
type ledger struct {
	total   int64                    // bytes: of tables, and of what is offered
	by      map[*table]int64         // bytes of each table's filter, in memory or being loaded
	offers  map[uint64]*loadedFilter // of tables that are built and not in the store yet, by their numbers
	offered int64                    // bytes of offers
}

func newLedger() ledger {
	return ledger{by: make(map[*table]int64), offers: make(map[uint64]*loadedFilter)}
}

// room is what the limit leaves, in bytes; 0 is no limit.
func (l *ledger) room(limit int64) int64 {
	if limit == 0 {
		return math.MaxInt64
	}
	return limit - l.total
}

// add books bytes, which may be negative, for t.
func (l *ledger) add(t *table, bytes int64) {
	l.total += bytes
	if l.by[t] += bytes; l.by[t] == 0 {
		delete(l.by, t)
	}
}

// offer books a filter for the table of that number.
func (l *ledger) offer(number uint64, loaded *loadedFilter) {
	l.offers[number] = loaded
	l.offered += loaded.size()
	l.total += loaded.size()
}

// withdraw undoes offer, and gives what was offered; nil if nothing was.
func (l *ledger) withdraw(number uint64) *loadedFilter {
	loaded := l.offers[number]
	delete(l.offers, number)
	l.offered -= loaded.size()
	l.total -= loaded.size()
	return loaded
}

// book takes bytes for t out of what the limit leaves, and says whether there was room.
func (k *keeper) book(t *table, bytes int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if bytes > k.booked.room(k.limit) {
		return false
	}
	k.booked.add(t, bytes)
	return true
}

// giveBack returns bytes that were booked for t.
func (k *keeper) giveBack(t *table, bytes int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.booked.add(t, -bytes)
}

// memory is what filters take, and the limit.
func (k *keeper) memory() (bytes, limit int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.booked.total, k.limit
}
