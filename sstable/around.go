package sstable

import (
	"io"
	"sync"
	"sync/atomic"
)

const (
	// aroundSize is how much is read around a block, in bytes. Of a fast disk it takes as long as three single blocks;
	// of one whose head has to move, hardly longer than one.
	aroundSize = 128 << 10
	// aloneFirst is how many blocks a store reads alone before it reads anything else with them: whoever asks for a
	// few, or for absent keys that a filter lets pass now and then, does not pay for their neighbours.
	aloneFirst = 128
	// aroundCredit bounds, in bytes, what is read without being asked for later. Tables that have no more together are
	// brought in whole. Larger ones, of up to about twice that, come into the system's file cache whole too if they are
	// read all over.
	aroundCredit = 256 << 20
	// aroundReturn is what a block that was read with another's surroundings gives back of the credit.
	aroundReturn = aroundSize / 2
)

// WarmUp is how the tables of a store that was just opened come into memory, once so many of their blocks were asked
// for that it pays. Where the credit is enough for all, their owner is told to bring them in, and blocks go on to be
// read alone: large reads from front to back bring them in half the time that reads around blocks take.
//
// Of a larger store each block that is asked for is read with what is around it, so that its neighbours are there when
// they are asked for. That wins credit back, and uses it up, once, while they are not: the cost of reading around
// blocks of a store much larger than memory is bounded, whatever is asked for.
//
// Any number of goroutines may use it. The zero value reads nothing but the blocks.
type WarmUp struct {
	alone  atomic.Int64 // blocks to come before anything else is read
	credit atomic.Int64 // bytes
	whole  func()       // has the tables brought in; nil: blocks are read around
}

// NewWarmUp is that of tables of so many bytes together, which the system has not read yet, as far as anybody knows. If
// they are to be brought in whole, whole is called, once, from a read of a block: it must not wait for it to be done.
func NewWarmUp(bytes int64, whole func()) *WarmUp {
	w := new(WarmUp)
	w.alone.Store(aloneFirst)
	if bytes <= aroundCredit {
		w.whole = whole
	} else {
		w.credit.Store(aroundCredit)
	}
	return w
}

// take takes the credit for one more read around a block, if it can be had.
func (w *WarmUp) take() bool {
	if w.waits() || w.credit.Load() < aroundSize {
		return false
	}
	if w.credit.Add(-aroundSize) >= 0 {
		return true
	}
	w.credit.Add(aroundSize)
	return false
}

// waits says whether a block is one of the first, which come alone. The last of them has the tables brought in.
func (w *WarmUp) waits() bool {
	if w.alone.Load() <= 0 {
		return false
	}
	left := w.alone.Add(-1)
	if left == 0 && w.whole != nil {
		w.whole()
	}
	return left >= 0
}

// give gives credit back, up to what there was at first or a little beyond: several may give at once.
func (w *WarmUp) give(bytes int64) {
	if w.credit.Load() < aroundCredit {
		w.credit.Add(bytes)
	}
}

// ReadAround notes what was read around the blocks of one table. It outlives the Reader, for the next Reader of the
// table goes on with it. Any number of goroutines may use it.
type ReadAround struct {
	warmUp *WarmUp
	read   []atomic.Uint64 // a bit for each aroundSize bytes of the file
}

// NewReadAround is for one of w's tables, in a file of so many bytes.
func NewReadAround(w *WarmUp, fileSize int64) *ReadAround {
	const bytesPerWord = 64 * aroundSize
	return &ReadAround{warmUp: w, read: make([]atomic.Uint64, (fileSize+bytesPerWord-1)/bytesPerWord)}
}

// wants says whether a block in the part-th aroundSize bytes of the file is to be read with all of them.
func (a *ReadAround) wants(part int64) bool {
	word, bit := &a.read[part/64], uint64(1)<<(part%64)
	if word.Load()&bit != 0 {
		a.warmUp.give(aroundReturn)
		return false
	}
	if !a.warmUp.take() {
		return false
	}
	if word.Or(bit)&bit != 0 {
		a.warmUp.give(aroundSize) // another read was faster
		return false
	}
	return true
}

// aroundFile reads blocks of a table's file with their surroundings, as far as around wants them.
type aroundFile struct {
	file   io.ReaderAt
	limit  int64 // of the data blocks: nothing beyond is read around
	around *ReadAround
}

// ReadAt implements io.ReaderAt.
func (f *aroundFile) ReadAt(p []byte, offset int64) (int, error) {
	part, end := offset/aroundSize, offset+int64(len(p))
	start := part * aroundSize
	stop := min(start+aroundSize, f.limit)
	if end > stop || len(p) > aroundSize/2 || !f.around.wants(part) {
		return f.file.ReadAt(p, offset)
	}
	buf := surroundings.Get().(*[aroundSize]byte)
	defer surroundings.Put(buf)
	n, _ := f.file.ReadAt(buf[:stop-start], start)
	if int64(n) < end-start {
		// What is wrong may be beside the block only: some systems give nothing of a read that touches a bad place.
		return f.file.ReadAt(p, offset)
	}
	return copy(p, buf[offset-start:]), nil
}

// surroundings are buffers of no read: the bytes are for the system's cache, but for the block in them.
var surroundings = sync.Pool{New: func() any { return new([aroundSize]byte) }}
