package memtable

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestArenaKeepsWhatIsWritten(t *testing.T) {
	for _, hint := range []int64{0, 1 << 20, 1 << 40} {
		var a arena
		a.init(hint, nil)
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 0))
		type piece struct {
			r ref
			n int
		}
		var pieces []piece
		used := int64(0)
		for i := range 3000 {
			n := 1 + rng.IntN(1+rng.IntN(1+rng.IntN(20_000)))
			r, b := a.alloc(n)
			if len(b) != n || r == 0 || r&probeBit != 0 {
				t.Fatalf("seed %d: alloc(%d) gives %d bytes at %x", seed, n, len(b), uint64(r))
			}
			copy(b[:n], bytes.Repeat([]byte{byte(i)}, n))
			pieces = append(pieces, piece{r, n})
			used += int64(n)
		}
		for i, p := range pieces {
			if !bytes.Equal(a.at(p.r)[:p.n], bytes.Repeat([]byte{byte(i)}, p.n)) {
				t.Fatalf("seed %d: piece %d of %d bytes has changed", seed, i, p.n)
			}
		}
		if a.reserved < used || a.reserved > 2*used {
			t.Errorf("seed %d, hint %d: %d bytes reserved for %d", seed, hint, a.reserved, used)
		}
	}
}

// TestArenaChunksFollowTheHint: a table that stays as small as it was announced to be holds little that is unused.
func TestArenaChunksFollowTheHint(t *testing.T) {
	for _, hint := range []int64{64 << 10, 1 << 20, 64 << 20} {
		var a arena
		a.init(hint, nil)
		for used := int64(0); used < hint; used += 100 {
			a.alloc(100)
		}
		if a.reserved > hint+hint/8 {
			t.Errorf("%d bytes reserved for %d", a.reserved, hint)
		}
	}
}
