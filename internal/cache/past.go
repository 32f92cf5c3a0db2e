package cache

import "siftdb/bloom"

// past remembers how often blocks were asked for lately, those that a shard holds and those that it does not. The first
// coming is the doorkeeper's to remember, for as long as twice as many blocks come as the shard holds; only from the
// second on, blocks are counted. So blocks that come once, half of all in some stores, neither wear the counters out
// nor make them age. One goroutine at a time; the zero value remembers nothing, and begins when the shard is full for
// the first time.
type past struct {
	door doorkeeper
	seen *bloom.Frequency
	room int // entries for which seen is not too small
}

// fit makes the counters for as many entries as the shard holds. When these have become many more, it begins anew.
func (p *past) fit(entries int) {
	if entries > p.room {
		p.room = 2 * entries
		p.seen = bloom.NewFrequency(entries)
	}
}

// came notes that a block was set, which the shard with so many entries did not hold.
func (p *past) came(id ID, entries int) {
	switch {
	case p.seen == nil:
	case p.door.knows(id):
		p.seen.Add(counted(id))
	default:
		p.door.remember(id, doorSpan*entries)
	}
}

// used notes so many uses of a block that the shard holds.
func (p *past) used(id ID, uses uint32) {
	for range uses {
		p.seen.Add(counted(id))
	}
}

// count is how often an entry was asked for, the first time apart.
func (p *past) count(e *entry) int {
	return p.seen.Count(counted(e.id)) + int(e.uses.Load())
}

// counted is an ID as counters see it. The entries of a shard have the bits in common that picked it, so the half that
// picks a line of counters is mixed anew.
func counted(id ID) bloom.Hash {
	h := id.hash()
	mixed := h * 0x9e3779b97f4a7c15
	return bloom.Hash{H1: mixed ^ mixed>>32, H2: h}
}
