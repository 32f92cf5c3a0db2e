package bloom

import (
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	// bucketSize is the slots of a bucket. With four, nineteen of twenty slots can be taken; with two, five of six.
	bucketSize = 4

	// leastFingerprint is the fewest bits of a fingerprint. The place of a key's second bucket comes from the
	// fingerprint, and fewer give too few ways of making room: of four bits, a fifth of the slots stay empty.
	leastFingerprint = 5
)

// cuckooTable is the array of a cuckoo filter (Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter: Practically
// Better Than Bloom", 2014): buckets of four slots, each empty, which is 0, or with the fingerprint of a key. A key has
// two buckets; from either and the fingerprint follows the other, so that fingerprints can be moved without their keys.
//
// Changing it must not run beside anything else; probing alone may run in any number of goroutines.
type cuckooTable struct {
	packed
	buckets uint64 // an even number
	lanes   uint64 // the lowest bit of each slot of a bucket; 0 when a bucket is wider than one load
}

// newCuckooTable makes a table over slots.
func newCuckooTable(slots packed, buckets uint64) cuckooTable {
	t := cuckooTable{packed: slots, buckets: buckets}
	if bucketSize*slots.width <= maxPackedWidth {
		for range bucketSize {
			t.lanes = t.lanes<<slots.width | 1
		}
	}
	return t
}

// evenUp is the number of buckets for so many slots: one of a key's buckets is even and the other odd, so they always
// differ.
func evenUp(slots float64) uint64 {
	return max(2, (uint64(math.Ceil(slots/bucketSize))+1)&^1)
}

// cuckooKey is what the table sees of a key.
type cuckooKey struct {
	bucket, other uint64
	fingerprint   uint64
}

// keyOf takes the bucket from one half of the hash and the fingerprint from the other: even over all numbers of so many
// bits but 0.
func (t *cuckooTable) keyOf(h Hash) cuckooKey {
	bucket, _ := bits.Mul64(h.H1, t.buckets)
	fingerprint, _ := bits.Mul64(h.H2, t.mask)
	fingerprint++
	return cuckooKey{bucket, t.other(bucket, fingerprint), fingerprint}
}

// other is the second bucket of a fingerprint, whichever is the first: the two add up to an odd number that is a hash
// of the fingerprint, modulo the buckets. Any even number of buckets will do, where the exclusive or of the paper needs
// a power of two; a weak hash here makes fingerprints move in small circles and the table full long before it is.
func (t *cuckooTable) other(bucket, fingerprint uint64) uint64 {
	sum, _ := bits.Mul64(remix(fingerprint*mixSeed), t.buckets)
	sum |= 1
	if sum < bucket {
		sum += t.buckets
	}
	return sum - bucket
}

// contains reports whether one of the key's buckets has its fingerprint.
func (t *cuckooTable) contains(k cuckooKey) bool {
	return t.holds(k.bucket, k.fingerprint) || t.holds(k.other, k.fingerprint)
}

// holds reports whether a bucket has a fingerprint. Buckets of up to 56 bits are compared in one word: in the
// difference without carry the slot that is equal is 0, and only then borrows from its highest bit when 1 is taken from
// each slot.
func (t *cuckooTable) holds(bucket, fingerprint uint64) bool {
	if t.lanes == 0 {
		_, found := t.find(bucket, fingerprint)
		return found
	}
	bit := bucket * bucketSize * t.width
	slots := binary.LittleEndian.Uint64(t.bytes[bit/8:]) >> (bit % 8)
	difference := slots ^ fingerprint*t.lanes
	return (difference-t.lanes)&^difference&(t.lanes<<(t.width-1)) != 0
}

// find is the first slot of a bucket with a fingerprint, or with 0, an empty one.
func (t *cuckooTable) find(bucket, fingerprint uint64) (slot uint64, found bool) {
	for slot := bucket * bucketSize; slot < (bucket+1)*bucketSize; slot++ {
		if t.at(slot) == fingerprint {
			return slot, true
		}
	}
	return 0, false
}

