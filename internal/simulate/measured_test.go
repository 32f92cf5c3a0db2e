package simulate

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"siftdb/bloom"
	"siftdb/compaction"
	"siftdb/db"
)

var measuredKeys = flag.Int("simulate.keys", 0, "also compare with a store of so many keys, such as 1000000")

// TestMeasuredStores: a store that is really filled writes what is simulated, takes as much room and has as many tables to
// ask: bytes within 8 %, those compacted within 12 %, for keys that lie closer share more of their bytes; tables of a
// lookup within 10 %.
func TestMeasuredStores(t *testing.T) {
	keys := []int{100_000}
	if testing.Short() {
		keys[0] = 30_000
	}
	if *measuredKeys > 0 {
		keys = append(keys, *measuredKeys)
	}
	for _, n := range keys {
		for _, w := range []Workload{
			{Keys: n, Seed: 1},
			{Keys: n / 2, Updates: n, Deletes: 0.2, Seed: 2},
			{Keys: n / 2, Updates: n / 2, Zipf: 0.99, Seed: 3},
		} {
			for _, style := range compaction.Styles() {
				t.Run(fmt.Sprintf("%d keys, %d updates, zipf %g, %v", w.Keys, w.Updates, w.Zipf, style), func(t *testing.T) { compare(t, w, style) })
			}
		}
	}
}

// measured is what a real store came to.
type measured struct {
	flushed, compacted, end, flushes int64
	runs                             float64
}

const (
	measuredValue = 50
	// measuredFlushes is how many memtables the writes fill.
	measuredFlushes = 60
	// grain is how many parts of a byte are told apart, so that entries have the size they have.
	grain = 16
)

func compare(t *testing.T, w Workload, style compaction.Style) {
	writes := (w.Keys + w.Updates) / measuredFlushes
	memTable := int64(writes) * (8 + measuredValue + 60) // a little more than the writes take
	c := Store{
		MemTableWrites: writes, Workers: 1,
		Options: compaction.Options{Style: style, TableSize: memTable / 2 * grain, BaseBytes: 2 * memTable * grain, LevelRatio: 4},
	}
	c.KeyBytes, c.ValueBytes = measureEntries(t, writes)
	r, got := mustRun(t, c, w), fill(t, w, style, writes, memTable)
	if r.Flushes != got.flushes {
		t.Errorf("%d flushes, the store made %d", r.Flushes, got.flushes)
	}
	for _, f := range []struct {
		name      string
		got, want float64
		within    float64
	}{
		{"flushed", float64(r.FlushedBytes) / grain, float64(got.flushed), 0.08},
		{"compacted", float64(r.CompactedBytes) / grain, float64(got.compacted), 0.12},
		{"in the end", float64(r.EndBytes) / grain, float64(got.end), 0.08},
		{"tables of a lookup", r.MeanRuns, got.runs, 0.1},
	} {
		t.Logf("%s: %.4g, the store %.4g", f.name, f.got, f.want)
		if math.Abs(f.got/f.want-1) > f.within {
			t.Errorf("%s: %.4g, and the store had %.4g", f.name, f.got, f.want)
		}
	}
}

// measureEntries says what a deletion takes in a flushed table, and what a value takes beyond that, in grains.
func measureEntries(t *testing.T, n int) (keyBytes, valueBytes int64) {
	size := func(write func(store *db.DB, key []byte) error) int64 {
		store := open(t, compaction.Leveled, 64<<20)
		defer store.Close()
		for rank := range uint64(n) {
			if err := write(store, userKey(userOf(rank, 0))); err != nil {
				t.Fatal(err)
			}
		}
		flushAll(t, store)
		return store.Metrics().FlushedBytes * grain / int64(n)
	}
	value := bytes.Repeat([]byte("v"), measuredValue)
	keyBytes = size(func(store *db.DB, key []byte) error { return store.Delete(key) })
	return keyBytes, size(func(store *db.DB, key []byte) error { return store.Put(key, value) }) - keyBytes
}

// flushAll waits until all that was written is in tables, compacted and counted.
func flushAll(t *testing.T, store *db.DB) {
	t.Helper()
	if err := store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.WaitQuiet(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// open makes a store with one worker, so that compactions come one after the other.
func open(t *testing.T, style compaction.Style, memTable int64) *db.DB {
	store, err := db.Open("store", &db.Options{
		FS: db.MemFiles(), NoSync: true, MemTableSize: memTable, TableSize: memTable / 2, LevelRatio: 4, Workers: 1, Compaction: style,
		CacheSize: -1, BlockSize: 1024, Filter: bloom.None, Compression: db.NoCompression,
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// fill writes the workload to a store whose compactions are done before it goes on.
func fill(t *testing.T, w Workload, style compaction.Style, writes int, memTable int64) (m measured) {
	store := open(t, style, memTable)
	defer store.Close()
	s := newWrites(w)
	asked := rand.New(rand.NewPCG(w.Seed, 2))
	value := bytes.Repeat([]byte("v"), measuredValue)
	samples := 0
	flush := func() {
		flushAll(t, store)
		for range lookups {
			// A key just beside one that is there meets the same tables, and is in none of them.
			user := append(userKey(userOf(uint64(asked.IntN(w.Keys)), w.Seed)), 0)
			var trace db.Trace
			if _, err := store.Get(user, db.TraceTo(&trace)); err != db.ErrNotFound {
				t.Fatalf("a key that was never written: %v", err)
			}
			m.runs += float64(trace.Tables)
			samples++
		}
	}
	n := 0
	for e, ok := s.next(); ok; e, ok = s.next() {
		write := func() error { return store.Put(userKey(e.user()), value) }
		if e.deleted() {
			write = func() error { return store.Delete(userKey(e.user())) }
		}
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if n++; n%writes == 0 {
			flush()
		}
	}
	if n%writes > 0 {
		flush()
	}
	metrics := store.Metrics()
	m.flushes, m.flushed, m.compacted = metrics.Flushes, metrics.FlushedBytes, metrics.CompactionWritten
	for _, l := range metrics.Levels {
		m.end += l.Bytes
	}
	m.runs /= float64(samples)
	return m
}
