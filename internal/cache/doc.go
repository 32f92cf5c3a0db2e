// Package cache keeps blocks of table files in memory, bounded by bytes.
//
// It stands on the read walk between sstable and the disk: sstable asks for a block by file number and offset,
// and sets what it had to read, as it is stored. The package knows nothing of what is in a block, of tables or of
// levels, and how blocks are compressed.
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
// # Packed and unpacked blocks
//
// A block that is compressed in its file is held so, packed, and its readers uncompress it each time, into memory
// that they use again. So about twice as many blocks fit, and no memory is made for blocks that come and go. Only
// blocks that are hot are held unpacked. What that takes more would hold about one other packed block, which spares
// a read of the file each time it is asked for, while the unpacked one spares uncompressing. A read costs three
// times as much as that, with its checksum, where the system holds the file in memory, and far more from a disk. So
// an unpacked block must be asked for at least three times as often as those that are let go for it.
//
// How often is measured by the hand, which goes round the main queue. A packed block that was used ten times since
// the hand came by is hot if the hand meets one that was not used at all; it moves on with each such use, so that it
// goes round also where no blocks come, faster than blocks that are used alike can get to ten. An unpacked block
// stays only if it was used four times in a round. While there is room, and the misses are so few that it is not
// wanted for blocks to come, every block is hot. An unpacked block that falls out is not packed again: that costs
// more than to read it.
//
// What a read costs on average when all, no or hot blocks are unpacked, in times of what it takes to uncompress a
// block, with blocks of 4100 bytes and 2300 packed. Reading one takes three times as much. Popular keys lie in any
// block.
//
//	                                   all     no    hot
//	uniform, all fit unpacked            0   1.00      0
//	uniform, all fit packed           1.67   1.00   0.99
//	uniform, nearly all fit packed    1.82   1.14   1.14
//	uniform, half fit packed          2.86   2.50   2.50
//	Zipf, all fit packed              0.73   1.00   0.56
//	Zipf, nearly all fit packed       0.80   1.06   0.66
//	Zipf, third fits packed           1.31   1.75   1.31
//	half is hot, others come once     0.40   1.30   0.40
//
// From: go test -run '^$' -bench Packed -benchtime 1x ./internal/cache
//
// # Concurrency
//
// The cache is cut into shards. A look-up takes no lock: it walks a hash table of atomic pointers and raises a
// small counter of the entry. Setting and evicting lock one shard at a time. The bytes are counted for the
// whole cache, and so are those of the short queues, so one large block may take the room of many shards. Bytes never
// change while they are in, so unpacking a block makes a new entry.
//
// Who got an unpacked block may keep its bytes: the collector has the last word. Packed ones, which nobody keeps, are
// given back by their readers, and the memory of those that the cache copied is used for others (recycle.go): a reader
// is counted in the entry, and whoever lets the block go takes its memory if no reader is. The memory that waits for
// blocks has a lock of its own, which may be taken under a shard's.
package cache
