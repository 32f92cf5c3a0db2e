package cache

import "sync/atomic"

// ID names a block: the number of its file, and its offset there in bytes.
type ID struct{ File, Offset uint64 }

// hash spreads an ID over 64 bits; file numbers are small and offsets near multiples of the block size, so both
// are multiplied up before their bits are folded down.
func (id ID) hash() uint64 {
	h := (id.File*0x9e3779b97f4a7c15 ^ id.Offset) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

const (
	// maxShards bounds how many writers can work at once.
	maxShards = 16
	// shardBytes is the capacity below which a shard's queues are too short to tell blocks apart.
	shardBytes = 1 << 20
)

// Cache holds blocks up to a number of bytes. Any number of goroutines may use it. A nil *Cache is a cache that
// holds nothing.
type Cache struct {
	capacity atomic.Int64 // 0 once closed
	used     atomic.Int64
	young    atomic.Int64  // of used, in the shards' new queues
	hand     atomic.Uint64 // the shard that evicts next
	shards   []shard
	mask     uint64
}

// Metrics counts what a cache did and holds.
type Metrics struct {
	// Hits and Misses count calls of Get since the cache was made.
	Hits, Misses int64
	// Bytes is what the blocks held now take, the estimated overhead of each included.
	Bytes int64
	// Entries is the number of blocks held now.
	Entries int64
}

// New makes a cache of the given number of bytes, the bookkeeping of each block included. With 0 or less the
// result is nil, which is a valid cache that holds nothing.
func New(bytes int64) *Cache {
	if bytes <= 0 {
		return nil
	}
	n := 1
	for n < maxShards && int64(n)*2*shardBytes <= bytes {
		n *= 2
	}
	c := &Cache{shards: make([]shard, n), mask: uint64(n - 1)}
	c.capacity.Store(bytes)
	for i := range c.shards {
		c.shards[i].init()
	}
	return c
}

// shard picks by bits that the tables inside the shards do not start from.
func (c *Cache) shard(hash uint64) *shard { return &c.shards[hash>>48&c.mask] }

// Get returns the block set for id. The bytes are shared: nobody may change them, and they stay valid for as
// long as the caller holds them, evicted or not. It does not allocate.
func (c *Cache) Get(id ID) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	h := id.hash()
	s := c.shard(h)
	e := s.table.Load().find(h, id)
	if e == nil {
		s.misses.Add(1)
		return nil, false
	}
	s.hits.Add(1)
	e.use()
	return e.block, true
}

// Peek is Get without a trace: it does not count as a use of the block, nor as a hit or a miss. It is for walks that come
// once.
func (c *Cache) Peek(id ID) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	h := id.hash()
	if e := c.shard(h).table.Load().find(h, id); e != nil {
		return e.block, true
	}
	return nil, false
}

// Set offers a block, which must never change afterwards. A block that is larger than the whole cache is not
// kept; one that is there already stays as it is. Room is made before Set returns.
func (c *Cache) Set(id ID, block []byte) {
	if c == nil {
		return
	}
	e := &entry{id: id, block: block}
	if e.size() > c.capacity.Load() {
		return
	}
	h := id.hash()
	if !c.shard(h).add(c, h, e) {
		return
	}
	for c.used.Load() > c.capacity.Load() {
		c.shards[c.hand.Add(1)&c.mask].evict(c)
	}
}

// DropFile forgets all blocks of a file, whose number will not come again. It looks at every entry: some
// milliseconds for a cache of a gigabyte, with one shard locked at a time.
func (c *Cache) DropFile(file uint64) {
	if c == nil {
		return
	}
	for i := range c.shards {
		c.shards[i].drop(c, func(e *entry) bool { return e.id.File == file })
	}
}

// Metrics adds up the shards; beside running calls the numbers are of slightly different moments.
func (c *Cache) Metrics() Metrics {
	var m Metrics
	if c == nil {
		return m
	}
	m.Bytes = c.used.Load()
	for i := range c.shards {
		s := &c.shards[i]
		m.Hits += s.hits.Load()
		m.Misses += s.misses.Load()
		m.Entries += s.entries()
	}
	return m
}

// Close lets go of all blocks. Afterwards the cache holds nothing and takes nothing; bytes that Get returned
// stay valid. There is no goroutine to wait for.
func (c *Cache) Close() {
	if c == nil {
		return
	}
	c.capacity.Store(0)
	for i := range c.shards {
		c.shards[i].drop(c, func(*entry) bool { return true })
	}
}
