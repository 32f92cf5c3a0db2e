package memtable_test

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"siftdb/internal/key"
	"siftdb/memtable"
)

// TestBytesIsWhatTheHeapGrowsBy compares the accounting with the runtime's, for several shapes of entries.
func TestBytesIsWhatTheHeapGrowsBy(t *testing.T) {
	ascending := func(i int) uint64 { return uint64(i) }
	scattered := func(i int) uint64 { return uint64(i) * 0x9E3779B97F4A7C15 }
	few := func(i int) uint64 { return uint64(i % 100) }
	for _, c := range []struct {
		name    string
		entries int
		number  func(int) uint64
		user    int // bytes of a key
		value   int // bytes of a value, on average
	}{
		{"scattered keys", 50_000, scattered, 16, 100},
		{"ascending keys", 50_000, ascending, 16, 100},
		{"descending keys", 50_000, func(i int) uint64 { return ^uint64(i) }, 16, 100},
		{"scattered keys alone", 50_000, scattered, 8, 0},
		{"ascending keys alone", 50_000, ascending, 8, 0},
		{"overwrites", 50_000, few, 16, 50},
		{"large values", 200, scattered, 16, 50_000},
		{"values larger than a chunk", 20, scattered, 16, 1_500_000},
		{"long keys", 500, scattered, 20_000, 10},
		{"few entries", 300, scattered, 16, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := rand.Uint64()
			rng := rand.New(rand.NewPCG(seed, 0))
			user, value := make([]byte, c.user), make([]byte, 2*c.value+1)
			before := heap()
			table := memtable.New(64 << 20)
			empty := heap()
			for i := range c.entries {
				binary.BigEndian.PutUint64(user, c.number(i))
				table.Add(key.Make(user, key.Seq(i+1), key.KindSet), value[:rng.IntN(2*c.value+1)])
			}
			grown := heap() - empty
			if got := table.Bytes(); float64(got) < 0.7*float64(grown) || float64(got) > 1.3*float64(grown) {
				t.Errorf("seed %d: Bytes %d, the heap grew by %d", seed, got, grown)
			}
			t.Logf("Bytes/heap: %.2f; an empty table takes %d", float64(table.Bytes())/float64(grown), empty-before)
			runtime.KeepAlive(table)
		})
	}
}

// heap is the number of bytes on the heap that are reachable.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
