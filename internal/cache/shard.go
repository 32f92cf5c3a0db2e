package cache

import (
	"sync"
	"sync/atomic"
)

// shard is one part of the cache: a hash table and the two queues that order its entries.
type shard struct {
	table atomic.Pointer[table] // changed under mu

	_      [56]byte // readers of table are not disturbed by the counting
	hits   atomic.Int64
	misses atomic.Int64

	mu   sync.Mutex
	new  queue // came lately
	main queue // was asked for more often than others
	past past

	packed int          // entries that are packed
	sets   int          // blocks that came since recent was set
	recent atomic.Int64 // hits that there were when sets was last 0
}

func (s *shard) init() { s.table.Store(newTable(minSlots)) }

// add puts an entry in, and reports false when its id is there already or the cache is closed.
func (s *shard) add(c *Cache, hash uint64, e *entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.table.Load()
	if c.capacity.Load() == 0 || t.find(hash, e.id) != nil {
		return false
	}
	if larger := t.insert(hash, e); larger != t {
		t = larger
		s.table.Store(t)
	}
	s.past.came(e.id, t.n)
	if e.form == Packed {
		s.packed++
	}
	s.cameNow()
	s.new.push(e)
	c.young.Add(e.size())
	c.used.Add(e.size())
	return true
}

// evict lets go of an entry, or moves one from the new queue to the main one. When the new queues of all shards
// together take more than their tenth, it is about the oldest in this one: if it was used, or there is room, it moves
// on; otherwise it must have been asked for more often than the victim in the main queue. While they take less, the
// victim goes.
func (s *shard) evict(c *Cache) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.past.fit(s.table.Load().n)
	capacity := c.capacity.Load()
	if c.young.Load() <= capacity/10 {
		if s.victim() != nil {
			s.release(c, s.main.pop())
		}
		return
	}
	e := s.new.pop()
	if e == nil {
		return
	}
	c.young.Add(-e.size())
	if uses := min(e.uses.Load(), maxRounds); uses > 0 || c.used.Load()-c.young.Load() <= capacity/10*9 {
		e.uses.Store(0)
		s.past.used(e.id, uses)
		s.toMain(e)
		return
	}
	if victim := s.victim(); victim == nil || s.past.count(e) <= s.past.count(victim) {
		s.release(c, e)
		return
	}
	s.release(c, s.main.pop())
	s.toMain(e)
}

func (s *shard) toMain(e *entry) {
	e.main = true
	s.main.push(e)
}

// victim is the entry at the head of the main queue, after those that were used since had another round.
func (s *shard) victim() *entry {
	for e := s.main.head; e != nil; e = s.main.head {
		if !s.anotherRound(e) {
			return e
		}
	}
	return nil
}

// release takes an entry that is in no queue any more out of the table and the account.
func (s *shard) release(c *Cache, e *entry) {
	s.table.Load().remove(e)
	if e.form == Packed {
		s.packed--
	}
	c.used.Add(-e.size())
	c.spares.give(e.reclaim())
}

// drop lets go of all entries for which gone is true.
func (s *shard) drop(c *Cache, gone func(*entry) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range []*queue{&s.new, &s.main} {
		all := *q
		*q = queue{}
		for e := all.pop(); e != nil; e = all.pop() {
			if gone(e) {
				if q == &s.new {
					c.young.Add(-e.size())
				}
				s.release(c, e)
			} else {
				q.push(e)
			}
		}
	}
}

// entries is the number of blocks held, and of those that are packed.
func (s *shard) entries() (all, packed int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(s.table.Load().n), int64(s.packed)
}
