// Package cache keeps blocks of table files in memory, bounded by bytes.
//
// It stands on the read walk between sstable and the disk: sstable asks for a block by file number and offset,
// and sets what it had to read. The package knows nothing of what is in a block, of tables or of levels.
//
// # Admission
//
// A scan, or a burst of reads that come once, must not push out the blocks that are read again and again. New
// blocks therefore enter a short queue of a tenth of the bytes. At its end those that were used in the meantime go
// on to the main queue. Any other must have been asked for more often than the block that it would push out there,
// or it is dropped (Einziger, Friedman and Manes, "TinyLFU", 2017). The main queue gives a block one more round for
// each time it was used (Yang, Zhang, Qiu, Yue and Vinayak, "FIFO queues are all you need for cache eviction", 2023).
//
// How often blocks were asked for, also those that are not held, is remembered in two filters of package bloom: a
// doorkeeper for those that came once, a Bloom filter in two generations; and for the others counters of four bits
// that are halved as they age. Together they take 13 bytes for each block held. Blocks that come once, of which a scan
// has only such, never get to the counters, and so neither wear them out nor make them age. Peek is for walks that
// should not even be noticed.
//
// The share of reads that find their block, in percent, in a cache of a twentieth of the blocks that are read again;
// Zipf's law with exponent 0.99. Otter is github.com/maypok86/otter/v2, before is this cache with a doorkeeper alone.
//
//	                                  LRU   otter   before    now
//	Zipf                             62.4    69.1     69.1   70.7
//	half Zipf, half one-time reads   25.7    32.5     34.4   35.1
//	Zipf and scans, 10 : 4           41.8    45.7     49.7   50.6
//	what is popular moves            63.0    65.1     64.2   65.4
//	uniform                          40.1    40.0     40.1   40.1
//	a loop over 1.5 times the cache     0    62.7      6.2   50.6
//
// From: go test -run '^$' -bench HitShare -benchtime 1x ./internal/cache
//
// # Concurrency
//
// The cache is cut into shards. A look-up takes no lock: it walks a hash table of atomic pointers and raises a
// small counter of the entry. Setting and evicting lock one shard at a time. The bytes are counted for the
// whole cache, and so are those of the short queues, so one large block may take the room of many shards.
package cache
