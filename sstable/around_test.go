package sstable

import (
	"bytes"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// large is more than is brought in whole.
const large = aroundCredit + 1

// warm is a WarmUp that reads around from the first block on, with credit for so many of them.
func warm(blocks int64) *WarmUp {
	w := NewWarmUp(large, nil)
	w.alone.Store(0)
	w.credit.Store(blocks * aroundSize)
	return w
}

// TestAroundReadsWhatTheFileHas compares reads of all sizes, beyond the end and into a broken part of the file too,
// with those of the file itself.
func TestAroundReadsWhatTheFileHas(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		file := newWatched(1 + rng.IntN(1<<20))
		if rng.IntN(3) == 0 {
			file.failAt, file.nothing = 1+rng.Int64N(int64(len(file.content))), rng.IntN(2) == 0
		}
		size := int64(len(file.content))
		around := &aroundFile{file, rng.Int64N(size + 1), NewReadAround(warm(rng.Int64N(20)), size)}
		for range 200 {
			p, q := make([]byte, 1+rng.IntN(8<<10)), make([]byte, 8<<10)
			offset := rng.Int64N(size)
			n, err := around.ReadAt(p, offset)
			m, want := file.ReadAt(q[:len(p)], offset)
			if !bytes.Equal(p[:n], q[:m]) || n < len(p) && err != want {
				t.Fatalf("%d bytes at %d of %d: %d bytes, %v; the file gives %d, %v", len(p), offset, size, n, err, m, want)
			}
		}
	}
}

// TestAroundWaitsForProof: the first blocks are read alone, from whichever table they are; later ones bring their
// neighbours, once, and nothing beyond the data.
func TestAroundWaitsForProof(t *testing.T) {
	const size = 4 << 20
	w := NewWarmUp(large, func() { t.Error("tables are to be brought in that are too large for it") })
	p := make([]byte, 4096)
	first, second := newWatched(size), newWatched(size)
	const limit = size - 100
	tables := []*aroundFile{{first, limit, NewReadAround(w, size)}, {second, limit, NewReadAround(w, size)}}
	bytesRead := func() int64 { return first.bytes + second.bytes }
	for i := range int64(aloneFirst) {
		if _, err := tables[i%2].ReadAt(p, i*8192%limit); err != nil {
			t.Fatal(err)
		}
	}
	if got := bytesRead(); got != aloneFirst*4096 {
		t.Fatalf("%d bytes were read for %d blocks", got, aloneFirst)
	}
	for range 2 { // the second time alone
		if _, err := tables[0].ReadAt(p, 4096); err != nil {
			t.Fatal(err)
		}
	}
	if got := bytesRead(); got != (aloneFirst+1)*4096+aroundSize {
		t.Errorf("%d bytes were read", got)
	}
	before := bytesRead()
	if _, err := tables[1].ReadAt(p, limit-4096); err != nil {
		t.Fatal(err)
	}
	if got := bytesRead() - before; got != aroundSize-100 {
		t.Errorf("%d bytes were read around the last block", got)
	}
}

// TestWholeWaitsForProof: tables that there is credit for are to be brought in with the last of the first blocks,
// whichever reader asks for it, once; and no block is read around.
func TestWholeWaitsForProof(t *testing.T) {
	var whole atomic.Int64
	w := NewWarmUp(aroundCredit, func() { whole.Add(1) })
	var file countingFile
	around := &aroundFile{&file, 1 << 30, NewReadAround(w, 1<<30)}
	read := func(blocks int64) {
		p := make([]byte, 100)
		for i := range blocks {
			if _, err := around.ReadAt(p, i*aroundSize); err != nil {
				t.Error(err)
			}
		}
	}
	read(aloneFirst - 1)
	if n := whole.Load(); n != 0 {
		t.Errorf("tables are to be brought in %d times after %d blocks", n, aloneFirst-1)
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() { read(2 * aloneFirst) })
	}
	readers.Wait()
	if n := whole.Load(); n != 1 || file.large != 0 {
		t.Errorf("tables are to be brought in %d times, %d blocks were read around", n, file.large)
	}
}

// TestAroundIsBounded: blocks of a store whose neighbours are not asked for use up the credit and are read alone from
// then on; neighbours that are asked for win it back, so that a store of twice the credit comes in whole.
func TestAroundIsBounded(t *testing.T) {
	const blocks, size = 16, 1000 * aroundSize
	p := make([]byte, 100)
	var cold countingFile
	far := &aroundFile{&cold, size, NewReadAround(warm(blocks), size)}
	for i := range int64(1000) {
		if _, err := far.ReadAt(p, i*aroundSize); err != nil {
			t.Fatal(err)
		}
	}
	if cold.large != blocks {
		t.Errorf("%d reads around blocks, there was credit for %d", cold.large, blocks)
	}
	var hot countingFile
	const near = 2 * blocks * aroundSize
	all := &aroundFile{&hot, near, NewReadAround(warm(blocks), near)}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		if _, err := all.ReadAt(p, rng.Int64N(near-100)/100*100); err != nil {
			t.Fatal(err)
		}
	}
	if hot.large != 2*blocks {
		t.Errorf("%d of %d parts of the store were read around", hot.large, 2*blocks)
	}
}

// countingFile is an endless file whose reads around blocks are counted.
type countingFile struct {
	mu    sync.Mutex
	large int
	twice []int64 // where more than one of them began
	began map[int64]bool
}

func (f *countingFile) ReadAt(p []byte, offset int64) (int, error) {
	if len(p) == aroundSize {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.large++
		if f.began[offset] {
			f.twice = append(f.twice, offset)
		}
		if f.began == nil {
			f.began = make(map[int64]bool)
		}
		f.began[offset] = true
	}
	return len(p), nil
}

// TestAroundOfManyReaders: readers side by side read around each part once, as many parts at least as there is credit
// for.
func TestAroundOfManyReaders(t *testing.T) {
	const parts, credit = 64, 40
	var file countingFile
	around := &aroundFile{&file, parts * aroundSize, NewReadAround(warm(credit), parts*aroundSize)}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			p := make([]byte, 100)
			for i := range int64(parts) {
				if n, err := around.ReadAt(p, i*aroundSize); n != len(p) || err != nil && err != io.EOF {
					t.Errorf("%d bytes, %v", n, err)
				}
			}
		})
	}
	readers.Wait()
	if file.large < credit || len(file.twice) > 0 {
		t.Errorf("%d reads around blocks, there was credit for %d of %d; twice at %v", file.large, credit, parts, file.twice)
	}
}
