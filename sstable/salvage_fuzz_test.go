package sstable

import (
	"errors"
	"testing"

	"siftdb/internal/key"
)

// FuzzSalvage hands over only keys in order, whatever the bytes are, and does not run on.
func FuzzSalvage(f *testing.F) {
	o := filtered()
	o.BlockSize = 64
	file, p := write(f, o, numbered(8, 5))
	good := contents(f, file)
	f.Add(good)
	f.Add(good[:p.DataBytes])
	addGolden(f, func(b []byte) { f.Add(b) })
	f.Add(flipped(good, 100))
	f.Add(append(flipped(good, 40), 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = b[:min(len(b), 2000)] // the search grows with the square
		enough := errors.New("enough")
		var last key.Key
		n := uint64(0)
		found, err := Salvage(t.Context(), fileOf(t, b), int64(len(b)), "table", func(k key.Key, _ []byte) error {
			if n > 0 && key.Compare(last, k) >= 0 {
				t.Errorf("%s comes after %s", k, last)
			}
			if n++; n > uint64(len(b))*snappyExpansion {
				return enough
			}
			last = k.Clone()
			return nil
		})
		if err != nil || found.Entries != n {
			t.Errorf("%d of %d entries, %v", found.Entries, n, err)
		}
	})
}
