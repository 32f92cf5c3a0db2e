package sstable

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/allocs"
	"siftdb/internal/corrupt"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// planedTable is a table whose filter is in planes, cut up.
func planedTable(t *testing.T) ([]check.Entry, parts) {
	t.Helper()
	entries := numbered(2000, 4)
	p := bloom.Ribbon(10)
	f, props := write(t, WriterOptions{
		Filter: p.Builder(bloom.Place{Level: 6, Bottommost: true}), FilterName: p.String(), AskedBits: p.AskedBits(),
	}, entries)
	return entries, takeApart(t, f, props)
}

// withFilter opens the table with another filter in the place of its own.
func (p parts) withFilter(t *testing.T, filter []byte) *Reader {
	t.Helper()
	p.filter = filter
	file := p.assemble()
	return open(t, fileOf(t, file), int64(len(file)), 0)
}

// allPlanes is what of the filter can be loaded, plane by plane: nil where its head cannot be used.
func allPlanes(t *testing.T, what string, r *Reader) (e *bloom.Elastic, damage error) {
	t.Helper()
	e, err := r.LoadElastic(0, 1)
	if err != nil {
		typed(t, what, err)
		return nil, err
	}
	if e, damage = r.LoadPlanes(e, 0, e.Planes()); damage != nil {
		typed(t, what, damage)
	}
	together, damageTogether := r.LoadElastic(e.Planes(), e.Planes())
	if together == nil || together.Resident() != e.Resident() || fmt.Sprint(damageTogether) != fmt.Sprint(damage) {
		t.Fatalf("%s: %v, loaded with the head: %v", what, damage, damageTogether)
	}
	return e, damage
}

func typed(t *testing.T, what string, err error) {
	t.Helper()
	bad, ok := errors.AsType[*corrupt.Error](err)
	if !errors.Is(err, bloom.ErrUnknown) && (!ok || bad.File != "table" || bad.Reason == "") {
		t.Errorf("%s: %v", what, err)
	}
}

// knowsAll checks that a filter denies no key of the table.
func knowsAll(t *testing.T, what string, filter bloom.TableFilter, entries []check.Entry) {
	t.Helper()
	for _, e := range entries {
		if !filter.MayContain(bloom.Sum(e.Key.User)) {
			t.Fatalf("%s: key %s is denied", what, e.Key)
		}
	}
}

