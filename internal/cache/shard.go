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
	new  queue // came once
	main queue // came again
	door doorkeeper
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
		s.table.Store(larger)
	}
	if s.door.knows(e.id) {
		s.main.push(e)
	} else {
		s.new.push(e)
	}
	c.used.Add(e.size())
	return true
}

// evict lets go of one entry, if there is one.
func (s *shard) evict(c *Cache) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		fromNew := s.new.bytes*10 > s.new.bytes+s.main.bytes || s.main.head == nil
		if fromNew {
			e := s.new.pop()
			if e == nil {
				return
			}
			if e.uses.Load() > 0 {
				e.uses.Store(0)
				s.main.push(e)
				continue
			}
			s.door.remember(e.id, s.table.Load().n)
			s.release(c, e)
			return
		}
		e := s.main.pop()
		if u := e.uses.Load(); u > 0 {
			e.uses.Store(u - 1)
			s.main.push(e)
			continue
		}
		s.release(c, e)
		return
	}
}

// release takes an entry that is in no queue any more out of the table and the account.
func (s *shard) release(c *Cache, e *entry) {
	s.table.Load().remove(e)
	c.used.Add(-e.size())
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
				s.release(c, e)
			} else {
				q.push(e)
			}
		}
	}
}

// entries is the number of blocks held.
func (s *shard) entries() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(s.table.Load().n)
}
