package db

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"siftdb/internal/fsys"
)

// warmUpKeys are the keys of warmUpStore, each of about 500 bytes in its tables, which are that large together.
const warmUpKeys = 6000

// warmUpOptions make blocks of some keys each, and none of them is cached.
func warmUpOptions(o *Options) {
	o.NoCompaction, o.Compression, o.CacheSize, o.BlockSize = true, NoCompression, -1, 1<<10
	o.MemTableSize = 8 << 20
}

// warmUpStore makes a store of so many tables of about the same size, in the order of their numbers, and closes it.
func warmUpStore(t *testing.T, tables int) FS {
	t.Helper()
	disk := fsys.NewMem()
	store := openStore(t, disk, warmUpOptions)
	for table := range tables {
		for i := table; i < warmUpKeys; i += tables {
			k := fmt.Sprintf("key%06d", i)
			check(t, store.Put([]byte(k), filled(k, 500, ""), NoSync))
		}
		flush(t, store)
	}
	check(t, store.Close())
	return disk
}

// getFound gets keys of a warmUpStore from first up to, and without, end, and returns what the store did for them and
// beside them.
func getFound(t *testing.T, store *DB, first, end int) Metrics {
	t.Helper()
	before := store.Metrics()
	for i := first; i < end; i++ {
		k := fmt.Sprintf("key%06d", i*5003%warmUpKeys)
		wantValue(t, store, k, string(filled(k, 500, "")))
	}
	did := store.Metrics().Sub(before)
	if reads := did.TableReads + did.CacheHits; reads < int64(end-first) {
		t.Errorf("%d reads of tables or the cache for %d keys: the test is too weak", reads, end-first)
	}
	return did
}

// TestFoundTablesAreBroughtIn: once enough blocks are asked for, tables that were there when the store was opened are
// brought in whole, once, and blocks are read alone before, meanwhile and afterwards. Tables that this process wrote are
// left out: the system has them.
func TestFoundTablesAreBroughtIn(t *testing.T) {
	disk := warmUpStore(t, 3)
	for _, readOnly := range []bool{false, true} {
		t.Run(fmt.Sprintf("read-only %v", readOnly), func(t *testing.T) {
			store := openStore(t, disk, warmUpOptions, func(o *Options) { o.ReadOnly = readOnly })
			check(t, store.LoadFilters(t.Context()))
			size := sizesOf(store)
			if !readOnly {
				put(t, store, "written")
				flush(t, store)
			}
			getFound(t, store, 0, 3) // and with them the indexes
			if did := getFound(t, store, 3, 100); did.WarmUpReads != 0 {
				t.Errorf("%d reads that nobody had asked for after 100 keys", did.WarmUpReads)
			}
			before := store.Metrics()
			getFound(t, store, 100, warmUpKeys)
			quiet(t, store)
			did := store.Metrics().Sub(before)
			if did.WarmUpBytesRead != size {
				t.Errorf("%d bytes were brought in of tables of %d", did.WarmUpBytesRead, size)
			}
			alone, bytes := did.TableReads-did.WarmUpReads, did.TableBytesRead-did.WarmUpBytesRead
			if blocks := warmUpKeys - 100 + did.Filter.FalsePasses; alone != blocks || bytes > alone*(2<<10) {
				t.Errorf("%d reads of %d bytes beside, for %d blocks", alone, bytes, blocks)
			}
		})
	}
}

// TestFoundTablesComeIntoTheCache: if it has room for all of them, no block is read a second time; else none is there
// that nobody asked for.
func TestFoundTablesComeIntoTheCache(t *testing.T) {
	disk := warmUpStore(t, 3)
	for _, room := range []struct {
		name string
		size int64
		fits bool
	}{{"room for all", 8 << 20, true}, {"room for most", 2 << 20, false}, {"none", -1, false}} {
		t.Run(room.name, func(t *testing.T) {
			store := openStore(t, disk, warmUpOptions, func(o *Options) { o.CacheSize = room.size })
			size := sizesOf(store)
			if fits := size <= room.size; fits != room.fits {
				t.Fatalf("tables of %d bytes", size)
			}
			getFound(t, store, 0, 200)
			quiet(t, store)
			before := store.Metrics()
			if before.WarmUpBytesRead < size {
				t.Errorf("%d bytes were brought in of tables of %d", before.WarmUpBytesRead, size)
			}
			if !room.fits && before.CacheEntries > before.TableReads {
				t.Errorf("%d blocks are in the cache after %d reads", before.CacheEntries, before.TableReads)
			}
			for i := range warmUpKeys {
				k := fmt.Sprintf("key%06d", i)
				wantValue(t, store, k, string(filled(k, 500, "")))
			}
			reads := store.Metrics().Sub(before).TableReads
			if room.fits && reads != 0 || !room.fits && reads < warmUpKeys/10 {
				t.Errorf("%d reads for %d keys", reads, warmUpKeys)
			}
		})
	}
}

// TestWarmUpLeavesNothingOfTablesThatAreGone in the cache, if they go while a piece of them is read.
func TestWarmUpLeavesNothingOfTablesThatAreGone(t *testing.T) {
	disk := &warmUpReads{FS: warmUpStore(t, 2)}
	began, goOn := disk.hold()
	store := openStore(t, disk, warmUpOptions, func(o *Options) { o.CacheSize = 8 << 20 })
	getFound(t, store, 0, 200)
	<-began
	check(t, store.Compact(t.Context(), Range{}))
	close(goOn)
	quiet(t, store)
	if n := store.Metrics().CacheEntries; n != 0 {
		t.Errorf("%d blocks are in the cache, and no read asked for one of the new table", n)
	}
}