// TestDamagedPlanes flips a bit in each plane of a filter, one at a time: the others are loaded, and Verify, which goes
// through all of the file, tells.
func TestDamagedPlanes(t *testing.T) {
	entries, good := planedTable(t)
	whole, err := good.withFilter(t, good.filter).LoadElastic(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole.Planes() {
		filter := bytes.Clone(good.filter)
		at, length := whole.PlaneRange(i)
		filter[at+length*int64(i)/int64(whole.Planes())] ^= 1 << (i % 8)
		r := good.withFilter(t, filter)
		e, damage := allPlanes(t, "a plane", r)
		if e == nil || damage == nil || e.Has(i) || e.Resident() != e.Planes()-1 {
			t.Fatalf("plane %d: %v, loaded is %v", i, damage, e)
		}
		knowsAll(t, "a plane", e, entries)
		filterWhole, err := r.LoadFilter()
		if err != nil || filterWhole.Bits() != e.Bits() {
			t.Errorf("plane %d: loaded whole: %v", i, err)
		}
		bad, ok := errors.AsType[*corrupt.Error](r.Verify(t.Context()))
		block := r.footer.filterHandle()
		if !ok || bad.Offset < block.offset+at || bad.Offset >= block.offset+at+length {
			t.Errorf("plane %d stands at %d, Verify says %v", i, block.offset+at, bad)
		}
	}
}

// TestPlanesWithTheHead loads the first planes with the head: as many as are asked for, but for those that are damaged,
// whether the number of planes is known or guessed, and with one read where it is known.
func TestPlanesWithTheHead(t *testing.T) {
	_, good := planedTable(t)
	whole, err := good.withFilter(t, good.filter).LoadElastic(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	planes := whole.Planes()
	for n := range planes + 2 {
		for _, bad := range []int{-1, 0, n / 2, planes - 1} {
			for _, guess := range []int{planes, 0, 1, 1000} {
				filter := bytes.Clone(good.filter)
				if bad >= 0 {
					at, length := whole.PlaneRange(bad)
					filter[at+length/2] ^= 1
				}
				r := good.withFilter(t, filter)
				reads := &countReads{ReaderAt: r.source.file}
				r.source.file = reads
				e, err := r.LoadElastic(n, guess)
				if err != nil {
					typed(t, "planes", err)
				}
				if e == nil || (err != nil) != (bad >= 0 && bad < n) || guess == planes && reads.n != 1 {
					t.Fatalf("%d of %d planes, guessed %d, damaged %d: %v after %d reads", n, planes, guess, bad, err, reads.n)
				}
				for i := range planes {
					if e.Has(i) != (i < n && i != bad) {
						t.Fatalf("%d of %d planes, guessed %d, damaged %d: plane %d is there: %v", n, planes, guess, bad, i, e.Has(i))
					}
				}
			}
		}
	}
}

// countReads is a file whose reads are counted.
type countReads struct {
	io.ReaderAt
	n int
}

func (c *countReads) ReadAt(p []byte, off int64) (int, error) {
	c.n++
	return c.ReaderAt.ReadAt(p, off)
}

// TestDamagedHeadOfPlanes flips each bit of the head: nothing is loaded, and the table reads as without a filter.
func TestDamagedHeadOfPlanes(t *testing.T) {
	entries, good := planedTable(t)
	head, err := bloom.HeadBytes(good.filter)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range head * 8 {
		filter := bytes.Clone(good.filter)
		filter[bit/8] ^= 1 << (bit % 8)
		r := good.withFilter(t, filter)
		if e, damage := allPlanes(t, "the head", r); e != nil || damage == nil {
			t.Fatalf("bit %d: loaded is %v", bit, e)
		}
		checkGet(t, r, &Access{}, entries, entries[bit].Key.User, key.MaxSeq)
	}
}

// TestCutPlanes cuts the filter block at each length of its head and about the ends of planes.
func TestCutPlanes(t *testing.T) {
	entries, good := planedTable(t)
	e, err := good.withFilter(t, good.filter).LoadElastic(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	cuts := []int64{int64(len(good.filter)) - 1}
	for i := range e.Planes() {
		at, length := e.PlaneRange(i)
		cuts = append(cuts, at-1, at, at+1, at+length/2)
	}
	for n := range cuts[1] {
		cuts = append(cuts, n)
	}
	for _, n := range cuts {
		r := good.withFilter(t, good.filter[:n])
		if e, damage := allPlanes(t, "a cut", r); e != nil || damage == nil {
			t.Fatalf("cut to %d bytes: loaded is %v", n, e)
		}
		if filter, err := r.LoadFilter(); filter != nil || err == nil {
			t.Fatalf("cut to %d bytes: loaded whole is %v", n, filter)
		} else {
			typed(t, "a cut", err)
		}
		checkGet(t, r, &Access{}, entries, entries[n%2000].Key.User, key.MaxSeq)
		if r.Verify(t.Context()) == nil {
			t.Errorf("cut to %d bytes: Verify says nothing", n)
		}
	}
}

// TestExtremesInHeadOfPlanes sets each field of the head to extremes, with all checksums put right: nothing panics, takes
// much memory, or denies a key (FLT-10).
func TestExtremesInHeadOfPlanes(t *testing.T) {
	entries, good := planedTable(t)
	const headerSize, headerSum, directorySum = bloom.HeaderSize, bloom.HeaderSize - 4, bloom.HeaderSize - 8
	head, err := bloom.HeadBytes(good.filter)
	if err != nil {
		t.Fatal(err)
	}
	for at := 8; at+8 <= head; at += 8 {
		if at == directorySum {
			continue
		}
		was := binary.LittleEndian.Uint64(good.filter[at:])
		for _, n := range []uint64{
			0, 1, 2, was - 1, was + 1, was + 64, was + 128, 2 * was, was << 8, was << 32, uint64(len(good.filter)), uint64(len(good.filter)) + 1,
			1 << 20, 1 << 30, 1 << 31, 1 << 32, math.MaxInt64, math.MaxInt64 - 1, 1 << 63, math.MaxUint64, math.MaxUint64 - 1, math.MaxUint64 - 127,
		} {
			if n == was {
				continue
			}
			p := good
			p.filter = bytes.Clone(good.filter)
			binary.LittleEndian.PutUint64(p.filter[at:], n)
			binary.LittleEndian.PutUint32(p.filter[directorySum:], crc32.Checksum(p.filter[headerSize:head], castagnoli))
			binary.LittleEndian.PutUint32(p.filter[headerSum:], crc32.Checksum(p.filter[:headerSum], castagnoli))
			p.props.filterSum = filterSum(p.filter)
			r := p.withFilter(t, p.filter)
			var e *bloom.Elastic
			var filter bloom.TableFilter
			more := allocs.Bytes(func() {
				e, _ = allPlanes(t, "an extreme", r)
				filter, _ = r.LoadFilter()
			})
			if more > 1<<20 {
				t.Errorf("%d at byte %d: %d bytes are allocated for a filter of %d", n, at, more, len(p.filter))
			}
			if e != nil {
				knowsAll(t, "an extreme", e, entries)
			}
			if filter != nil {
				knowsAll(t, "an extreme", filter, entries)
			}
		}
	}
}
