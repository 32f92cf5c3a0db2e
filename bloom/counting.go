package bloom

import "slices"

// Counting is a Bloom filter from which keys can be taken out again (Fan, Cao, Almeida and Broder, "Summary Cache",
// 2000): a counter of four bits stands in the place of each bit, so it takes four times the memory. The zero Counting
// is there to be filled by UnmarshalBinary; it answers maybe to everything while it holds a key.
//
// Add, Remove and UnmarshalBinary must not run beside any other call. The other methods may run in any
// number of goroutines.
type Counting struct {
	positions // of counters
	counters  // One at the top no longer knows how many keys it stands for, so it stays there.
	held      int
	nonzero   uint64 // counters that are not 0
}

// NewCounting makes a Counting that answers maybe for a share falsePositives of absent keys, within 1 %, while n keys
// are in it; both as for New, and so are errors.
func NewCounting(n int, falsePositives float64) (*Counting, error) {
	keys, err := checkStandalone(n, falsePositives)
	if err != nil {
		return nil, err
	}
	m, probes := standaloneSize(keys, falsePositives)
	if err := checkSize(float64(m) * counterBits); err != nil {
		return nil, err
	}
	return newCounting(make([]uint64, wordsFor(m*counterBits)), m, probes), nil
}

func newCounting(words counters, m uint64, probes int) *Counting {
	return &Counting{positions: newPositions(m, probes), counters: words}
}

// places are a key's counters. A key whose probes meet in one place has it once: so a key counts for one everywhere,
// and can be taken out as it was put in.
func (c *Counting) places(key []byte, room *[maxProbes]uint64) []uint64 {
	h := Sum(key)
	places := room[:0]
	for x, left := h.H1, c.probes; left > 0; left-- {
		if p := position(x, c.m, c.inverse); !slices.Contains(places, p) {
			places = append(places, p)
		}
		x += h.H2
	}
	return places
}

// Add puts a key in. One that is in already is in once more, and must be taken out as often; from the fifteenth time on
// it can no longer be taken out. It does not keep the slice.
func (c *Counting) Add(key []byte) {
	c.held++
	if c.m == 0 {
		return
	}
	var room [maxProbes]uint64
	for _, p := range c.places(key, &room) {
		switch c.at(p) {
		case counterTop:
			continue
		case 0:
			c.nonzero++
		}
		c.up(p)
	}
}

// Remove takes a key out, one of the times that it was put in, and reports whether it may have been there. Take out
// only what was put in: when Remove reports false the key surely was not there and nothing has changed, but an absent
// key that is taken for present, a share EstimatedRate of them, takes parts of others with it, and those may
// then be denied.
func (c *Counting) Remove(key []byte) bool {
	if c.m == 0 {
		return c.removeAny()
	}
	var room [maxProbes]uint64
	places := c.places(key, &room)
	for _, p := range places {
		if c.at(p) == 0 {
			return false
		}
	}
	for _, p := range places {
		switch c.at(p) {
		case counterTop:
			continue
		case 1:
			c.nonzero--
		}
		c.down(p)
	}
	c.held--
	return true
}

func (c *Counting) removeAny() bool {
	if c.held == 0 {
		return false
	}
	c.held--
	return true
}

// MayContain reports false only when the key was never added, or taken out as often. True means maybe.
func (c *Counting) MayContain(key []byte) bool {
	if c.m == 0 {
		return c.held > 0
	}
	h := Sum(key)
	for x, left := h.H1, c.probes; left > 0; left-- {
		if c.at(position(x, c.m, c.inverse)) == 0 {
			return false
		}
		x += h.H2
	}
	return true
}

// Len is the number of calls of Add less those of Remove that reported true.
func (c *Counting) Len() int { return c.held }

// EstimatedRate is the share of absent keys that get a maybe now, judged by the counters that are not 0.
func (c *Counting) EstimatedRate() float64 {
	if c.m == 0 {
		return min(1, float64(c.held))
	}
	return c.rateAt(c.nonzero)
}

// MarshalBinary encodes the filter, header, payload and checksums, into new bytes. It never fails.
func (c *Counting) MarshalBinary() ([]byte, error) {
	h := Header{Family: FamilyCounting, Keys: uint64(c.held)}
	h.Params = [numParams]uint64{c.m, uint64(c.probes)}
	return appendFilter(nil, h, c.counters), nil
}

// UnmarshalBinary replaces the filter by the one that b encodes. It copies, so b may be used again. On an error, a
// *FormatError as from Parse, the filter is unchanged.
func (c *Counting) UnmarshalBinary(b []byte) error {
	h, payload, err := readStandalone(b, FamilyCounting)
	if err != nil {
		return err
	}
	if h.isZeroValue() {
		*c = Counting{held: int(h.Keys)}
		return nil
	}
	m := h.Params[0]
	if m == 0 || m > maxBits/counterBits || uint64(len(payload)) != wordsFor(m*counterBits)*wordBytes {
		return damaged(offParams, "%d counters, the payload has %d bytes", m, len(payload))
	}
	if err := h.checkProbes(maxProbes); err != nil {
		return err
	}
	if err := h.checkParam(2, "unused parameter", 0); err != nil {
		return err
	}
	if err := checkPayload(&h, payload); err != nil {
		return err
	}
	read := newCounting(decodeWords(payload), m, int(h.Params[1]))
	for p := range uint64(len(read.counters)) * countersPerWord {
		if read.at(p) == 0 {
			continue
		}
		if p >= m {
			return damaged(headerSize+int64(len(payload))-wordBytes, "counters past the last of %d", m)
		}
		read.nonzero++
	}
	read.held = int(h.Keys)
	*c = *read
	return nil
}