// insert adds the key's fingerprint, once more if it is there. It is false, and nothing has changed, when no room can
// be made.
func (t *cuckooTable) insert(k cuckooKey) bool {
	slot, found := t.find(k.bucket, 0)
	if !found {
		slot, found = t.find(k.other, 0)
	}
	if !found {
		slot, found = t.makeRoom(k)
	}
	if found {
		t.set(slot, k.fingerprint)
	}
	return found
}

// remove takes out one of the key's fingerprints, if there is one. Keys with the same fingerprint and buckets cannot be
// told apart, so it does not matter whose it was.
func (t *cuckooTable) remove(k cuckooKey) bool {
	slot, found := t.find(k.bucket, k.fingerprint)
	if !found {
		slot, found = t.find(k.other, k.fingerprint)
	}
	if found {
		t.set(slot, 0)
	}
	return found
}

// taken is the number of fingerprints.
func (t *cuckooTable) taken() uint64 {
	n := uint64(0)
	for slot := range t.buckets * bucketSize {
		if t.at(slot) != 0 {
			n++
		}
	}
	return n
}

// searchedBuckets is how many buckets a search for room looks into. At nineteen slots taken of twenty, five are enough
// on average.
const searchedBuckets = 512

// crossing is a bucket on the way to an empty slot: it was reached by moving the fingerprint of a slot
// of another bucket.
type crossing struct {
	bucket uint64
	from   int32 // the crossing it was reached from; none for the two where the search begins
	slot   uint8 // the slot there
}

const none32 = -1

// makeRoom frees a slot in one of the key's buckets, which are full. It looks for the nearest bucket with an empty
// slot, breadth first, and moves the fingerprints on the way there by one bucket each, from the last on. Looking first
// leaves the table as it was when there is no way, and the ways are shorter than those of moving at random.
func (t *cuckooTable) makeRoom(k cuckooKey) (slot uint64, found bool) {
	var crossings [searchedBuckets]crossing
	crossings[0] = crossing{k.bucket, none32, 0}
	crossings[1] = crossing{k.other, none32, 0}
	n := 2
	for i := 0; i < n; i++ {
		at := crossings[i]
		if empty, found := t.find(at.bucket, 0); found {
			return t.moveAlong(&crossings, int32(i), empty), true
		}
		for s := uint64(0); s < bucketSize && n < searchedBuckets; s++ {
			next := t.other(at.bucket, t.at(at.bucket*bucketSize+s))
			crossings[n] = crossing{next, int32(i), uint8(s)}
			n++
		}
	}
	return 0, false
}

// moveAlong moves fingerprints into the empty slot of crossing i, and into the slots that this frees, until a slot of
// the first bucket is free.
func (t *cuckooTable) moveAlong(crossings *[searchedBuckets]crossing, i int32, empty uint64) (free uint64) {
	free = empty
	for crossings[i].from != none32 {
		before := crossings[i].from
		slot := crossings[before].bucket*bucketSize + uint64(crossings[i].slot)
		t.set(free, t.at(slot))
		free, i = slot, before
	}
	return free
}

// cuckooClasses is the number of kinds of keys that a table can tell apart: a fingerprint and the pair of buckets that
// it has, as even over all as the hash is.
func cuckooClasses(buckets, fingerprintBits uint64) float64 {
	return float64(buckets) / 2 * float64(uint64(1)<<fingerprintBits-1)
}

// cuckooRate is the share of absent keys of a class that one of so many keys has, too: 1 - (1 - 1/classes)^keys. It is
// the paper's 1 - (1 - 2^-f)^(2bα), for slots that are taken to a share α, but for the fingerprint 0 that is not used.
func cuckooRate(buckets, fingerprintBits, keys uint64) float64 {
	return -math.Expm1(float64(keys) * math.Log1p(-1/cuckooClasses(buckets, fingerprintBits)))
}
