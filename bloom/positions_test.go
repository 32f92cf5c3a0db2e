package bloom

import (
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
	"testing"
)

func TestClassicPositionsAreTheTextbooks(t *testing.T) {
	type file struct {
		Filters []struct {
			M    uint64
			K    int
			Keys []struct {
				KeyHex  string `json:"key_hex"`
				Classic []uint64
			}
			Bits    string `json:"bits_classic_hex"`
			SetBits uint64 `json:"set_bits_classic"`
		}
	}
	for _, f := range vectors[file](t, "probe_positions.json").Filters {
		array := newBitArray(make([]uint64, wordsFor(f.M)), f.M, f.K)
		set := uint64(0)
		for _, key := range f.Keys {
			h := Sum(unhex(t, key.KeyHex))
			one := newBitArray(make([]uint64, wordsFor(f.M)), f.M, f.K)
			set += array.add(h)
			one.add(h)
			want := make([]uint64, wordsFor(f.M))
			for _, p := range key.Classic {
				want[p/wordBits] |= 1 << (p % wordBits)
			}
			for i := range want {
				if one.words[i] != want[i] {
					t.Errorf("m %d, key %s: word %d is %x, want %x", f.M, key.KeyHex, i, one.words[i], want[i])
				}
			}
			if !one.MayContain(h) {
				t.Errorf("m %d, key %s: denied", f.M, key.KeyHex)
			}
		}
		if f.Bits == "" {
			continue
		}
		payload := appendFilter(nil, Header{}, array.words)[headerSize:]
		if got := hex.EncodeToString(payload[:(f.M+7)/8]); got != f.Bits || set != f.SetBits {
			t.Errorf("m %d: %d bits set, %s, want %d, %s", f.M, set, got, f.SetBits, f.Bits)
		}
	}
}

// The quotient by multiplication may be one too small, never more, and never too large.
func TestPositionIsTheRemainder(t *testing.T) {
	const seed = 77
	r := rand.New(rand.NewPCG(seed, 0))
	edges := []uint64{0, 1, 2, 3, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 2, 1<<64 - 1}
	check := func(x, m uint64) {
		if m == 0 || m > 1<<63 {
			return
		}
		a := newBitArray(nil, m, 1)
		if got := position(x, m, a.inverse); got != x%m {
			t.Fatalf("seed %d: %d mod %d is %d, want %d", seed, x, m, got, x%m)
		}
	}
	for _, x := range edges {
		for _, m := range edges {
			check(x, m)
		}
	}
	for range 300_000 {
		m := r.Uint64() >> r.IntN(64)
		check(r.Uint64(), m)
		check(m*uint64(r.IntN(1000))-uint64(r.IntN(2)), m) // at and just under a multiple
	}
}

// Recipe FSZ-02: positions past 2^32, on the functions alone, so that no memory is needed.
func TestPositionsReachTheEndOfLargeFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(78, 0))
	for _, m := range []uint64{1<<31 + 1, 1<<32 + 1, 1 << 36, 1 << 40} {
		a := newBitArray(nil, m, 1)
		for name, at := range map[string]func() uint64{
			"classic": func() uint64 { return position(r.Uint64()+7*r.Uint64(), m, a.inverse) },
			"blocked": func() uint64 { return lineOf(r.Uint64(), m) },
		} {
			const draws = 1_000_000
			highest, sum := uint64(0), 0.0
			for range draws {
				p := at()
				if p >= m {
					t.Fatalf("%s, m %d: position %d", name, m, p)
				}
				highest = max(highest, p)
				sum += float64(p)
			}
			if mean := sum / draws / float64(m); float64(highest) < 0.99*float64(m) || mean < 0.495 || mean > 0.505 {
				t.Errorf("%s, m %d: highest %d, mean %.4f of m", name, m, highest, mean)
			}
		}
	}
}

func TestSizesPastTheLimitAreRefused(t *testing.T) {
	for _, keys := range []uint64{1 << 45, 1 << 53, 1<<64 - 1} {
		if m, err := classicBits(keys, 10); err == nil {
			t.Errorf("classic: %d keys get %d bits", keys, m)
		}
		if lines, err := blockedLines(keys, 10); err == nil {
			t.Errorf("blocked: %d keys get %d lines", keys, lines)
		}
	}
	// Two thousand million keys at 1 % are far past 2^32 bits, and fine where slices can hold them.
	m, err := classicBits(2_000_000_000, 9.585)
	if bits.UintSize == 64 && (err != nil || m != 19_170_000_001) {
		t.Errorf("%d bits, %v", m, err)
	}
	lines, err := blockedLines(2_000_000_000, 10)
	if bits.UintSize == 64 && (err != nil || lines != 39_062_500) {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// The bits of a line come from h2 alone and must not follow the choice of the line: each bit of each line is hit alike, and
// pairs of a key's bits fall together as often as chance has it.
func TestBitsInALineAreIndependent(t *testing.T) {
	const seed, draws = 79, 200_000
	r := rand.New(rand.NewPCG(seed, 0))
	for _, k := range []int{2, 7, 8, 14, 16} {
		a := newLineArray(make([]uint64, lineWords), k)
		var hits [lineBits]int
		together := 0
		for range draws {
			clear(a.words)
			a.add(Hash{0, r.Uint64()})
			ones := 0
			for w, word := range a.words {
				ones += bits.OnesCount64(word)
				for ; word != 0; word &= word - 1 {
					hits[w*wordBits+bits.TrailingZeros64(word)]++
				}
			}
			together += k - ones
		}
		mean := float64(draws) * (1 - pow(1-1.0/lineBits, k))
		for bit, n := range hits {
			if d := float64(n) - mean; d*d > 25*mean {
				t.Errorf("seed %d, k %d: bit %d set %d times, expected %.0f", seed, k, bit, n, mean)
			}
		}
		expected := float64(draws) * (float64(k) - lineBits*(1-pow(1-1.0/lineBits, k)))
		if d := float64(together) - expected; d*d > 25*expected {
			t.Errorf("seed %d, k %d: %d probes on a bit already set, expected %.0f", seed, k, together, expected)
		}
	}
}

func pow(x float64, n int) float64 {
	p := 1.0
	for range n {
		p *= x
	}
	return p
}
