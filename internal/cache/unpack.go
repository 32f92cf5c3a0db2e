package cache

const (
	// keepUses is how often in a round of the hand an unpacked block must have been used to stay.
	keepUses = 4
	// quiet is how many blocks come to a shard until the hits beside them are looked at anew.
	quiet = 64
	// steps is how far the hand goes on a hit of a packed block with maxUses. Where all blocks are asked for alike it
	// still takes six uses of each for a round, so that none is found unused.
	steps = 4
)

// hot says whether it would pay to unpack an entry that was just used, of uses since the hand passed it, in a shard
// that has had so many hits.
func (s *shard) hot(c *Cache, e *entry, uses uint32, hits int64) bool {
	// There may be room, but it may be wanted for the blocks that are still to come. If a part m of the reads misses,
	// then about a part m of all blocks is missing, and will take used*m/(1-m). m/(1-m) is misses over hits: at most
	// quiet over the hits since recent.
	used := c.used.Load()
	room := c.capacity.Load() - used - e.size()
	if room > 0 && float64(room)*float64(hits-s.recent.Load()) > float64(used)*quiet {
		return true
	}
	if uses < maxUses || !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	// The hand goes on, as it would for a new block: where none come, uses would say nothing otherwise.
	for range steps {
		if victim := s.main.head; victim == nil || !s.anotherRound(victim) {
			return victim != nil
		}
	}
	return false
}

// anotherRound is what happens to the entry at the head of the main queue when the hand comes by: whether it was used
// enough to stay. If so it goes back to the end, one use the poorer; a block that was unpacked has to be used anew.
func (s *shard) anotherRound(e *entry) bool {
	uses := e.uses.Load()
	if uses == 0 || e.form == Unpacked && uses < keepUses {
		return false
	}
	left := min(uses, maxRounds) - 1
	if e.form == Unpacked {
		left = 0
	}
	e.uses.Store(left)
	if s.past.seen != nil {
		s.past.used(e.id, 1)
	}
	s.main.push(s.main.pop())
	return true
}

// cameNow notes that a block came.
func (s *shard) cameNow() {
	if s.sets++; s.sets >= quiet {
		s.sets = 0
		s.recent.Store(s.hits.Load())
	}
}

// unpack puts an entry with the content of a packed one into its place, and at the end of the main queue. It reports
// false when there is no such any more.
func (s *shard) unpack(c *Cache, hash uint64, e *entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.table.Load()
	old := t.find(hash, e.id)
	if old == nil || old.form != Packed {
		return false
	}
	t.replace(old, e)
	if old.main {
		s.main.remove(old)
	} else {
		s.new.remove(old)
		c.young.Add(-old.size())
	}
	s.toMain(e)
	s.packed--
	c.used.Add(e.size() - old.size())
	c.spares.give(old.reclaim())
	return true
}
