package sstable

import (
	"bytes"
	"errors"
	"testing"

	"siftdb/internal/corrupt"
	"siftdb/internal/key"
)

// The sections are all of the file, and the data sections hold all entries.
func TestLayoutCoversTheFile(t *testing.T) {
	r := newRand(t)
	for range 50 {
		entries := randomEntries(r)
		table := build(t, randomOptions(r), entries)
		var offset int64
		n := 0
		for s, err := range table.Layout() {
			if err != nil {
				t.Fatal(err)
			}
			if s.Offset != offset || s.Length <= 0 {
				t.Fatalf("%s section at %d, %d bytes; the one before ends at %d", s.Kind, s.Offset, s.Length, offset)
			}
			offset += s.Length
			if s.Kind == SectionData {
				first, last := entries[n].Key, entries[n+s.Entries-1].Key
				if key.Compare(s.First, first) != 0 || key.Compare(s.Last, last) != 0 {
					t.Fatalf("section of %s to %s, want %s to %s", s.First, s.Last, first, last)
				}
				n += s.Entries
			}
		}
		if offset != table.Properties().FileSize || n != len(entries) {
			t.Fatalf("sections end at %d with %d entries, want %d, %d", offset, n, table.Properties().FileSize, len(entries))
		}
		i := 0
		for e, err := range table.Entries() {
			if err != nil || key.Compare(e.Key, entries[i].Key) != 0 || !bytes.Equal(e.Value, entries[i].Value) {
				t.Fatalf("entry %d is %+v, %v", i, e, err)
			}
			i++
		}
		if i != len(entries) {
			t.Fatalf("%d of %d entries", i, len(entries))
		}
	}
}

// Dumps go on behind a damaged block.
func TestDumpsPassDamage(t *testing.T) {
	entries, file, p := damageTable(t)
	file[10] ^= 1
	file[p.DataBytes+1] ^= 1
	r := open(t, fileOf(t, file), p.FileSize, 0)
	sections, bad, n := 0, 0, 0
	for s, err := range r.Layout() {
		sections++
		if err != nil {
			bad++
			if !errors.Is(err, corrupt.ErrCorrupt) || s.Kind != SectionFilter && s.Offset != 0 {
				t.Errorf("%s section at %d: %v", s.Kind, s.Offset, err)
			}
		}
	}
	if want := int(p.DataBlocks) + 4; sections != want || bad != 2 {
		t.Errorf("%d sections, %d of them bad; want %d, 2", sections, bad, want)
	}
	bad = 0
	for _, err := range r.Entries() {
		if err != nil {
			bad++
		} else {
			n++
		}
	}
	if bad != 1 || n == 0 || n >= len(entries) {
		t.Errorf("%d of %d entries, %d errors", n, len(entries), bad)
	}
	for range r.Layout() {
		break
	}
	for range r.Entries() {
		break
	}
}
