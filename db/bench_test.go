package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// benchKeys is how many keys the stores of the benchmarks hold. Key 2i is there, key 2i+1 lies between.
const benchKeys = 100_000

func benchKey(i int) []byte {
	k := make([]byte, 16)
	copy(k, "account:")
	binary.BigEndian.PutUint64(k[8:], uint64(i))
	return k
}

// benchStore is a quiet store whose data is all in tables.
func benchStore(tb testing.TB, o Options) *DB {
	tb.Helper()
	o.FS, o.NoSync = fsys.NewMem(), true
	store, err := Open("store", &o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { store.Close() })
	value := make([]byte, 100)
	for i := range benchKeys {
		copy(value, fmt.Sprint(i))
		if err := store.Put(benchKey(2*i), value); err != nil {
			tb.Fatal(err)
		}
	}
	if err := store.Flush(context.Background()); err != nil {
		tb.Fatal(err)
	}
	if err := store.WaitQuiet(context.Background()); err != nil {
		tb.Fatal(err)
	}
	return store
}

func BenchmarkGetAbsent(b *testing.B) {
	for _, policy := range []bloom.Policy{bloom.BitsPerKey(10), bloom.BitsPerKey(16), bloom.None} {
		b.Run(policy.String(), func(b *testing.B) {
			store := benchStore(b, Options{Filter: policy})
			if err := store.LoadFilters(context.Background()); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			key := benchKey(0)
			for i := 0; b.Loop(); i++ {
				binary.BigEndian.PutUint64(key[8:], uint64(2*(i*7919%benchKeys)+1))
				if _, err := store.Get(key); err != ErrNotFound {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	store := benchStore(b, Options{})
	b.ReportAllocs()
	key := benchKey(0)
	for i := 0; b.Loop(); i++ {
		binary.BigEndian.PutUint64(key[8:], uint64(2*(i*7919%benchKeys)))
		if _, err := store.Get(key); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGetParallel reads by several goroutines: -cpu 1,2,4 shows how far they are in each other's way.
func BenchmarkGetParallel(b *testing.B) {
	tables := benchStore(b, Options{})
	if err := tables.LoadFilters(context.Background()); err != nil {
		b.Fatal(err)
	}
	memTable, err := Open("store", &Options{FS: fsys.NewMem(), NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer memTable.Close()
	for i := range benchKeys {
		if err := memTable.Put(benchKey(2*i), []byte("value")); err != nil {
			b.Fatal(err)
		}
	}
	for _, bench := range []struct {
		name  string
		store *DB
		odd   int
		want  error
	}{
		{"absent", tables, 1, ErrNotFound},
		{"present", tables, 0, nil},
		{"absent in the memtable", memTable, 1, ErrNotFound},
		{"present in the memtable", memTable, 0, nil},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				key, buf := benchKey(0), make([]byte, 0, 200)
				for i := rand.IntN(benchKeys); pb.Next(); i++ {
					binary.BigEndian.PutUint64(key[8:], uint64(2*(i*7919%benchKeys)+bench.odd))
					if _, err := bench.store.AppendGet(buf, key); err != bench.want {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

func BenchmarkAppendGet(b *testing.B) {
	store := benchStore(b, Options{})
	b.ReportAllocs()
	key, buf := benchKey(0), make([]byte, 0, 200)
	for i := 0; b.Loop(); i++ {
		binary.BigEndian.PutUint64(key[8:], uint64(2*(i*7919%benchKeys)))
		if _, err := store.AppendGet(buf, key); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetMemTable(b *testing.B) {
	store, err := Open("store", &Options{FS: fsys.NewMem(), NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	for i := range benchKeys {
		store.Put(benchKey(2*i), []byte("value"))
	}
	for name, odd := range map[string]int{"present": 0, "absent": 1} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			key, buf := benchKey(0), make([]byte, 0, 200)
			for i := 0; b.Loop(); i++ {
				binary.BigEndian.PutUint64(key[8:], uint64(2*(i*7919%benchKeys)+odd))
				store.AppendGet(buf, key)
			}
		})
	}
}

func BenchmarkPut(b *testing.B) {
	for _, size := range []int{100} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			store, err := Open(b.TempDir(), &Options{NoSync: true})
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			b.ReportAllocs()
			key, value := benchKey(0), make([]byte, size)
			for i := 0; b.Loop(); i++ {
				binary.BigEndian.PutUint64(key[8:], uint64(i)*0x9e3779b97f4a7c15)
				if err := store.Put(key, value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSeek is the cost of a short scan: an iterator is made, goes to a key and on by ten, and is closed.
func BenchmarkSeek(b *testing.B) {
	store := benchStore(b, Options{})
	b.ReportAllocs()
	key := benchKey(0)
	for i := 0; b.Loop(); i++ {
		binary.BigEndian.PutUint64(key[8:], uint64(2*(i*7919%(benchKeys-10))))
		it := store.NewIter(Range{Lower: key})
		ok := it.First()
		for range 10 {
			ok = ok && it.Next()
		}
		if err := it.Close(); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	store := benchStore(b, Options{})
	b.Run("iterator", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			it := store.NewIter(Range{})
			n := 0
			for range it.All() {
				n++
			}
			it.Close()
			if n != benchKeys {
				b.Fatal(n)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchKeys, "ns/entry")
	})
	b.Run("copies", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range store.Scan(Range{}) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchKeys, "ns/entry")
	})
}

// TestReadsDoNotAllocate holds the cost ladder of reads.
func TestReadsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("with the race detector on, pools forget some of what they are given")
	}
	store := benchStore(t, Options{Filter: bloom.BitsPerKey(16)})
	present, absent, buf := benchKey(2*777), benchKey(2*777+1), make([]byte, 0, 200)
	overlong := make([]byte, MaxKeySize+1)
	store.Get(present) // opens the table and fills the cache
	store.Get(present)
	store.Get(present)
	nothing := func([]byte) error { return nil }
	for _, c := range []struct {
		name string
		want float64
		read func()
	}{
		{"miss", 0, func() { store.Get(absent) }},
		{"miss of a key that is too long", 0, func() { store.Get(overlong) }},
		{"miss into a buffer", 0, func() { store.AppendGet(buf, absent) }},
		{"Has of an absent key", 0, func() { store.Has(absent) }},
		{"Has of a present key", 0, func() { store.Has(present) }},
		{"AppendGet with room", 0, func() { store.AppendGet(buf, present) }},
		{"AppendGet with options", 0, func() { store.AppendGet(buf, present, IgnoreFilters) }},
		{"GetFunc", 0, func() { store.GetFunc(present, nothing) }},
		{"Get", 1, func() { store.Get(present) }},
		{"iterator", 1, func() {
			it := store.NewIter(Range{Lower: present})
			it.First()
			it.Next()
			it.Close()
		}},
	} {
		if got := testing.AllocsPerRun(1000, c.read); got != c.want {
			t.Errorf("%s: %v allocations, want %v", c.name, got, c.want)
		}
	}
}
