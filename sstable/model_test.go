package sstable

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

func TestIteratorContract(t *testing.T) {
	for _, size := range []int{64, 300, 4096} {
		for _, c := range []Compression{Snappy, NoCompression} {
			t.Run(fmt.Sprintf("block %d, %s", size, c), func(t *testing.T) {
				mode := UseCache
				check.Run(t, func(tb testing.TB, entries []check.Entry) iter.Iterator {
					o := filtered()
					o.BlockSize, o.Compression = size, c
					mode = (mode + 1) % 3
					return build(tb, o, entries).NewIter(&Access{Mode: mode})
				})
			})
		}
	}
}

// Random tables give what went in: by every way of reading, and by the checker's judgement.
func TestRandomTables(t *testing.T) {
	r := newRand(t)
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for range rounds {
		entries := randomEntries(r)
		o := randomOptions(r)
		table := build(t, o, entries)
		checkProperties(t, table, o, entries)
		a := Access{Mode: Mode(r.IntN(3))}
		for _, e := range entries {
			checkGet(t, table, &a, entries, e.Key.User, e.Key.Seq())
			checkGet(t, table, &a, entries, e.Key.User, key.Seq(r.IntN(2*len(entries)+2)))
			checkGet(t, table, &a, entries, near(r, e.Key.User), key.MaxSeq)
		}
		if err := table.Verify(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// randomEntries is check.Generate with values up to beyond a block and, often, many versions of one key.
func randomEntries(r *rand.Rand) []check.Entry {
	entries := check.Generate(r, r.IntN(1+1<<r.IntN(10)), 1+r.IntN(1<<r.IntN(8)))
	for i := range entries {
		if entries[i].Key.Kind() == key.KindSet && r.IntN(8) == 0 {
			entries[i].Value = bytes.Repeat([]byte{byte(i)}, r.IntN(1<<r.IntN(17)))
		}
	}
	return entries
}

// near makes a key that differs from user by little.
func near(r *rand.Rand, user []byte) []byte {
	k := bytes.Clone(user)
	switch n := len(k); {
	case n == 0 || r.IntN(3) == 0:
		return append(k, byte(r.IntN(256)))
	case r.IntN(2) == 0:
		return k[:r.IntN(n)]
	default:
		k[r.IntN(n)] += byte(1 + r.IntN(255))
		return k
	}
}

func checkProperties(t *testing.T, table *Reader, o WriterOptions, entries []check.Entry) {
	t.Helper()
	p := table.Properties()
	var want Properties
	for i, e := range entries {
		want.count(e.Key, e.Value, i > 0 && bytes.Equal(e.Key.User, entries[i-1].Key.User))
	}
	if p.Entries != want.Entries || p.Keys != want.Keys || p.Deletions != want.Deletions ||
		p.SmallestSeq != want.SmallestSeq || p.LargestSeq != want.LargestSeq ||
		p.RawKeyBytes != want.RawKeyBytes || p.RawValueBytes != want.RawValueBytes {
		t.Fatalf("properties %+v, want %+v", p, want)
	}
	if n := len(entries); n > 0 && (key.Compare(p.Smallest, entries[0].Key) != 0 || key.Compare(p.Largest, entries[n-1].Key) != 0) {
		t.Fatalf("bounds %s to %s, want %s to %s", p.Smallest, p.Largest, entries[0].Key, entries[n-1].Key)
	}
	if p.Filter != o.FilterName || p.AskedBits != o.AskedBits || p.Compression != o.Compression || p.BlockSize != uint64(o.BlockSize) {
		t.Fatalf("properties %+v, written with %+v", p, o)
	}
	if (o.Filter != nil) != (filterOf(table) != nil) || problemOf(table) != nil {
		t.Fatalf("filter %v with problem %v; built with one: %v", filterOf(table), problemOf(table), o.Filter != nil)
	}
	if f := filterOf(table); f != nil && (f.Keys() != p.Keys || f.Bits() != p.FilterBits || f.Family().String() != p.FilterFamily) {
		t.Fatalf("filter of %d keys, %d bits, %s; properties %+v", f.Keys(), f.Bits(), f.Family(), p)
	}
}
