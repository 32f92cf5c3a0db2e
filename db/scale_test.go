package db

import (
	"context"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var scaleKeys = flag.Int("scale.keys", 0, "keys of TestScale; 0: it is skipped. 5000000 takes some minutes")

// TestScale loads keys of 16 bytes with values of 100 under default options, in synced batches of 1,000, reopens
// the store, deletes all keys and compacts, and reports the longest wait of a write, resident memory, the time
// of the reopening and what is left on disk. It judges sizes, not times.
func TestScale(t *testing.T) {
	if *scaleKeys == 0 {
		t.Skip("asked for with -scale.keys")
	}
	dir := filepath.Join(t.TempDir(), "store")
	store, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := *scaleKeys
	peak := watchMemory(t)
	took, longest := writeAll(t, store, keys, func(b *Batch, k, v []byte) { b.Put(k, v) })
	t.Logf("loaded %d keys in %v, %.0f a second; longest wait of a batch %v", keys, took, float64(keys)/took.Seconds(), longest)
	m := store.Metrics()
	t.Logf("stalls: %d slowdowns, %d stops, %v together", m.Slowdowns, m.Stops, m.StallTime)
	if err := store.WaitQuiet(context.Background()); err != nil {
		t.Fatal(err)
	}
	m = store.Metrics()
	t.Logf("write amplification %.2f", float64(m.FlushedBytes+m.CompactionWritten)/float64(116*keys))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	full := dirSize(t, dir)

	start := time.Now()
	if store, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	t.Logf("reopened in %v, with a log of %d MiB", time.Since(start), m.DiskBytes>>20)
	for i := 0; i < keys; i += 997 {
		if _, err := store.Get(scaleKey(i)); err != nil {
			t.Fatal(err)
		}
	}
	took, longest = writeAll(t, store, keys, func(b *Batch, k, v []byte) { b.Delete(k) })
	t.Logf("deleted in %v; longest wait of a batch %v", took, longest)
	start = time.Now()
	if err := store.Compact(context.Background(), Range{}); err != nil {
		t.Fatal(err)
	}
	t.Logf("compacted in %v", time.Since(start))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	left := dirSize(t, dir)
	t.Logf("on disk: %d MiB full, %d KiB after deleting all and compacting", full>>20, left>>10)
	if left > full/20 {
		t.Errorf("%d of %d bytes are left on disk", left, full)
	}
	if resident := peak(); resident > 400<<20 {
		t.Errorf("resident memory reached %d MiB", resident>>20)
	} else {
		t.Logf("resident memory reached %d MiB", resident>>20)
	}
}

func scaleKey(i int) []byte {
	k := make([]byte, 16)
	copy(k, "account:")
	binary.BigEndian.PutUint64(k[8:], uint64(i)*0x9e3779b97f4a7c15)
	return k
}

// writeAll writes all keys, whose order scaleKey scatters, in batches, and says how long the slowest batch took.
func writeAll(t *testing.T, store *DB, keys int, add func(b *Batch, k, v []byte)) (took, longest time.Duration) {
	t.Helper()
	value := make([]byte, 100)
	random := rand.NewChaCha8([32]byte{1})
	start := time.Now()
	for done := 0; done < keys; {
		var b Batch
		for ; done < keys && b.Len() < 1000; done++ {
			random.Read(value[:50]) // the other half compresses
			add(&b, scaleKey(done), value)
		}
		before := time.Now()
		if err := store.Apply(&b); err != nil {
			t.Fatal(err)
		}
		longest = max(longest, time.Since(before))
	}
	return time.Since(start), longest
}

// watchMemory looks at the process's resident memory ten times a second; peak ends it and returns the most that
// was seen, 0 where the system does not tell.
func watchMemory(t *testing.T) (peak func() int64) {
	done, seen := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		for {
			select {
			case <-done:
				seen <- most
				return
			case <-time.After(100 * time.Millisecond):
				most = max(most, resident())
			}
		}
	}()
	return func() int64 { close(done); return <-seen }
}

func resident() int64 {
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(status))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func dirSize(t *testing.T, dir string) (size int64) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	return size
}
