package bloom

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

func newCountingOf(t testing.TB, n int, p float64) *Counting {
	t.Helper()
	c, err := NewCounting(n, p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Recipe FLT-20: counters that are full stay full, whatever is taken out, and spill into none beside them.
func TestCountersStayFull(t *testing.T) {
	for _, times := range []int{counterTop, counterTop + 1, 1000} {
		c := newCountingOf(t, 10, 0.01)
		key, other := []byte("many times"), []byte("once")
		c.Add(other)
		for range times {
			c.Add(key)
		}
		for i := range times {
			if !c.Remove(key) || !c.MayContain(key) || !c.MayContain(other) {
				t.Fatalf("added %d times: denied after it was taken out %d times", times, i+1)
			}
		}
		if !c.Remove(other) || c.Len() != 0 {
			t.Errorf("added %d times: length %d", times, c.Len())
		}
		for p := range c.m {
			if at := c.at(p); at != 0 && at != counterTop {
				t.Errorf("added %d times: counter %d is %d", times, p, at)
			}
		}
	}
}

// Below that a key can be taken out as often as it was put in.
func TestCountersCount(t *testing.T) {
	c := newCountingOf(t, 10, 0.01)
	key := []byte("fourteen times")
	for range counterTop - 1 {
		c.Add(key)
	}
	for i := range counterTop - 1 {
		if !c.MayContain(key) || !c.Remove(key) {
			t.Fatalf("gone after %d times", i)
		}
	}
	if c.MayContain(key) || c.Remove(key) || c.nonzero != 0 {
		t.Error("there are more than were put in")
	}
}

// Recipe FLT-20: few keys in tiny filters, where several probes meet in one counter; the empty key's all do.
func TestCountingOfFewKeys(t *testing.T) {
	rounds := 100_000
	if quick() {
		rounds = 5_000
	}
	const seed = 91
	r := rand.New(rand.NewPCG(seed, 0))
	filters := map[int][]byte{} // empty ones
	for n := 1; n <= 64; n++ {
		filters[n], _ = newCountingOf(t, n, 0.01).MarshalBinary()
	}
	keys := make([][]byte, 64)
	for round := range rounds {
		n := 1 + round%len(keys)
		var c Counting
		if err := c.UnmarshalBinary(filters[n]); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			keys[i] = binary.BigEndian.AppendUint64(nil, r.Uint64())
			if i == 0 {
				keys[i] = nil
			}
			c.Add(keys[i])
		}
		for i := range n {
			if !c.MayContain(keys[i]) {
				t.Fatalf("seed %d, round %d: key %d of %d is denied", seed, round, i, n)
			}
		}
		for i := range n {
			if !c.Remove(keys[i]) {
				t.Fatalf("seed %d, round %d: key %d of %d cannot be taken out", seed, round, i, n)
			}
		}
		if c.nonzero != 0 {
			t.Fatalf("seed %d, round %d: %d counters are left", seed, round, c.nonzero)
		}
	}
}

func TestCountingTakesFourTimesTheMemory(t *testing.T) {
	c, f := newCountingOf(t, 10_000, 0.01), newFilter(t, 10_000, 0.01)
	if c.m != f.bits.m || c.probes != f.bits.probes || len(c.counters) != int(wordsFor(4*f.bits.m)) {
		t.Errorf("%d counters, %d probes, %d words; a Filter has %d bits, %d probes", c.m, c.probes, len(c.counters), f.bits.m, f.bits.probes)
	}
}
