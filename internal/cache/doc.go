// Package cache keeps blocks of table files in memory, bounded by bytes.
//
// It stands on the read walk between sstable and the disk: sstable asks for a block by file number and offset,
// and sets what it had to read. The package knows nothing of what is in a block, of tables or of levels.
//
// # Scans
//
// A scan, or a burst of reads that come once, must not push out the blocks that are read again and again. New
// blocks therefore enter a short queue of a tenth of the bytes; only those that were asked for again before
// they reach its end move on to the main queue. Which blocks fell out of the short queue is remembered by a
// doorkeeper, two Bloom filters that age: a block that comes a second time while it is remembered goes to the
// main queue at once. The main queue gives a block one more round for each time it was used. (FIFO queues only
// need quick demotion: Yang, Zhang, Qiu, Yue, Vinayak, "FIFO queues are all you need for cache eviction", SOSP
// 2023; there the memory is a queue of keys, here a filter does with a tenth of the room.)
//
// # Concurrency
//
// The cache is cut into shards. A look-up takes no lock: it walks a hash table of atomic pointers and raises a
// small counter of the entry. Setting and evicting lock one shard at a time. The bytes are counted for the
// whole cache, so one large block may take the room of many shards.
package cache
