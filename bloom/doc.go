// Package bloom holds the filters that every table carries: the policies that choose them, the builders that collect
// keys, the bytes on disk, the filters that answer, the sharing out of memory, and the mathematics.
//
// It refuses to know keys' order, tables, files, levels' contents and caches, and imports nothing else of this store.
// Families of filters see hashes, never keys.
//
// On the walks: a write's flush and a compaction ask the [Policy] for a [Builder] and feed it each distinct user key's
// [Hash] once; its bytes go into the table. Opening a table gives the bytes to [Parse]. A read makes the hash with
// [Sum] once and asks each table's [TableFilter]. A memtable, whose keys come one by one while it is read, has a
// [Growing] filter, in memory only; the block cache remembers in a [Filter] and a [Frequency] what it does not hold.
//
// # What a filter promises
//
// It says surely not, or maybe; never surely. For every key it was built from it says maybe. Bytes that cannot be read
// with certainty (cut short, altered, of an unknown family, format or hash) give a [*FormatError]; whoever gets one
// reads the table as if it had no filter, which is always right and only slower. A filter is for point reads of whole
// keys; a scan over a range must not ask it. Tombstones are keys.
//
// # The bytes
//
// A header of 64 bytes, then the payload, then nothing. Integers are little-endian; a float64 is its IEEE 754 bits.
//
//	offset  size  field
//	     0     4  magic "SFLT"
//	     4     1  format: 1
//	     5     1  family: 1 classic, 2 blocked, 3 ribbon, 4 fuse, 5 cuckoo; from 64 on, filters that stand alone: 64
//	              stand-alone, 65 counting, 66 scalable, 67 stand-alone cuckoo
//	     6     1  hash: 1 is MurmurHash3 x64-128, seed 0
//	     7     1  unused: 0
//	     8     8  number of keys
//	    16     8  bits per key that were asked for, float64; 0 in a stand-alone filter
//	    24     8  length of the payload in bytes
//	    32     8  parameter 0 of the family
//	    40     8  parameter 1
//	    48     8  parameter 2
//	    56     4  CRC-32C (Castagnoli) of the payload; of a ribbon, of its directory
//	    60     4  CRC-32C of bytes 0 to 59
//
// Magic, format and the header's checksum stand in these places in every format to come. A filter without keys has no
// payload and parameters 0, in every family of tables.
//
//	family       parameter 0                        1              2  payload
//	classic      bits m = ceil(keys * asked) | 1    probes, 1-30   0  ceil(m/64) words
//	blocked      lines = ceil(keys * asked / 512)   probes, 1-16   0  lines of 8 words
//	ribbon       planes, 1-16                       parts, 1-65536 slots  directory and planes, below
//	fuse         slots                              bits w, 1-32   seed   a number of w bits for each slot
//	cuckoo       buckets of 4 slots, even           bits w, 5-56   0      a number of w bits for each slot
//	stand-alone  bits m                             probes, 1-30   0  ceil(m/64) words
//	counting     counters m                         probes, 1-30   0  ceil(m/16) words: 16 counters each, lowest first
//	scalable     slices                             0              0  below
//	st. cuckoo   buckets of 4 slots, even           bits w, 9-56   c  as cuckoo, then c entries, below
//
// Bit p of a payload is bit p mod 8, lowest first, of byte p div 8. With h1 and h2 the halves of a key's hash:
//
//   - classic, stand-alone, counting and each slice of a scalable: for i = 0 to probes-1 the bit
//     ((h1 + i*h2) mod 2^64) mod m.
//   - blocked: the line is the high word of h1*lines. The bits in it are 9-bit slices of a word, from the lowest, seven
//     of one word. The first word is h2; the next to a word w is p xor (p >> 32), with p = w*0x9e3779b97f4a7c15 mod
//     2^64.
//   - fuse and cuckoo: number i of w bits is those from i*w on, lowest first; whole words in all. What they mean is
//     below.
//
// # Planes
//
// A ribbon filter has as many bits in its bytes as may ever pay, and any part of them in memory. Its keys are split
// into parts of about four million at most. A part has slots; each key of it is an equation over 128 slots in a row,
// and a plane is a solution: one bit for each slot. The payload, with the slots of all parts together:
//
//	          offset         size  field
//	               0     32*parts  directory: an entry for each part
//	        32*parts      slots/8  plane 0: its bits, part by part
//	32*parts+slots/8            4  CRC-32C of plane 0
//	             ...               plane 1 and so on, each as long
//
//	offset  size  field of an entry
//	     0     8  keys of the part
//	     8     8  slots of the part, a multiple of 64, at least 128 and no fewer than keys;
//	              2.5 to 5 % more where written now
//	    16     8  seed
//	    24     8  sum of the key of each key, see below, mod 2^64
//
// A plane's CRC-32C covers the header's last four bytes, the plane's number in four bytes, and the bits. The header's
// covers the directory's, and the sum there differs between sets of keys; so no plane is taken for another, nor for one
// of another filter. A damaged plane is left out, and costs a doubled rate.
//
// A key with halves h1 and h2 is in part high(h1*parts), high being the high word of the product of 128 bits. With the
// part's seed and slots, and fold(x) = x xor (x >> 32), all modulo 2^64:
//
//	key    = (fold((h1 xor ((seed+1) * 0x6a09e667f3bcc909)) * 0x9e3779b97f4a7c15) + h2) * 0x9e3779b97f4a7c15
//	start  = high(key * (slots-127))
//	row    = fold(key * 0xbb67ae8584caa73b) | 1 for slots start to start+63,
//	         fold(key * 0x3c6ef372fe94f82b) for the 64 after
//	result = the highest 16 bits of key * 0xa54ff53a5f1d36f1
//
// The key's equation in plane p: the parity of those bits of the plane that the row picks is bit p of the result.
//
// # Fingerprints
//
// A fuse filter has segments of 2^shift slots; parameter 2 is shift*256 + seed. With n keys, shift is ln n / ln 3.33 +
// 1.75 rounded down, 2 to 18, and there are as many segments as hold n * max(1.125, 0.875 + 0.25 ln 10^6 / ln n) slots,
// 3 at least. w is the largest for which slots*w is at most n times the bits asked for. With start = slots - 2*2^shift,
// all modulo 2^64:
//
//	key   = fold(fold((h1 xor ((seed+1) * 0x6a09e667f3bcc909)) * 0x9e3779b97f4a7c15) + h2) * 0x9e3779b97f4a7c15)
//	slots = a: high(key * start);  (a + 2^shift) xor (key >> 18) mod 2^shift;  (a + 2*2^shift) xor key mod 2^shift
//	print = the highest w bits of key * 0xa54ff53a5f1d36f1
//
// The numbers in the three slots add up without carry to the print of each key.
//
// A cuckoo filter has an even number of buckets, of 4 slots each, 0 when empty. A key's print is
// 1 + high(h2 * (2^w - 1)), its bucket high(h1*buckets), and its other one (sum - bucket) modulo buckets, with the
// print's sum = high(fold(print * 0x6a09e667f3bcc909 * 0x9e3779b97f4a7c15) * buckets) | 1. The print of each key stands
// in one of its two buckets. With w bits there are keys * asked / 4w buckets, rounded down to an even number.
//
// # Filters that stand alone
//
// The number of keys is that of calls of Add, less those of Remove that found the key. A filter that no constructor
// made has no payload and parameters 0, whatever its number of keys.
//
// A counting filter has counters in the places of bits; each key counts for one in each of its places, however many of
// its probes meet there. A counter that has come to 15 stays there.
//
// A scalable filter's payload: float64 rate asked for, float64 factor of growth, float64 tightening; for each slice,
// oldest first, an entry of four words: keys it takes, keys it still takes, bits m, probes; then the bits of the
// slices, ceil(m/64) words each.
//
// Fingerprints that found no room in a stand-alone cuckoo filter's buckets follow them, ascending, in entries of three
// words: the even one of the buckets, the print, and how often it was added.
//
// rates.md has the rates of each family, by theory and measured; a test holds the families to it.
package bloom

//go:generate go test -run ^TestRatesPage$ -update .
