package memtable_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"siftdb/internal/key"
	"siftdb/memtable"
)

const benchEntries = 1_000_000

// benchKey is a key of 16 bytes, after prefix; n is scattered, so that ascending n are in random order.
func benchKey(dst []byte, prefix string, n int) []byte {
	dst = append(dst[:0], prefix...)
	dst = binary.BigEndian.AppendUint64(dst, uint64(n)*0x9E3779B97F4A7C15)
	return append(dst, "restrest"...)
}

// keyShapes are the keys that look-ups and adds are measured with, and how the empty table for them is made.
var keyShapes = []struct {
	name, prefix string
	empty        func() *memtable.Table
}{
	{"plain", "", func() *memtable.Table { return memtable.New(128 << 20) }},
	{"prefix known", "shared/prefix/", func() *memtable.Table {
		before := memtable.New(0)
		for i := range 100 {
			before.Add(key.Make(benchKey(nil, "shared/prefix/", i), key.Seq(i+1), key.KindSet), nil)
		}
		return memtable.NewPool(128 << 20).NewAfter(before)
	}},
	{"prefix unknown", "shared/prefix/", func() *memtable.Table { return memtable.New(128 << 20) }},
}

// load adds n entries with keys of 16 bytes after prefix and values of 100.
func load(t *memtable.Table, prefix string, n int) *memtable.Table {
	var buf []byte
	value := make([]byte, 100)
	for i := range n {
		buf = benchKey(buf, prefix, i)
		t.Add(key.Make(buf, key.Seq(i+1), key.KindSet), value)
	}
	return t
}

// loaded is a table of n entries with plain keys of 16 bytes and values of 100.
func loaded(n int) *memtable.Table { return load(memtable.New(128<<20), "", n) }

// BenchmarkAdd is the cost of an entry of a table that grows to a million.
func BenchmarkAdd(b *testing.B) {
	for _, shape := range keyShapes {
		b.Run(shape.name, func(b *testing.B) {
			b.ReportAllocs()
			var t *memtable.Table
			var buf []byte
			value := make([]byte, 100)
			for i := 0; b.Loop(); i++ {
				if i%benchEntries == 0 {
					t = shape.empty()
				}
				buf = benchKey(buf, shape.prefix, i%benchEntries)
				t.Add(key.Make(buf, key.Seq(i+1), key.KindSet), value)
			}
		})
	}
}

// BenchmarkAddSameKey is the cost of one more version.
func BenchmarkAddSameKey(b *testing.B) {
	b.ReportAllocs()
	t := memtable.New(128 << 20)
	value := make([]byte, 100)
	for i := 0; b.Loop(); i++ {
		if i%benchEntries == 0 {
			t = memtable.New(128 << 20)
		}
		t.Add(key.Make([]byte("the only key"), key.Seq(i+1), key.KindSet), value)
	}
}

func BenchmarkGet(b *testing.B) {
	for _, shape := range keyShapes {
		t := load(shape.empty(), shape.prefix, benchEntries)
		b.Run("present/"+shape.name, func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf = benchKey(buf, shape.prefix, rand.IntN(benchEntries))
				if _, _, ok := t.Get(buf, key.MaxSeq); !ok {
					b.Fatal("absent")
				}
			}
		})
		b.Run("absent/"+shape.name, func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf = benchKey(buf, shape.prefix, benchEntries+rand.IntN(benchEntries))
				if _, _, ok := t.Get(buf, key.MaxSeq); ok {
					b.Fatal("present")
				}
			}
		})
	}
}

// BenchmarkGetParallel is a look-up with all processors reading.
func BenchmarkGetParallel(b *testing.B) {
	t := loaded(benchEntries)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var buf []byte
		for pb.Next() {
			buf = benchKey(buf, "", rand.IntN(benchEntries))
			t.Get(buf, key.MaxSeq)
		}
	})
}

// BenchmarkGetOldVersion is a read of the oldest of a million versions of one key.
func BenchmarkGetOldVersion(b *testing.B) {
	t := memtable.New(128 << 20)
	for i := range benchEntries {
		t.Add(key.Make([]byte("the only key"), key.Seq(i+1), key.KindSet), nil)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := t.Get([]byte("the only key"), 1); !ok {
			b.Fatal("absent")
		}
	}
}

func BenchmarkIterNext(b *testing.B) {
	t := loaded(benchEntries)
	it := t.NewIter(key.MaxSeq)
	b.ReportAllocs()
	for ok := false; b.Loop(); ok = it.Next() {
		if !ok {
			it.First()
		}
	}
}

// BenchmarkVersionIterNext is what a flush pays for the next entry, its key and its value.
func BenchmarkVersionIterNext(b *testing.B) {
	it := loaded(benchEntries).NewVersionIter()
	b.ReportAllocs()
	last := byte(0)
	for ok := false; b.Loop(); ok = it.Next() {
		if !ok {
			it.First()
		}
		last += it.Key().User[0] + it.Value()[50]
	}
	runtime.KeepAlive(last)
}

func BenchmarkIterSeek(b *testing.B) {
	t := loaded(benchEntries)
	it := t.NewIter(key.MaxSeq)
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = benchKey(buf, "", rand.IntN(benchEntries))
		it.SeekGE(key.Lookup(buf, key.MaxSeq))
	}
}

// BenchmarkCollection is a forced garbage collection while a table of a million entries lives; live=0 is what one
// costs without it.
func BenchmarkCollection(b *testing.B) {
	for _, n := range []int{0, benchEntries} {
		b.Run(fmt.Sprintf("live=%d", n), func(b *testing.B) {
			t := loaded(n)
			for b.Loop() {
				runtime.GC()
			}
			runtime.KeepAlive(t)
		})
	}
}

// BenchmarkGetBesideWriter is a look-up by each of some readers while another goroutine adds without a pause; adds/s is
// what that one gets done, gets/s what all readers do together.
func BenchmarkGetBesideWriter(b *testing.B) {
	for _, readers := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) {
			t := loaded(benchEntries / 2)
			var stop atomic.Bool
			added := make(chan int)
			go func() {
				n := benchEntries / 2
				var buf []byte
				value := make([]byte, 100)
				for ; !stop.Load(); n++ {
					buf = benchKey(buf, "", n)
					t.Add(key.Make(buf, key.Seq(n+1), key.KindSet), value)
				}
				added <- n - benchEntries/2
			}()
			b.ResetTimer()
			start := time.Now()
			var all sync.WaitGroup
			for range readers {
				all.Go(func() {
					var buf []byte
					for range b.N {
						buf = benchKey(buf, "", rand.IntN(benchEntries/2))
						t.Get(buf, key.MaxSeq)
					}
				})
			}
			all.Wait()
			seconds := time.Since(start).Seconds()
			stop.Store(true)
			b.ReportMetric(float64(<-added)/seconds, "adds/s")
			b.ReportMetric(float64(readers)*float64(b.N)/seconds, "gets/s")
		})
	}
}

// BenchmarkAddAscending is the cost of an entry whose key is beyond all others.
func BenchmarkAddAscending(b *testing.B) {
	b.ReportAllocs()
	var t *memtable.Table
	var user [16]byte
	value := make([]byte, 100)
	for i := 0; b.Loop(); i++ {
		if i%benchEntries == 0 {
			t = memtable.New(128 << 20)
		}
		binary.BigEndian.PutUint64(user[:], uint64(i%benchEntries))
		t.Add(key.Make(user[:], key.Seq(i+1), key.KindSet), value)
	}
}
