package sstable

import "io"

const (
	// rowBeforeAhead is how many reads in a row, each where the one before ended, make a walk out of them.
	rowBeforeAhead = 2
	// A walk is read ahead by leastAhead bytes first, and by twice as many each time up to mostAhead.
	leastAhead = 16 << 10
	mostAhead  = 128 << 10
	// keptAhead is the memory in bytes that is kept for the next walk.
	keptAhead = 32 << 10
)

// ahead reads one file for a walk: once reads have gone on from where the one before ended, what the next ones will ask
// for is read with them, since a read costs more than the bytes that it brings. Reads that do not go on cost what they
// cost without it. One goroutine at a time.
type ahead struct {
	file  io.ReaderAt
	limit int64 // nothing from here on is read ahead

	buf    []byte // of the file, from start on
	start  int64
	next   int64 // where the last read ended
	row    int   // reads in a row so far
	window int64 // bytes to read ahead the next time
}

// reset makes a one for reads below limit of another file, with the memory that it has. A long walk is read ahead from
// its second read on.
func (a *ahead) reset(file io.ReaderAt, limit int64, mode Mode) {
	*a = ahead{file: file, limit: limit, buf: a.buf[:0], next: -1}
	if mode != UseCache {
		a.row = rowBeforeAhead - 1
	}
}

// close lets go of the file, and of memory beyond keptAhead.
func (a *ahead) close() {
	buf := a.buf[:0]
	if cap(buf) > keptAhead {
		buf = nil
	}
	*a = ahead{buf: buf}
}

// ReadAt implements io.ReaderAt.
func (a *ahead) ReadAt(p []byte, offset int64) (int, error) {
	goesOn := offset >= a.next && offset <= a.next+max(a.window, int64(len(p))) // what lies between was in the cache
	a.next = offset + int64(len(p))
	if offset >= a.start && a.next <= a.start+int64(len(a.buf)) {
		return copy(p, a.buf[offset-a.start:]), nil
	}
	switch {
	case !goesOn:
		a.row, a.window = 0, 0
	case a.row < rowBeforeAhead:
		a.row++
	}
	if a.row < rowBeforeAhead {
		return a.file.ReadAt(p, offset)
	}
	a.window = min(max(2*a.window, leastAhead), mostAhead)
	size := min(a.window, a.limit-offset)
	if size <= int64(len(p)) {
		return a.file.ReadAt(p, offset)
	}
	a.fill(offset, size)
	if len(a.buf) < len(p) {
		// What is wrong may be further on only: some systems give nothing of a read that touches a bad place.
		a.row, a.window = 0, 0
		return a.file.ReadAt(p, offset)
	}
	return copy(p, a.buf), nil // what is wrong further on is for the read that comes there
}

// fill makes buf hold size bytes from offset on, or those of them that the file gives.
func (a *ahead) fill(offset, size int64) {
	var begun []byte // of the block that buf ends in
	if at := offset - a.start; at >= 0 && at < int64(len(a.buf)) {
		begun = a.buf[at:]
	}
	if int64(cap(a.buf)) < size {
		a.buf = make([]byte, size)
	}
	a.buf = a.buf[:size]
	had := copy(a.buf, begun)
	got, _ := a.file.ReadAt(a.buf[had:], offset+int64(had))
	a.buf, a.start = a.buf[:had+got], offset
}
