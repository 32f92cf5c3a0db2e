package db

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"siftdb/internal/fsys"
)

// TestSwappedTables: two tables of a store whose files have changed places, each of them whole and of the other's size,
// are damage that reads tell of; neither has an answer from the other.
func TestSwappedTables(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.NoCompaction, o.Compression = true, NoCompression })
	for round := range 4 {
		for i := range 100 {
			k := fmt.Sprintf("key%03d.%d", i, round)
			check(t, store.Put([]byte(k), []byte(k), NoSync))
		}
		flush(t, store)
	}
	tables := tablesOf(store)
	check(t, store.Close())
	one, other := filepath.Join("store", tables[0].File), filepath.Join("store", tables[1].File)
	if tables[0].Size != tables[1].Size {
		t.Fatal("the tables differ in size")
	}
	a, b := readFile(t, disk, one), readFile(t, disk, other)
	writeFile(t, disk, one, b)
	writeFile(t, disk, other, a)
	store = openStore(t, disk, func(o *Options) { o.NoCompaction, o.Compression = true, NoCompression })
	for i := 1; i < 99; i++ {
		if v, err := store.Get(fmt.Appendf(nil, "key%03d.2", i)); err == nil || err == ErrNotFound {
			t.Fatalf("key %d is %q, %v", i, v, err)
		} else {
			wantDamage(t, "swapped tables", err)
		}
	}
	for _, err := range store.Scan(Range{}) {
		wantDamage(t, "a scan of swapped tables", err)
	}
	for info, err := range store.Verify(context.Background()) {
		if info.File == tables[0].File || info.File == tables[1].File {
			wantDamage(t, info.File, err)
		}
	}
}
