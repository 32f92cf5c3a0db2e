package sstable

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"siftdb/internal/iter/check"
)

// search and compareSeparator against what the separators were made of, over keys of all shapes.
func TestIndexSearch(t *testing.T) {
	r := newRand(t)
	for round := range 300 {
		prefix := bytes.Repeat([]byte("p"), []int{0, 1, 20}[round%3])
		var users [][]byte
		for _, e := range check.Generate(r, 2+r.IntN(100), 1+r.IntN(3)) {
			users = append(users, append(bytes.Clone(prefix), e.Key.User...))
		}
		var w indexWriter
		var separators [][]byte
		for i, user := range users {
			if i > 0 {
				if err := w.addSeparator(users[i-1], user); err != nil {
					t.Fatal(err)
				}
				separators = append(separators, appendSeparator(nil, users[i-1], user))
			}
			w.addBlock(int64(10 + i))
		}
		end := int64(10*len(users) + len(users)*(len(users)-1)/2)
		x, err := parseIndex(w.append(nil), end)
		if err != nil {
			t.Fatal(err)
		}
		if x.blocks() != len(users) || x.block(len(users)-1).end() != end {
			t.Fatalf("%d blocks up to %d, want %d, %d", x.blocks(), x.block(len(users)-1).end(), len(users), end)
		}
		for range 300 {
			user := near(r, users[r.IntN(len(users))])
			want, _ := slices.BinarySearchFunc(separators, user, bytes.Compare)
			if got := x.search(user); got != want {
				t.Fatalf("search(%q) is %d, want %d of %q", user, got, want, separators)
			}
			i := r.IntN(len(separators))
			if got, want := x.compareSeparator(user, i), bytes.Compare(user, separators[i]); got != want {
				t.Fatalf("compareSeparator(%q, %q) is %d, want %d", user, separators[i], got, want)
			}
		}
	}
}

func TestIndexOfNothing(t *testing.T) {
	x, err := parseIndex(new(indexWriter).append(nil), 0)
	if err != nil || x.blocks() != 0 || x.search([]byte("a")) != 0 {
		t.Fatalf("%+v, %v", x, err)
	}
}

func TestDamagedIndex(t *testing.T) {
	var w indexWriter
	w.addBlock(100)
	if err := w.addSeparator([]byte("abc"), []byte("abx")); err != nil {
		t.Fatal(err)
	}
	w.addBlock(50)
	good := w.append(nil)
	if _, err := parseIndex(good, 150); err != nil {
		t.Fatal(err)
	}
	for _, end := range []int64{0, 100, 149, 151, 1 << 40} {
		if _, err := parseIndex(good, end); err == nil {
			t.Errorf("150 bytes of blocks were accepted for %d", end)
		}
	}
	for n := range good {
		if _, err := parseIndex(good[:n], 150); err == nil {
			t.Errorf("%d of %d bytes were accepted", n, len(good))
		}
	}
	if _, err := parseIndex(append(bytes.Clone(good), 0), 150); err == nil {
		t.Error("a byte too many was accepted")
	}
	huge := append([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, good...)
	if n := testing.AllocsPerRun(1, func() {
		if _, err := parseIndex(huge, 150); err == nil {
			t.Error("2^41 blocks were accepted")
		}
	}); n > 20 {
		t.Errorf("%v allocations for an index that claims 2^41 blocks", n)
	}
	unsorted := []byte{3, 0, 50, 1, 'b', 50, 1, 'a', 50}
	if _, err := parseIndex(unsorted, 150); err == nil {
		t.Error("separators out of order were accepted")
	}
}

// Keys of 60 KiB that differ at their ends: the index holds what separates them, not them (LIM-03).
func TestHugeKeys(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 200
	}
	r := newRand(t)
	stem := make([]byte, 60<<10-8)
	for i := range stem {
		stem[i] = byte(r.Uint32())
	}
	entries := numbered(n, 1)
	for i := range entries {
		entries[i].Key.User = fmt.Appendf(bytes.Clone(stem), "%08d", i)
	}
	o := filtered()
	f, p := write(t, o, entries)
	if p.IndexBytes > uint64(len(stem)+20*n) {
		t.Errorf("an index of %d bytes for %d keys", p.IndexBytes, n)
	}
	table := open(t, f, p.FileSize, p.TailSize)
	for i := 0; i < n; i += 37 {
		checkGet(t, table, &Access{}, entries, entries[i].Key.User, entries[i].Key.Seq())
	}
	if err := table.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}
