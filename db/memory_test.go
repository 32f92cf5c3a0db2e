package db

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"weak"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// heapInUse is what is alive on the heap, without what pools keep until the second collection.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// incompressible is a value of n bytes that no codec makes smaller.
func incompressible(rng *rand.ChaCha8, n int) []byte {
	v := make([]byte, n)
	rng.Read(v)
	return v
}

// TestCompactionStreams: a compaction takes memory for what it works on and not for all of its inputs, however large
// they are. One that is cut short does not keep the next Open from serving reads at once (CMP-04).
func TestCompactionStreams(t *testing.T) {
	n, size := 24_000, 1000
	if testing.Short() {
		n = 9_000
	}
	watched := fsys.NewFault(OSFiles())
	dir := filepath.Join(t.TempDir(), "store")
	store, err := Open(dir, &Options{
		FS: watched, MemTableSize: 1 << 20, TableSize: 1 << 20, CacheSize: -1, NoCompaction: true, NoSync: true, Workers: 1,
	})
	check(t, err)
	rng := rand.NewChaCha8([32]byte{4})
	for i := range n {
		check(t, store.Put(fmt.Appendf(nil, "key%06d", i*7919%n), incompressible(rng, size)))
	}
	flush(t, store)
	quiet(t, store)
	base, most, outputs := heapInUse(), atomic.Int64{}, atomic.Int64{}
	watched.SetHook(func(op fsys.Op, name string) error {
		if op == fsys.OpCreate && strings.HasSuffix(name, ".sst") && outputs.Add(1)%8 == 0 {
			most.Store(max(most.Load(), heapInUse()))
		}
		return nil
	})
	check(t, store.Compact(context.Background(), Range{}))
	watched.SetHook(nil)
	grown, input := most.Load()-base, int64(n*size)
	if outputs.Load() < 8 || most.Load() == 0 {
		t.Fatalf("%d outputs: the test is too weak", outputs.Load())
	}
	if grown > input/3 {
		t.Errorf("the heap grew by %d bytes while %d were compacted", grown, input)
	}
	t.Logf("the heap grew by %d KiB while %d KiB were compacted", grown>>10, input>>10)
	check(t, store.Close())
}

// TestCompactionCutShort kills the process again and again in the middle of a full compaction: each time the next Open
// serves reads at once (CMP-04), and what was put, deleted and compacted, twice even, stays so (CMP-01).
func TestCompactionCutShort(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.NoCompaction = true })
	fill(t, store, 600, 100, "old")
	check(t, store.Compact(context.Background(), Range{}))
	check(t, store.Close())
	for life := range 6 {
		fault := fsys.NewFault(disk)
		store := openStore(t, fault, func(o *Options) { o.NoCompaction = true })
		if got := len(keysOf(t, store, Range{})); got != 600-100*life {
			t.Fatalf("life %d: %d keys", life, got)
		}
		for i := range 100 {
			check(t, store.Delete(fmt.Appendf(nil, "key%06d", 100*life+i), NoSync))
		}
		check(t, store.Sync())
		left := atomic.Pointer[fsys.Mem]{}
		fault.SetHook(cutAt(int64(3+2*life), disk, &left))
		check(t, store.Compact(context.Background(), Range{}))
		fault.SetHook(nil)
		check(t, store.Close())
		if disk = left.Load(); disk == nil {
			t.Fatalf("life %d: the compaction was over too soon", life)
		}
	}
	store = openStore(t, disk)
	for range 2 {
		check(t, store.Compact(context.Background(), Range{}))
		if got := len(keysOf(t, store, Range{})); got != 0 {
			t.Errorf("%d keys", got)
		}
	}
	quiet(t, store)
	check(t, store.Close())
	if found := tableFilesOn(t, disk); len(found) != 0 || disk.Used() > 10<<10 {
		t.Errorf("%d bytes on disk, tables %v", disk.Used(), found)
	}
}

// cutAt keeps in left what the disk holds before the n-th operation on a table or the manifest.
func cutAt(n int64, disk *fsys.Mem, left *atomic.Pointer[fsys.Mem]) fsys.Hook {
	var calls atomic.Int64
	return func(_ fsys.Op, name string) error {
		base := filepath.Base(name)
		if (strings.HasSuffix(base, ".sst") || strings.HasPrefix(base, "MANIFEST")) && calls.Add(1) == n {
			left.Store(disk.Clone())
		}
		return nil
	}
}

// TestFlushedMemTablesAreLetGo: once a memtable is in a table, nothing of the store keeps its memory, also while no
// other is written (MET-07).
func TestFlushedMemTablesAreLetGo(t *testing.T) {
	store := memStore(t)
	for range 3 {
		put(t, store, "a", "b")
		memory := weak.Make(store.view.Load().mem.Table)
		flush(t, store)
		quiet(t, store)
		eventually(t, "the memtable's end", func() bool { runtime.GC(); return memory.Value() == nil })
	}
	check(t, store.Close())
}

// grownBy says whether the memory of the store and the heap have grown from base by about so many bytes, and no more
// than what the store keeps for writes to come beside them, such as the nodes of the last memtable's tree.
func grownBy(t *testing.T, store *DB, base, bytes int64) func() bool {
	const kept = 2 << 20
	grown := int64(0)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%d bytes are accounted for, memory has grown by %d", bytes, grown)
		}
	})
	return func() bool {
		grown = heapInUse() + store.Metrics().OffHeapBytes - base
		return grown > bytes*8/10 && grown < bytes*12/10+kept
	}
}

// TestMemoryIsAccounted: what memtables, filters, indexes and the cache are said to take is what they take, unflushed
// writes included (MET-07).
func TestMemoryIsAccounted(t *testing.T) {
	written := int64(30 << 20)
	if testing.Short() {
		written = 10 << 20
	}
	dir := filepath.Join(t.TempDir(), "store")
	base := heapInUse()
	store, err := Open(dir, &Options{
		MemTableSize: 4 * written, NoSync: true, NoCompaction: true, Filter: bloom.Blocked(10),
	})
	check(t, err)
	const size = 1000
	n := int(written / size)
	for i := range n {
		check(t, store.Put(fmt.Appendf(nil, "key%08d", i), incompressible(rand.NewChaCha8([32]byte{byte(i)}), size)))
	}
	check(t, store.Sync())
	said := store.Metrics().MemTableBytes
	if said < written*9/10 || said > written*16/10 {
		t.Errorf("%d bytes of memtables after %d bytes of writes", said, written)
	}
	eventually(t, "a heap that has grown by the memtables", grownBy(t, store, base, said))
	flush(t, store)
	check(t, store.LoadFilters(context.Background()))
	quiet(t, store)
	for i := range n / 2 {
		if _, err := store.Get(fmt.Appendf(nil, "key%08d", i)); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Get(fmt.Appendf(nil, "key%08d", i)); err != nil {
			t.Fatal(err)
		}
	}
	m := store.Metrics()
	filters := int64(0)
	for info := range store.Tables() {
		filters += info.Filter.Bits / 8
	}
	if m.FilterBytes != filters || filters < int64(n)*10/8 {
		t.Errorf("%d bytes of filters, the tables have %d for %d keys", m.FilterBytes, filters, n)
	}
	parts := m.MemTableBytes + m.FilterBytes + m.IndexBytes + m.CacheBytes
	eventually(t, "a heap that has grown by all parts", grownBy(t, store, base, parts))
	check(t, store.Close())
}