// TestWarmUpTakesBackWhatCameTooLate: the cleaner may have been there when a piece comes into the cache.
func TestWarmUpTakesBackWhatCameTooLate(t *testing.T) {
	store := openStore(t, warmUpStore(t, 1), warmUpOptions, func(o *Options) { o.CacheSize = 8 << 20 })
	table := store.foundLocked()[0] // nothing else runs yet
	piece := make([]byte, table.meta.Size)
	if _, err := table.file.ReadAt(piece, 0); err != nil {
		t.Fatal(err)
	}
	for _, retired := range []bool{false, true} {
		table.retired.Store(retired)
		store.inBlockCache(table, piece, 0)
		if n := store.Metrics().CacheEntries; (n == 0) != retired {
			t.Errorf("%d blocks are in the cache of a table; that it is gone is %v", n, retired)
		}
	}
}

// TestWarmUpHoldsOpenTables: more tables are brought in than may be open.
func TestWarmUpHoldsOpenTables(t *testing.T) {
	disk := &handles{FS: warmUpStore(t, 8)}
	const limit = 2
	store := openStore(t, disk, warmUpOptions, func(o *Options) { o.OpenTables = limit })
	getFound(t, store, 0, 1000)
	quiet(t, store)
	m := store.Metrics()
	if m.WarmUpBytesRead != sizesOf(store) || m.OpenTables > limit {
		t.Errorf("%d bytes were brought in of tables of %d, %d are open", m.WarmUpBytesRead, sizesOf(store), m.OpenTables)
	}
}

// TestWarmUpEndsWithTheStore: Close waits for the reads that are running side by side, and no other begins.
func TestWarmUpEndsWithTheStore(t *testing.T) {
	disk := &warmUpReads{FS: warmUpStore(t, 2*warmUpLanes)}
	began, goOn := disk.hold()
	store := openStore(t, disk, warmUpOptions)
	getFound(t, store, 0, 1000)
	for range warmUpLanes {
		<-began
	}
	closed := make(chan error)
	go func() { closed <- store.Close() }()
	eventually(t, "the end of background work", func() bool { return store.work.Err() != nil })
	close(goOn)
	within(t, "Close", func() { check(t, <-closed) })
	if n := disk.n.Load(); n != warmUpLanes {
		t.Errorf("%d reads brought tables in, though the store closed during the first %d", n, warmUpLanes)
	}
}

// TestWarmUpPassesOver what cannot be read, which is no matter of the reads that ask for blocks, and tables that are
// not in the store any more.
func TestWarmUpPassesOver(t *testing.T) {
	t.Run("failures", func(t *testing.T) {
		disk := &warmUpReads{FS: warmUpStore(t, 3)}
		disk.hook = func(name string) error {
			if strings.HasSuffix(name, "000002.sst") {
				return errors.New("a bad place")
			}
			return nil
		}
		store := openStore(t, disk, warmUpOptions)
		getFound(t, store, 0, 1000)
		quiet(t, store)
		m := store.Metrics()
		if failed := sizesOf(store) - m.WarmUpBytesRead; failed != store.live[2].meta.Size {
			t.Errorf("%d bytes were not brought in", failed)
		}
		if m.BackgroundErrors != 0 {
			t.Errorf("%d background errors", m.BackgroundErrors)
		}
	})
	t.Run("tables that are gone", func(t *testing.T) {
		disk := &warmUpReads{FS: warmUpStore(t, 2*warmUpLanes)}
		began, goOn := disk.hold()
		store := openStore(t, disk, warmUpOptions)
		getFound(t, store, 0, 1000)
		for range warmUpLanes {
			<-began
		}
		check(t, store.Compact(t.Context(), Range{}))
		close(goOn)
		quiet(t, store)
		if n := disk.n.Load(); n != warmUpLanes {
			t.Errorf("%d reads brought in tables, of which there were none after the first %d", n, warmUpLanes)
		}
	})
}

// sizesOf adds up the files of the tables.
func sizesOf(store *DB) (bytes int64) {
	for info := range store.Tables() {
		bytes += info.Size
	}
	return bytes
}

// warmUpReads is a file system that calls hook for each read of so many bytes that it must be one that brings a table
// in, and counts these.
type warmUpReads struct {
	FS
	hook func(name string) error
	n    atomic.Int64
}

// hold has each such read tell that it began and wait until goOn is closed.
func (w *warmUpReads) hold() (began <-chan struct{}, goOn chan<- struct{}) {
	begins, ends := make(chan struct{}, 100), make(chan struct{})
	w.hook = func(string) error {
		begins <- struct{}{}
		<-ends
		return nil
	}
	return begins, ends
}

func (w *warmUpReads) Open(name string) (File, error) {
	f, err := w.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return f, err
	}
	return &warmUpFile{File: f, name: name, fs: w}, nil
}

type warmUpFile struct {
	File
	name string
	fs   *warmUpReads
}

func (f *warmUpFile) ReadAt(p []byte, off int64) (int, error) {
	if len(p) > 256<<10 {
		f.fs.n.Add(1)
		if err := f.fs.hook(f.name); err != nil {
			return 0, err
		}
	}
	return f.File.ReadAt(p, off)
}
