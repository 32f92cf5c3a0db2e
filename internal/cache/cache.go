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
	filling  atomic.Int64  // the most that the blocks will take for which Fill is looking for room
	hand     atomic.Uint64 // the shard that evicts next
	shards   []shard
	mask     uint64
	spares   spares
}

// Metrics counts what a cache did and holds.
type Metrics struct {
	// Hits and Misses count calls of Get since the cache was made.
	Hits, Misses int64
	// Bytes is what the blocks held now take, the estimated overhead of each included.
	Bytes int64
	// Entries is the number of blocks held now, Packed how many of them are compressed.
	Entries, Packed int64
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

// Get returns the block set for id. The bytes are shared: nobody may change them. Those of a packed block stay valid
// until Release, which must be called; others for as long as the caller holds them, evicted or not. It does not
// allocate.
func (c *Cache) Get(id ID) (Block, bool) {
	if c == nil {
		return Block{}, false
	}
	h := id.hash()
	s := c.shard(h)
	e := s.table.Load().find(h, id)
	if e == nil || !e.pin() {
		s.misses.Add(1)
		return Block{}, false
	}
	hits, uses := s.hits.Add(1), e.use()
	b := e.block()
	b.Hot = e.form == Packed && s.hot(c, e, uses, hits)
	return b, true
}

// Peek is Get without a trace: it does not count as a use of the block, nor as a hit or a miss. It is for walks that
// come once. A packed block is to be released as one of Get.
func (c *Cache) Peek(id ID) (Block, bool) {
	if c == nil {
		return Block{}, false
	}
	h := id.hash()
	if e := c.shard(h).table.Load().find(h, id); e != nil && e.pin() {
		return e.block(), true
	}
	return Block{}, false
}

// Set offers a block, whose bytes must never change afterwards. A block that is larger than the whole cache is not
// kept; one that is there already stays as it is. Room is made before Set returns.
func (c *Cache) Set(id ID, b Block) {
	if c != nil && c.fits(b.Bytes) {
		c.add(&entry{id: id, bytes: b.Bytes, form: b.Form})
	}
}

// SetCopy is Set with a copy of the bytes, which stay the caller's. Of one that is too large to be kept none is made.
func (c *Cache) SetCopy(id ID, b Block) {
	if c == nil || !c.fits(b.Bytes) {
		return
	}
	e := &entry{id: id, form: b.Form, recycled: b.Form == Packed}
	if e.recycled {
		e.bytes = append(c.spares.take(len(b.Bytes)), b.Bytes...)
	} else {
		e.bytes = append(make([]byte, 0, len(b.Bytes)), b.Bytes...)
	}
	c.add(e)
}

func (c *Cache) add(e *entry) {
	h := e.id.hash()
	if c.shard(h).add(c, h, e) {
		c.makeRoom()
	}
}

// Fill is SetCopy of a block that nobody asked for: it is kept only as long as there is room, so that no other goes for
// it. It reports false once there is none, or others are about to fill what there is.
func (c *Cache) Fill(id ID, b Block) (room bool) {
	if c == nil {
		return false
	}
	size := mostOfCopy(b) + entryOverhead
	defer c.filling.Add(-size)
	// Filling first: a block that has left it meanwhile is in used by then.
	if filling := c.filling.Add(size); filling+c.used.Load() > c.capacity.Load() {
		return false
	}
	if h := id.hash(); c.shard(h).table.Load().find(h, id) == nil {
		c.SetCopy(id, b)
	}
	return true
}

// Unpack offers the content of a block that Get called hot, which must never change afterwards: it takes the place
// of the packed bytes, if these are still held.
func (c *Cache) Unpack(id ID, content []byte) {
	if c == nil || !c.fits(content) {
		return
	}
	h := id.hash()
	if c.shard(h).unpack(c, h, &entry{id: id, bytes: content, form: Unpacked}) {
		c.makeRoom()
	}
}

// fits says whether a block could be held at all.
func (c *Cache) fits(b []byte) bool { return int64(cap(b))+entryOverhead <= c.capacity.Load() }

// makeRoom lets go of blocks until the cache holds what it may.
func (c *Cache) makeRoom() {
	for c.used.Load() > c.capacity.Load() {
		c.shards[c.hand.Add(1)&c.mask].evict(c)
	}
}

// DropFiles forgets all blocks of files, whose numbers will not come again. It looks at every entry: some
// milliseconds for a cache of a gigabyte, with one shard locked at a time.
func (c *Cache) DropFiles(files ...uint64) {
	if c == nil || len(files) == 0 {
		return
	}
	gone := make(map[uint64]bool, len(files))
	for _, file := range files {
		gone[file] = true
	}
	for i := range c.shards {
		c.shards[i].drop(c, func(e *entry) bool { return gone[e.id.File] })
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
		entries, packed := s.entries()
		m.Entries += entries
		m.Packed += packed
	}
	return m
}

// Close lets go of all blocks. Afterwards the cache holds nothing and takes nothing; bytes that Get returned
// stay valid, packed ones until Release. There is no goroutine to wait for.
func (c *Cache) Close() {
	if c == nil {
		return
	}
	c.capacity.Store(0)
	for i := range c.shards {
		c.shards[i].drop(c, func(*entry) bool { return true })
	}
}
