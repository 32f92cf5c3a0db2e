package sstable

import (
	"errors"
	"maps"
	"slices"

	"siftdb/bloom"
)

// headRead is how much of a filter is read for its head: enough for filters in many parts.
const headRead = 4 << 10

// LoadElastic reads the head of a filter that is stored in planes, and none of its planes; the errors are those of
// LoadFilter. It is nil, without an error, for a filter of another family, which is loaded whole.
func (r *Reader) LoadElastic() (*bloom.Elastic, error) {
	if r.props.FilterFamily != bloom.FamilyRibbon.String() {
		return nil, nil
	}
	h := r.footer.filterHandle()
	head := make([]byte, min(h.length, headRead))
	if err := r.source.read(head, h.offset); err != nil {
		return nil, err
	}
	size, err := bloom.HeadBytes(head)
	if err != nil {
		return nil, r.filterError(err)
	}
	if int64(size) > h.length {
		return nil, r.source.corrupt(h.offset, "filter: a head of %d bytes in a block of %d", size, h.length)
	}
	if size > len(head) {
		rest := make([]byte, size-len(head))
		if err := r.source.read(rest, h.offset+int64(len(head))); err != nil {
			return nil, err
		}
		head = append(head, rest...)
	}
	head = head[:size]
	elastic, err := bloom.ParseElastic(head)
	if err != nil {
		return nil, r.filterError(err)
	}
	if err := r.checkFilter(elastic, head); err != nil {
		return nil, err
	}
	if at, length := elastic.PlaneRange(elastic.Planes() - 1); at+length != h.length {
		return nil, r.source.corrupt(h.offset, "filter: its planes end at byte %d of a block of %d", at+length, h.length)
	}
	return elastic, nil
}

// LoadPlanes reads planes from first up to, and without, end with one read of the file, and returns e, which is of this
// table, with those that are intact. The error joins a *corrupt.Error for each that is damaged; e goes on without them.
func (r *Reader) LoadPlanes(e *bloom.Elastic, first, end int) (*bloom.Elastic, error) {
	from, _ := e.PlaneRange(first)
	lastAt, lastLength := e.PlaneRange(end - 1)
	b := make([]byte, lastAt+lastLength-from)
	block := r.footer.filterHandle()
	if err := r.source.read(b, block.offset+from); err != nil {
		return e, err
	}
	with, bad := e.WithRun(first, end, b)
	var damaged []error
	for _, i := range slices.Sorted(maps.Keys(bad)) {
		at, _ := e.PlaneRange(i)
		damaged = append(damaged, r.source.corrupt(block.offset+at, "filter: plane %d: %v", i, bad[i]))
	}
	return with, errors.Join(damaged...)
}
