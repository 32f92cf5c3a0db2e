package db

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"siftdb/internal/fsys"
)

// TestEmptyStoresTakeLittle: an empty store under default options takes little memory and disk (OPN-03).
func TestEmptyStoresTakeLittle(t *testing.T) {
	const stores = 50
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	disk := fsys.NewMem()
	before := heap()
	var open []*DB
	for i := range stores {
		store, err := Open(filepath.Join("stores", string(rune('a'+i))), &Options{FS: disk})
		check(t, err)
		open = append(open, store)
		put(t, store, "a")
	}
	memory := (heap() - before) / stores
	used := disk.Used() / stores
	if memory > 1<<20 || used > 64<<10 {
		t.Errorf("a store takes %d bytes of memory and %d of disk", memory, used)
	}
	for _, store := range open {
		check(t, store.Close())
	}
}

// TestDiskBytesAreThoseOfTheDirectory: at quiet times the store knows what it takes on disk, to a hundredth and some
// KiB for what it does not count (MET-01).
func TestDiskBytesAreThoseOfTheDirectory(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	for round := range 4 {
		fill(t, store, 2000, 100, string(rune('a'+round)))
		if round%2 == 1 {
			check(t, store.Compact(context.Background(), Range{}))
		}
		quiet(t, store)
		check(t, store.Sync())
		eventually(t, "old files gone", func() bool {
			logs, tables := files(t, disk, "store", withSuffix(".wal")), files(t, disk, "store", withSuffix(".sst"))
			return len(logs) == 1 && len(tables) == len(tablesOf(store))
		})
		said, used := store.Metrics().DiskBytes, disk.Used()
		if off := used - said; off < 0 || off > used/100+64<<10 {
			t.Errorf("round %d: the store says %d bytes, the directory has %d", round, said, used)
		}
	}
}

// TestLogIsBounded: however much is written, the log kept is that of a few memtables (OPN-02).
func TestLogIsBounded(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	most := 0
	for round := range 30 {
		fill(t, store, 200, 100, string(rune('a'+round)))
		if m := store.Metrics(); m.LogSegments > most {
			most = m.LogSegments
		}
	}
	if most > maxFrozen+2 {
		t.Errorf("%d log segments", most)
	}
	check(t, store.Sync())
	image := disk.Clone()
	store = openStore(t, image)
	if m := store.Metrics(); m.LogDropped != 0 {
		t.Errorf("%d bytes dropped", m.LogDropped)
	}
	if n := len(keysOf(t, store, Range{})); n != 200 {
		t.Errorf("%d keys", n)
	}
}
