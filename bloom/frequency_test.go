package bloom

import (
	"math/rand/v2"
	"testing"
)

// A count is never too low before it ages, and seldom too high.
func TestFrequencyCounts(t *testing.T) {
	const things, seed = 2000, 101
	r := rand.New(rand.NewPCG(seed, 0))
	f := NewFrequency(things)
	hashes := randomHashes(r, things)
	want := map[Hash]int{}
	for range 4 * things {
		h := hashes[int(r.Float64()*r.Float64()*things)]
		f.Add(h)
		want[h]++
	}
	tooHigh := 0
	for _, h := range hashes {
		switch got, want := f.Count(h), min(want[h], counterTop); {
		case got < want:
			t.Fatalf("seed %d: counted %d of %d", seed, got, want)
		case got > want:
			tooHigh++
		}
	}
	if tooHigh > things/20 {
		t.Errorf("seed %d: %d of %d counts are too high", seed, tooHigh, things)
	}
}

func TestFrequencyStopsAtTheTop(t *testing.T) {
	f := NewFrequency(1000)
	h := Hash{1 << 63, 2}
	for range 40 {
		f.Add(h)
	}
	if got := f.Count(h); got != counterTop {
		t.Errorf("counted %d", got)
	}
	// The empty hash has all its places in one.
	for range 3 {
		f.Add(Hash{})
	}
	if got := f.Count(Hash{}); got != 3 {
		t.Errorf("the empty hash is counted %d times", got)
	}
}

// When a window has passed all counts are halved; things that come once do not make it pass.
func TestFrequencyAges(t *testing.T) {
	const things = 100
	f := NewFrequency(things)
	h := Hash{1 << 40, 5}
	for range 9 {
		f.Add(h)
	}
	r := rand.New(rand.NewPCG(102, 0))
	once := randomHashes(r, things/4)
	for _, o := range once {
		f.Add(o)
	}
	if got := f.Count(h); got != 9 {
		t.Fatalf("counted %d after things that came once", got)
	}
	for i := range things * frequencyWindow {
		f.Add(once[i%len(once)])
	}
	if got := f.Count(h); got < 3 || got > 5 {
		t.Errorf("counted %d after a window", got)
	}
	for i := range 3 * things * frequencyWindow {
		f.Add(once[i%len(once)])
	}
	if got := f.Count(h); got != 0 {
		t.Errorf("counted %d after many windows", got)
	}
}

func TestFrequencyOfFewThings(t *testing.T) {
	for _, things := range []int{-1, 0, 1, 2, 7} {
		f := NewFrequency(things)
		for i := range uint64(1000) {
			f.Add(Hash{remix(i), remix(i + 1)})
		}
		if size := len(f.counters) * 8; size > 64 {
			t.Errorf("%d things: %d bytes", things, size)
		}
	}
}

func BenchmarkFrequency(b *testing.B) {
	f := NewFrequency(100_000)
	hashes := randomHashes(rand.New(rand.NewPCG(103, 0)), benchProbes)
	b.Run("add", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			f.Add(hashes[i%benchProbes])
		}
	})
	b.Run("count", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			f.Count(hashes[i%benchProbes])
		}
	})
}
