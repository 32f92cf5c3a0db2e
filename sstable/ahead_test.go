package sstable

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// watched is a file whose reads are counted, and which fails at and after an offset, if that is not 0. What comes before
// it, a read that goes beyond brings as well, or, with nothing, not.
type watched struct {
	content []byte
	failAt  int64
	nothing bool
	reads   int
	bytes   int64 // asked for
	end     int64 // of what was read, at most
}

var errWatched = errors.New("the disk is broken there")

func (w *watched) ReadAt(p []byte, offset int64) (int, error) {
	w.reads++
	w.bytes += int64(len(p))
	w.end = max(w.end, offset+int64(len(p)))
	switch failed := w.failAt > 0 && offset+int64(len(p)) > w.failAt; {
	case failed && w.nothing:
		return 0, errWatched
	case failed:
		return copy(p, w.content[min(offset, w.failAt):w.failAt]), errWatched
	}
	return bytes.NewReader(w.content).ReadAt(p, offset)
}

func newWatched(size int) *watched {
	w := &watched{content: make([]byte, size)}
	for i := range w.content {
		w.content[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return w
}

// TestAheadReadsWhatTheFileHas compares reads of all kinds, in rows, with gaps, back and forth, beyond the end and into a
// broken part of the file, with those of the file itself.
func TestAheadReadsWhatTheFileHas(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var a ahead
	for range 300 {
		file := newWatched(1 + rng.IntN(1<<20))
		if rng.IntN(3) == 0 {
			file.failAt, file.nothing = 1+rng.Int64N(int64(len(file.content))), rng.IntN(2) == 0
		}
		limit := rng.Int64N(int64(len(file.content)) + 1)
		a.reset(file, limit, Mode(rng.IntN(3)))
		at := int64(0)
		for range 200 {
			switch rng.IntN(20) {
			case 0:
				at = rng.Int64N(int64(len(file.content)))
			case 1:
				at += rng.Int64N(20_000)
			case 2:
				at = max(0, at-rng.Int64N(20_000))
			}
			got, want := make([]byte, 1+rng.IntN(9000)), make([]byte, 9000)
			want = want[:len(got)]
			file.end = 0
			n, err := a.ReadAt(got, at)
			if most := max(limit, at+int64(len(got))); file.end > most {
				t.Fatalf("seed %d: a read up to %d with limit %d reads up to %d", seed, at+int64(len(got)), limit, file.end)
			}
			m, wantErr := file.ReadAt(want, at)
			if n != m || !bytes.Equal(got[:n], want[:m]) || n < len(got) && !errors.Is(err, wantErr) {
				t.Fatalf("seed %d: %d bytes at %d of %d: %d, %v; the file gives %d, %v", seed, len(got), at, len(file.content), n, err, m, wantErr)
			}
			at += int64(len(got))
		}
		a.close()
	}
}

// TestAheadReadsSeldomInAWalk: a walk takes a read for each mostAhead bytes, and looking here and there takes no more
// than it takes without.
func TestAheadReadsSeldomInAWalk(t *testing.T) {
	const size, piece = 4 << 20, 2000
	file := newWatched(size)
	p := make([]byte, piece)
	var a ahead
	a.reset(file, size, UseCache)
	for at := int64(0); at+piece <= size; at += piece {
		if n, err := a.ReadAt(p, at); n != piece || err != nil && err != io.EOF {
			t.Fatal(n, err)
		}
	}
	if most := size/mostAhead + 10; file.reads > most {
		t.Errorf("%d reads for a walk over %d bytes, want at most %d", file.reads, size, most)
	}
	a.close()
	if cap(a.buf) > keptAhead {
		t.Errorf("%d bytes are kept", cap(a.buf))
	}

	for name, step := range map[string]int64{"backward": -piece, "far apart": 10 * mostAhead} {
		file.reads = 0
		a.reset(file, size, UseCache)
		looks := 0
		for at := int64(size/2 - piece); at >= 0 && at+piece <= size; at += step {
			file.end = 0
			a.ReadAt(p, at)
			looks++
			if file.end != at+piece {
				t.Fatalf("%s: a read up to %d reads up to %d", name, at+piece, file.end)
			}
		}
		if file.reads != looks {
			t.Errorf("%s: %d reads for %d", name, file.reads, looks)
		}
	}
}

// TestAheadFailsOnlyWhereTheFileDoes: where a file gives nothing of a read that touches a broken place, a walk still gets
// all that comes before the place, and reads it about as often as without reading ahead.
func TestAheadFailsOnlyWhereTheFileDoes(t *testing.T) {
	const size, piece, pieces = 4 << 20, 2000, 1000
	for _, mode := range []Mode{UseCache, PeekCache} {
		file := newWatched(size)
		file.failAt, file.nothing = pieces*piece+5, true
		p := make([]byte, piece)
		var a ahead
		a.reset(file, size, mode)
		for i := range int64(pieces) {
			if n, err := a.ReadAt(p, i*piece); n != piece || !bytes.Equal(p, file.content[i*piece:][:piece]) {
				t.Fatalf("piece %d, which ends %d bytes before the broken place: %d, %v", i, file.failAt-(i+1)*piece, n, err)
			}
		}
		if _, err := a.ReadAt(p, pieces*piece); err != errWatched {
			t.Errorf("the broken piece: %v", err)
		}
		if most := pieces*piece/mostAhead + 2*mostAhead/piece; file.reads > most {
			t.Errorf("%d reads, want at most %d", file.reads, most)
		}
	}
}
