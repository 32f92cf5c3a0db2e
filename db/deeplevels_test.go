package db

import (
	"context"
	"fmt"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

// TestMoreDataThanTheLevelsPlan writes far more than levels of the smallest sizes are planned for: the last one takes
// what comes, compaction ends, and reads are right (CMP-03).
func TestMoreDataThanTheLevelsPlan(t *testing.T) {
	n := 24_000
	if testing.Short() {
		n = 5_000
	}
	store := memStore(t, func(o *Options) {
		o.MemTableSize, o.TableSize, o.LevelRatio, o.Compression = minMemTableSize, minTableSize, 2, NoCompression
	})
	for i := range n {
		k := fmt.Sprintf("key%06d", i*7919%n)
		check(t, store.Put([]byte(k), filled(k, 200, ""), NoSync))
	}
	quiet(t, store)
	levels := store.Metrics().Levels
	if len(levels) != manifest.NumLevels {
		t.Fatalf("%d levels", len(levels))
	}
	planned := int64(2 * minMemTableSize)
	for range manifest.NumLevels - 1 {
		planned *= 2
	}
	if last := levels[manifest.NumLevels-1]; last.Bytes < planned && !testing.Short() {
		t.Errorf("the last level has %d bytes, %d were to be passed", last.Bytes, planned)
	}
	for i := range n {
		k := fmt.Sprintf("key%06d", i)
		wantValue(t, store, k, string(filled(k, 200, "")))
	}
	check(t, lastOf(store.Verify(context.Background())))
}

// TestEmptyKeyEverywhere: the empty key is a key and an empty bound a bound; neither stands for "none", so that flushes
// and compactions end and results are right (CMP-02).
func TestEmptyKeyEverywhere(t *testing.T) {
	ctx := context.Background()
	for name, bounds := range map[string]Range{
		"from the empty key":    {Lower: []byte{}, Upper: []byte("b")},
		"to the empty key":      {Upper: []byte{}},
		"from and to it":        {Lower: []byte{}, Upper: []byte{}},
		"from it on":            {Lower: []byte{}},
		"the empty key alone":   {Lower: []byte{}, Upper: []byte{0}},
		"everything":            {},
		"up to the largest key": {Lower: []byte{}, Upper: longestKey()},
	} {
		t.Run(name, func(t *testing.T) {
			disk := fsys.NewMem()
			store := openStore(t, disk)
			within(t, name, func() {
				for range 3 {
					put(t, store, "", "a", "b")
					flush(t, store)
					check(t, store.Compact(ctx, bounds))
					check(t, store.Delete(nil, NoSync))
					check(t, store.Compact(ctx, bounds))
					if got := fmt.Sprintf("%q", keysOf(t, store, Range{})); got != `["a" "b"]` {
						t.Errorf("without the empty key: %s", got)
					}
					put(t, store, "")
					flush(t, store)
				}
				quiet(t, store)
				check(t, store.Close())
			})
			store = openStore(t, disk)
			if got := fmt.Sprintf("%q", keysOf(t, store, Range{})); got != `["" "a" "b"]` {
				t.Errorf("reopened: %s", got)
			}
		})
	}
}

func longestKey() []byte {
	k := make([]byte, MaxKeySize)
	for i := range k {
		k[i] = 0xff
	}
	return k
}
