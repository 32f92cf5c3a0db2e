package db

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"
)

var largerKeys = flag.Int("larger.keys", 0,
	"keys of BenchmarkLargerThanCache; 0: it is skipped. 2000000 are about 240 MB of blocks")

// largerStore is a store of that many keys: those of 16 digits, values of 100 bytes of which half repeat the other.
// Half of the keys were written twice. The cache has 128 MiB.
func largerStore(b *testing.B, keys int) *DB {
	store, err := Open(b.TempDir(), &Options{NoSync: true, MemTableSize: 64 << 20, CacheSize: 128 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	key, value := make([]byte, 0, 16), make([]byte, 100)
	for n := range keys + keys/2 {
		i := uint64(n) * 2654435761 % uint64(keys)
		for at := 0; at < 48; at += 8 {
			binary.LittleEndian.PutUint64(value[at:], (i+uint64(at))*0x9e3779b97f4a7c15^uint64(n)<<7)
		}
		copy(value[50:], value[:50])
		if err := store.Put(fmt.Appendf(key, "%016d", 2*i), value); err != nil {
			b.Fatal(err)
		}
	}
	if err := store.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	if err := store.WaitQuiet(context.Background()); err != nil {
		b.Fatal(err)
	}
	return store
}

// BenchmarkLargerThanCache reads from a store whose blocks do not fit the cache uncompressed and nearly fit it
// compressed, as loaded and compacted; a compaction leaves nothing in the cache. It needs -larger.keys, and counts
// of operations rather than times: go test ./db -run '^$' -bench LargerThanCache -benchtime 500000x -larger.keys
// 2000000
func BenchmarkLargerThanCache(b *testing.B) {
	if *largerKeys == 0 {
		b.Skip("asked for with -larger.keys")
	}
	store, keys := largerStore(b, *largerKeys), *largerKeys
	r := rand.New(rand.NewPCG(1, 2))
	rank := largerZipf(keys)
	zipf := func() int { return int(uint64(rank(r.Float64())) * 2654435761 % uint64(keys)) }
	uniform := func() int { return r.IntN(keys) }
	for _, state := range []string{"loaded", "compacted"} {
		if state == "compacted" {
			if err := store.Compact(context.Background(), Range{}); err != nil {
				b.Fatal(err)
			}
		}
		for _, phase := range []struct {
			name string
			next func() int
		}{{"uniform", uniform}, {"uniform again", uniform}, {"zipf", zipf}} {
			b.Run(state+"/"+phase.name, func(b *testing.B) { benchLarger(b, store, phase.next) })
		}
	}
}

func benchLarger(b *testing.B, store *DB, next func() int) {
	b.ReportAllocs()
	before, started := store.Metrics(), processTime(b)
	key, value := make([]byte, 0, 16), make([]byte, 0, 100)
	for range b.N {
		key = fixedDigits(key[:0], 2*next())
		if _, err := store.AppendGet(value, key); err != nil {
			b.Fatal(err)
		}
	}
	used := processTime(b) - started
	m := store.Metrics().Sub(before)
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "cpu-ns/op")
	b.ReportMetric(100*float64(m.CacheHits)/float64(m.CacheHits+m.CacheMisses), "%hits")
	b.ReportMetric(100*float64(m.CacheCompressed)/float64(m.CacheEntries), "%compressed")
	b.ReportMetric(float64(m.CacheBytes>>20), "cache-MiB")
}

// fixedDigits appends i in 16 digits.
func fixedDigits(dst []byte, i int) []byte {
	at := len(dst)
	dst = append(dst, "0000000000000000"...)
	for p := at + 15; i > 0; p-- {
		dst[p] = byte('0' + i%10)
		i /= 10
	}
	return dst
}

// largerZipf gives the rank below n that a number in [0, 1) stands for, by Zipf's law with exponent 0.99.
func largerZipf(n int) func(float64) int {
	below := make([]float64, n)
	sum := 0.0
	for i := range below {
		sum += math.Pow(float64(i+1), -0.99)
		below[i] = sum
	}
	return func(u float64) int {
		at, _ := slices.BinarySearch(below, u*sum)
		return min(at, n-1)
	}
}

// processTime is the processor time that the process has used, its collections and the system's part included.
func processTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
