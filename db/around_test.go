package db

import (
	"fmt"
	"testing"

	"siftdb/internal/fsys"
)

// TestFoundTablesAreReadAround: of tables that were there when the store was opened, blocks bring their neighbours with
// them once enough are asked for; of tables that this process wrote, which the system's cache has, they come alone.
func TestFoundTablesAreReadAround(t *testing.T) {
	disk := fsys.NewMem()
	const keys, mostBlock = 4000, 2 << 10
	options := func(o *Options) {
		o.NoCompaction, o.Compression, o.CacheSize, o.BlockSize = true, NoCompression, -1, 1<<10
		o.MemTableSize = 8 << 20
	}
	get := func(store *DB, i int) {
		t.Helper()
		k := fmt.Sprintf("key%06d", i*7919%keys)
		v, err := store.Get([]byte(k))
		if err != nil || string(v) != string(filled(k, 500, "round")) {
			t.Fatalf("%s: %d bytes, %v", k, len(v), err)
		}
	}
	// read gets keys from first up to, and without, end, and returns the bytes of a read of a file.
	read := func(store *DB, first, end int) int64 {
		before := store.Metrics()
		for i := first; i < end; i++ {
			get(store, i)
		}
		m := store.Metrics().Sub(before)
		if m.TableReads < int64(end-first) {
			t.Errorf("%d reads of tables for %d keys: the test is too weak", m.TableReads, end-first)
		}
		return m.TableBytesRead / m.TableReads
	}
	store := openStore(t, disk, options)
	fill(t, store, keys, 500, "round")
	flush(t, store)
	get(store, 0) // and with it the index
	if got := read(store, 0, keys); got > mostBlock {
		t.Errorf("%d bytes a read of what was just written", got)
	}
	check(t, store.Close())
	store = openStore(t, disk, options)
	get(store, 0)
	if got := read(store, 1, 200); got > mostBlock {
		t.Errorf("%d bytes a read of the first that were found", got)
	}
	if got := read(store, 200, 300); got < 2*mostBlock {
		t.Errorf("%d bytes a read of those that follow", got)
	}
	if got := read(store, 300, keys); got > mostBlock {
		t.Errorf("%d bytes a read when all is there", got)
	}
	check(t, store.Close())
}
