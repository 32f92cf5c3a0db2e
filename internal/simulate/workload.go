package simulate

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Workload is what is written: first each of the keys once, in random order, then updates of keys drawn at random.
type Workload struct {
	// Keys is the number of keys, 1 to MostKeys.
	Keys int
	// Updates is the number of writes after that, at least 0.
	Updates int
	// Deletes is the share of the updates that delete their key, 0 to 1.
	Deletes float64
	// Zipf is the exponent of Zipf's law by which updates choose keys: 0 is evenly, 0.99 is usual where people choose.
	// Hot keys lie all over the range.
	Zipf float64
	// Seed decides all that is random.
	Seed uint64
}

// MostKeys is the largest number of keys. A run takes about 40 bytes of memory for each.
const MostKeys = 1 << 30

func (w Workload) check() error {
	var faults []error
	if w.Keys < 1 || w.Keys > MostKeys {
		faults = append(faults, fmt.Errorf("siftdb: simulate: %d keys are not 1 to %d", w.Keys, MostKeys))
	}
	if w.Updates < 0 || w.Updates > math.MaxInt-MostKeys {
		faults = append(faults, fmt.Errorf("siftdb: simulate: %d updates are not 0 to %d", w.Updates,
			math.MaxInt-MostKeys))
	}
	if !(w.Deletes >= 0 && w.Deletes <= 1) {
		faults = append(faults, fmt.Errorf("siftdb: simulate: deletes are a share, 0 to 1, not %g", w.Deletes))
	}
	if !(w.Zipf >= 0 && w.Zipf <= mostZipf) {
		faults = append(faults, fmt.Errorf("siftdb: simulate: Zipf's exponent is 0 to %d, not %g", mostZipf, w.Zipf))
	}
	return errors.Join(faults...)
}

// entry is a key and whether it is deleted: the key's number times 2, plus 1 for a deletion. Entries of different keys
// sort as their keys do.
type entry uint64

func makeEntry(user uint64, deleted bool) entry {
	if deleted {
		return entry(user<<1 | 1)
	}
	return entry(user << 1)
}

func (e entry) user() uint64  { return uint64(e >> 1) }
func (e entry) deleted() bool { return e&1 == 1 }

// userBits is how many binary digits a key has.
const userBits = 36

// userOf is the key of a rank: keys of neighbouring ranks lie far from each other. Each step can be undone, so no two
// ranks share a key.
func userOf(rank, seed uint64) uint64 {
	const mask = 1<<userBits - 1
	x := (rank + seed) & mask
	for _, odd := range [2]uint64{0x9e3779b97f4a7c15, 0xd1342543de82ef95} {
		x ^= x >> (userBits / 2)
		x = x * odd & mask
	}
	return x ^ x>>(userBits/2)
}

// writes draws the writes of a workload, one after the other.
type writes struct {
	Workload
	rng  *rand.Rand
	zipf *zipf
	done int
	live bitmap // by rank
}

func newWrites(w Workload) *writes {
	s := &writes{Workload: w, rng: rand.New(rand.NewPCG(w.Seed, 1)), live: make(bitmap, (w.Keys+63)/64)}
	if w.Zipf > 0 {
		s.zipf = newZipf(w.Keys, w.Zipf)
	}
	return s
}

// next is the next write, or false at the end.
func (s *writes) next() (entry, bool) {
	rank, deleted := s.done, false
	switch {
	case s.done >= s.Keys+s.Updates:
		return 0, false
	case s.done >= s.Keys:
		rank = s.drawn()
		deleted = s.rng.Float64() < s.Deletes
	}
	s.done++
	s.live.set(rank, !deleted)
	return makeEntry(userOf(uint64(rank), s.Seed), deleted), true
}

// drawn is the rank of a key that an update chooses.
func (s *writes) drawn() int {
	if s.zipf != nil {
		return s.zipf.draw(s.rng)
	}
	return s.rng.IntN(s.Keys)
}

// bitmap is a set of small numbers.
type bitmap []uint64

func (b bitmap) set(i int, in bool) {
	bit := uint64(1) << (i % 64)
	if in {
		b[i/64] |= bit
	} else {
		b[i/64] &^= bit
	}
}

func (b bitmap) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}
