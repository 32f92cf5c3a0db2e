package sstable

import (
	"errors"

	"siftdb/bloom"
)

// headRead is how much of a filter is read for its head: enough for filters in many parts.
const headRead = 4 << 10

// LoadElastic reads the head of a filter that is stored in planes, and the first n of them. Planes is how many there
// are; it decides how much one read of the file brings, which is all unless the head is longer than most or planes is
// wrong: then further reads follow. An error without a filter is one of LoadFilter's; one beside a filter joins a
// *corrupt.Error for each of the n planes that is damaged and left out. Both are nil for a filter of another family,
// which is loaded whole.
func (r *Reader) LoadElastic(n, planes int) (*bloom.Elastic, error) {
	if r.props.FilterFamily != bloom.FamilyRibbon.String() {
		return nil, nil
	}
	h := r.footer.filterHandle()
	b, err := r.filterPiece(0, min(h.length, headRead+h.length/int64(max(1, planes))*int64(n)))
	if err != nil {
		return nil, err
	}
	e, b, err := r.parseElastic(b, h)
	if err != nil {
		return nil, err
	}
	n = min(n, e.Planes())
	start, length := e.PlaneRange(0)
	if b = b[start:]; int64(len(b)) < int64(n)*length {
		return r.LoadPlanes(e, 0, n) // the head is longer than most
	}
	return r.withPlanes(e, 0, n, b[:int64(n)*length])
}

// parseElastic is the filter in block h of which b is the beginning, without planes. It reads more of the head where b
// has not all of it, and returns b with that.
func (r *Reader) parseElastic(b []byte, h handle) (*bloom.Elastic, []byte, error) {
	size, err := bloom.HeadBytes(b)
	if err != nil {
		return nil, nil, r.filterError(err)
	}
	if int64(size) > h.length {
		return nil, nil, r.source.corrupt(h.offset, "filter: a head of %d bytes in a block of %d", size, h.length)
	}
	if had := len(b); size > had {
		b = append(b, make([]byte, size-had)...)
		if err := r.source.read(b[had:], h.offset+int64(had)); err != nil {
			return nil, nil, err
		}
	}
	e, err := bloom.ParseElastic(b[:size])
	if err != nil {
		return nil, nil, r.filterError(err)
	}
	if err := r.checkFilter(e, b[:size]); err != nil {
		return nil, nil, err
	}
	if at, length := e.PlaneRange(e.Planes() - 1); at+length != h.length {
		return nil, nil, r.source.corrupt(h.offset, "filter: its planes end at byte %d of a block of %d",
			at+length, h.length)
	}
	return e, b, nil
}

// LoadPlanes reads planes from first up to, and without, end with one read of the file, and returns e, which is of this
// table, with those that are intact. The error joins a *corrupt.Error for each that is damaged; e goes on without them.
func (r *Reader) LoadPlanes(e *bloom.Elastic, first, end int) (*bloom.Elastic, error) {
	from, _ := e.PlaneRange(first)
	lastAt, lastLength := e.PlaneRange(end - 1)
	b, err := r.filterPiece(from, lastAt+lastLength-from)
	if err != nil {
		return e, err
	}
	return r.withPlanes(e, first, end, b)
}

// withPlanes is e with the planes from first up to, and without, end that b holds, as far as they are intact.
func (r *Reader) withPlanes(e *bloom.Elastic, first, end int, b []byte) (*bloom.Elastic, error) {
	with, bad := e.WithRun(first, end, b)
	var damaged []error
	for i := first; i < end; i++ {
		if err := bad[i]; err != nil {
			at, _ := e.PlaneRange(i)
			damaged = append(damaged, r.source.corrupt(r.footer.filterHandle().offset+at, "filter: plane %d: %v",
				i, err))
		}
	}
	return with, errors.Join(damaged...)
}
