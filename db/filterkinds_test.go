package db

import (
	"context"
	"fmt"
	"testing"

	"siftdb/bloom"
)

// TestEachTableSaysWhatItGot writes a table under each kind of filter and each number of bits: the table says what was
// asked for and what it got, and never has another kind without a word (FLT-06).
func TestEachTableSaysWhatItGot(t *testing.T) {
	const keys = 3000 // more than any family needs
	for kind, family := range map[string]string{
		"classic": "classic", "blocked": "blocked", "ribbon": "ribbon", "fuse": "fuse", "cuckoo": "cuckoo", "bits": "blocked",
	} {
		for _, set := range []struct {
			bits        float64
			compression Compression
		}{{6, NoCompression}, {10, Snappy}, {20, NoCompression}} {
			p := policies[kind](set.bits)
			t.Run(p.String(), func(t *testing.T) {
				store := memStore(t, func(o *Options) {
					o.Filter, o.Compression, o.MemTableSize, o.NoCompaction = p, set.compression, 1<<20, true
				})
				fill(t, store, keys, 20, "")
				flush(t, store)
				check(t, store.LoadFilters(context.Background()))
				tables := tablesOf(store)
				if len(tables) != 1 {
					t.Fatalf("%d tables", len(tables))
				}
				info := tables[0]
				said := fmt.Sprintf("%s: %s, %g bits asked, %d keys",
					info.FilterPolicy, info.FilterFamily, info.AskedBitsPerKey, info.Filter.Keys)
				if want := fmt.Sprintf("%v: %s, %g bits asked, %d keys", p, family, set.bits, keys); said != want {
					t.Errorf("the table says %q, want %q", said, want)
				}
				most := set.bits
				if kind == "fuse" || kind == "ribbon" { // 16 bits a key, and what lies between
					most = min(most, 18)
				}
				if has := info.Filter.BitsPerKey(); has < most-3 || has > most+1.2 {
					t.Errorf("%g bits a key in memory, %g were asked for", has, set.bits)
				}
			})
		}
	}
	store := memStore(t, func(o *Options) { o.Filter = bloom.None })
	fill(t, store, 100, 20, "")
	flush(t, store)
	if info := tablesOf(store)[0]; info.FilterPolicy != "none" || info.FilterFamily != "" || info.FilterBits != 0 {
		t.Errorf("without a filter: %q, %q, %d bits", info.FilterPolicy, info.FilterFamily, info.FilterBits)
	}
}
