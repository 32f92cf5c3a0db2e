package db

// ledger books the memory of filters. The keeper's mutex guards it.
type ledger struct {
	total int64            // bytes, those of offered filters included
	by    map[*table]int64 // bytes of each table's filter, in memory or being loaded
}

// fits says whether bytes more stay within limit; 0 is no limit.
func (l *ledger) fits(bytes, limit int64) bool { return limit == 0 || l.total+bytes <= limit }

// add books bytes, which may be negative, for t.
func (l *ledger) add(t *table, bytes int64) {
	l.total += bytes
	if l.by[t] += bytes; l.by[t] == 0 {
		delete(l.by, t)
	}
}

// book takes bytes for t out of what the limit leaves, and says whether there was room.
func (k *keeper) book(t *table, bytes int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.booked.fits(bytes, k.limit) {
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
