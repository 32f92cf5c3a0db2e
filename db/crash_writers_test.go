package db

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"siftdb/internal/fsys"
)

const crashWriters = 4

// TestPowerCutAmongWriters cuts the power while several goroutines write, and share log records and syncs. What is
// there then is a prefix of the order in which the writes were made, as far as anybody can know it: with a write come
// all that had returned before it began; every write is there whole; and with a synced one all that was before it.
func TestPowerCutAmongWriters(t *testing.T) {
	each, every := 150, 1
	if testing.Short() {
		each, every = 40, 15
	}
	seed := *crashSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	w := &writersOrder{}
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	store := openStore(t, fault)
	rng := rand.New(rand.NewPCG(seed, 0))
	operations, outcomes := 0, 0
	var turns sync.Mutex
	fault.SetHook(func(op fsys.Op, name string) error {
		turns.Lock()
		defer turns.Unlock()
		if operations++; operations%every != 0 || t.Failed() {
			return nil
		}
		durable := w.durableNow()
		for i, c := range []fsys.PowerCut{
			{}, {Names: fsys.All, Data: fsys.All}, {Names: fsys.Some, Data: fsys.Some, Rand: rng},
		} {
			outcomes++
			if err := w.judge(disk.Cut(c), durable); err != nil {
				t.Errorf("-crash.seed=%d, cut before operation %d, %v %s, outcome %d: %v", seed, operations, op, name, i, err)
			}
		}
		return nil
	})
	var writing sync.WaitGroup
	for writer := range crashWriters {
		writing.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(1+writer)))
			for range each {
				if err := w.write(store, writer, rng); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	m := store.Metrics()
	check(t, store.Close())
	t.Logf("-crash.seed=%d: %d operations, %d outcomes; %d writes in %d groups", seed, operations, outcomes,
		each*crashWriters, m.Commits)
}

// writersOrder is what is known of the order of writes that several goroutines make. The n-th write of a writer sets
// two keys of its own to n.
type writersOrder struct {
	mu       sync.Mutex
	returned progress
	durable  progress
	before   [crashWriters][]progress // what had returned when each write began
}

// progress is how many writes there are of each writer.
type progress [crashWriters]int

func (p *progress) atLeast(other progress) {
	for i, n := range other {
		p[i] = max(p[i], n)
	}
}

func (w *writersOrder) durableNow() progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.durable
}

// write makes the next write of one writer.
func (w *writersOrder) write(store *DB, writer int, rng *rand.Rand) error {
	w.mu.Lock()
	before := w.returned
	w.before[writer] = append(w.before[writer], before)
	number := len(w.before[writer])
	w.mu.Unlock()
	var b Batch
	value := strconv.AppendInt(nil, int64(number), 10)
	b.Put(writerKey(writer, "a"), append(value, strings.Repeat(" ", rng.IntN(300))...))
	b.Put(writerKey(writer, "b"), value)
	when := NoSync
	if rng.IntN(4) == 0 {
		when = Sync
	}
	if err := store.Apply(&b, when); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.returned[writer] = number
	if when == Sync {
		before[writer] = number
		w.durable.atLeast(before)
	}
	return nil
}

func writerKey(writer int, which string) []byte { return fmt.Appendf(nil, "w%d.%s", writer, which) }

// judge opens what a crash left and says what is wrong with it.
func (w *writersOrder) judge(image *fsys.Mem, durable progress) error {
	store, err := Open("store", small(image))
	if err != nil {
		return err
	}
	defer store.Close()
	var found progress
	for writer := range found {
		var numbers [2]int
		for i, which := range []string{"a", "b"} {
			v, err := store.Get(writerKey(writer, which))
			if err == ErrNotFound {
				continue
			}
			if err != nil {
				return err
			}
			if numbers[i], err = strconv.Atoi(strings.TrimSpace(string(v))); err != nil {
				return err
			}
		}
		if numbers[0] != numbers[1] {
			return fmt.Errorf("writer %d: half a batch: %v", writer, numbers)
		}
		found[writer] = numbers[0]
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	least := durable
	for writer, n := range found {
		if n > len(w.before[writer]) {
			return fmt.Errorf("writer %d: write %d has not been made", writer, n)
		}
		if n > 0 {
			least.atLeast(w.before[writer][n-1])
		}
	}
	for writer, n := range least {
		if found[writer] < n {
			return fmt.Errorf("found %v, want at least %v, of which durable %v", found, least, durable)
		}
	}
	return nil
}
