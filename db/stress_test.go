package db

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

var stressRounds = flag.Int("stress.rounds", 0, "rounds of TestEverythingAtOnce; 0: 25, or 5 with -short")

// TestEverythingAtOnce has readers, writers, iterators, snapshots, views, upkeep, changes of the filters, looks inside
// and, at a random time, Close run at once (CON-01, MET-01, MET-02). Every call is right or gives ErrClosed; no
// goroutine and no file is left open afterwards.
func TestEverythingAtOnce(t *testing.T) {
	rounds := *stressRounds
	if rounds == 0 {
		rounds = 25
		if testing.Short() {
			rounds = 5
		}
	}
	var longest time.Duration // of Close
	for round := range rounds {
		seed := rand.Uint64()
		base := goleak.IgnoreCurrent()
		disk := fsys.NewMem()
		counting := &handles{FS: disk}
		least := int64(2000)
		if round%2 == 0 { // Close comes soon
			least = int64(seed % 300)
		}
		longest = max(longest, stressRound(t, seed, counting, least))
		if err := goleak.Find(base); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n := counting.open.Load(); n != 0 {
			t.Fatalf("seed %d: %d files are open after Close", seed, n)
		}
		checkPairs(t, openStore(t, disk.CrashClone(nil)), map[string]uint64{})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d rounds, the longest Close took %v", rounds, longest)
}

// stress is one round's state. Writer w keeps the keys "w<n>.a", "w<n>.b" and so on at one number, which rises.
type stress struct {
	t       *testing.T
	store   *DB
	running sync.WaitGroup
	calls   atomic.Int64
}

const (
	stressWriters = 3
	stressKeys    = 20
)

// stressRound closes the store after that many calls at the least, and says how long that took.
func stressRound(t *testing.T, seed uint64, disk FS, least int64) (closing time.Duration) {
	t.Helper()
	store := openStore(t, disk, func(o *Options) { o.Workers, o.OpenTables, o.FilterPlan = 2, 4, bloom.Plan(seed%3) })
	s := &stress{t: t, store: store}
	for w := range stressWriters {
		s.loop(seed, uint64(w), s.writer(w))
	}
	for i, fn := range []func(rng *rand.Rand) error{
		s.read, s.read, s.scan, s.iterate, s.snapshot, s.view, s.upkeep, s.filters, s.inside(),
	} {
		s.loop(seed, uint64(10+i), fn)
	}
	within(t, "work", func() {
		for s.calls.Load() < least {
			time.Sleep(time.Millisecond)
		}
	})
	start := time.Now()
	within(t, "Close", func() {
		if err := store.Close(); err != nil {
			if _, ok := errors.AsType[*LeakError](err); !ok {
				t.Errorf("Close: %v", err)
			}
		}
	})
	closing = time.Since(start)
	within(t, "calls after Close", s.running.Wait)
	return closing
}

// loop calls fn until it gives ErrClosed.
func (s *stress) loop(seed, stream uint64, fn func(rng *rand.Rand) error) {
	rng := rand.New(rand.NewPCG(seed, stream))
	s.running.Go(func() {
		for {
			err := fn(rng)
			s.calls.Add(1)
			if errors.Is(err, ErrClosed) {
				return
			}
			if err != nil {
				s.t.Error(err)
				return
			}
		}
	})
}

func stressKey(w, i int) []byte { return fmt.Appendf(nil, "w%d.%c", w, 'a'+i) }

func (s *stress) writer(w int) func(rng *rand.Rand) error {
	number := uint64(0)
	return func(rng *rand.Rand) error {
		number++
		var b Batch
		for i := range stressKeys {
			v := make([]byte, 8+rng.IntN(150))
			binary.BigEndian.PutUint64(v, number)
			b.Put(stressKey(w, i), v)
		}
		when := NoSync
		if rng.IntN(8) == 0 {
			when = Sync
		}
		return s.store.Apply(&b, when)
	}
}

func (s *stress) read(rng *rand.Rand) error {
	k := stressKey(rng.IntN(stressWriters), rng.IntN(stressKeys+1)) // the last one is never there
	var err error
	switch rng.IntN(4) {
	case 0:
		_, err = s.store.Get(k)
	case 1:
		_, err = s.store.AppendGet(nil, k, IgnoreFilters)
	case 2:
		err = s.store.GetFunc(k, func(v []byte) error {
			if len(v) < 8 {
				return fmt.Errorf("%q has %d bytes", k, len(v))
			}
			return nil
		}, NoCache)
	default:
		_, err = s.store.Has(k)
	}
	if err == ErrNotFound {
		err = nil
	}
	return err
}

// pairsOf checks that the keys of each writer, as far as from shows them, are all there with one number, and
// that numbers never fall.
func pairsOf(from Reader, last map[string]uint64) error {
	numbers, counts := make(map[string]uint64), make(map[string]int)
	for e, err := range from.Scan(Range{}) {
		if err != nil {
			return err
		}
		w := string(e.Key[:2])
		n := binary.BigEndian.Uint64(e.Value)
		if counts[w]++; counts[w] > 1 && n != numbers[w] {
			return fmt.Errorf("%q is at %d, others of it at %d", e.Key, n, numbers[w])
		}
		numbers[w] = n
	}
	for w, n := range numbers {
		if counts[w] != stressKeys || n < last[w] {
			return fmt.Errorf("writer %s: %d keys at %d, had been at %d", w, counts[w], n, last[w])
		}
		last[w] = n
	}
	return nil
}

func checkPairs(t *testing.T, from Reader, last map[string]uint64) {
	t.Helper()
	check(t, pairsOf(from, last))
}

func (s *stress) scan(*rand.Rand) error { return pairsOf(s.store, map[string]uint64{}) }

func (s *stress) snapshot(rng *rand.Rand) error {
	snapshot := s.store.Snapshot()
	defer snapshot.Close()
	last := make(map[string]uint64)
	if err := pairsOf(snapshot, last); err != nil {
		return err
	}
	first := fmt.Sprint(last)
	time.Sleep(time.Duration(rng.IntN(3)) * time.Millisecond)
	if err := pairsOf(snapshot, last); err != nil {
		return err
	}
	if now := fmt.Sprint(last); now != first {
		return fmt.Errorf("a snapshot went from %s to %s", first, now)
	}
	return nil
}

func (s *stress) view(*rand.Rand) error {
	return s.store.View(func(snapshot *Snapshot) error { return pairsOf(snapshot, map[string]uint64{}) })
}

func (s *stress) iterate(rng *rand.Rand) error {
	w := rng.IntN(stressWriters)
	it := s.store.NewIter(Prefix(fmt.Appendf(nil, "w%d", w)))
	defer it.Close()
	number := uint64(0)
	for range 60 {
		var ok bool
		switch rng.IntN(4) {
		case 0:
			ok = it.SeekGE(stressKey(w, rng.IntN(stressKeys)))
		case 1:
			ok = it.SeekLT(stressKey(w, rng.IntN(stressKeys)))
		case 2:
			ok = it.Next()
		default:
			ok = it.Prev()
		}
		if !ok {
			if it.Err() != nil {
				return it.Err()
			}
			continue
		}
		n := binary.BigEndian.Uint64(it.Value())
		if number != 0 && n != number {
			return fmt.Errorf("an iterator went from %d to %d at %q", number, n, it.Key())
		}
		number = n
	}
	return nil
}

func (s *stress) upkeep(rng *rand.Rand) error {
	time.Sleep(time.Duration(rng.IntN(4)) * time.Millisecond)
	ctx, cancel := context.Background(), context.CancelFunc(func() {})
	cancelled := rng.IntN(3) == 0
	if cancelled {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rng.IntN(3000))*time.Microsecond)
	}
	defer cancel()
	var err error
	switch rng.IntN(5) {
	case 0:
		err = s.store.Flush(ctx)
	case 1:
		err = s.store.Compact(ctx, Range{})
	case 2:
		err = s.store.Compact(ctx, Prefix(fmt.Appendf(nil, "w%d", rng.IntN(stressWriters))))
	case 3:
		err = lastOf(s.store.Verify(ctx))
	default:
		err = s.store.Sync()
	}
	if cancelled && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// filters changes what can be changed of filters.
func (s *stress) filters(rng *rand.Rand) error {
	time.Sleep(time.Duration(rng.IntN(3)) * time.Millisecond)
	switch rng.IntN(5) {
	case 0, 1:
		return s.store.SetBitsPerKey(float64(rng.IntN(17)))
	case 2:
		return s.store.SetFilterMemory(int64(rng.IntN(300)))
	case 3:
		return s.store.LoadFilters(context.Background())
	}
	policies := []bloom.Policy{
		bloom.BitsPerKey(10), bloom.Ribbon(8), bloom.Classic(6), bloom.Fuse(9), bloom.Cuckoo(12), bloom.None,
	}
	return s.store.RebuildFilters(context.Background(), policies[rng.IntN(len(policies))])
}

// inside looks at the metrics, which never fall back, and the tables.
func (s *stress) inside() func(*rand.Rand) error {
	var last Metrics
	return func(*rand.Rand) error {
		m := s.store.Metrics()
		if s.store.closed.Load() {
			return ErrClosed // and m may be of a store that Close has taken apart
		}
		if err := fallen(m, last); err != nil {
			return err
		}
		last = m
		return s.look(m)
	}
}

func (s *stress) look(m Metrics) error {
	for _, l := range m.Levels {
		if f := l.Filter; f.Checks != f.Skips+f.TruePasses+f.FalsePasses {
			return fmt.Errorf("level %d: %+v", l.Level, f)
		}
	}
	for name, gauge := range map[string]int64{
		"OpenTables": m.OpenTables, "CacheBytes": m.CacheBytes, "MemTableBytes": m.MemTableBytes,
		"OffHeapBytes": m.OffHeapBytes, "FilterBytes": m.FilterBytes, "IndexBytes": m.IndexBytes,
		"LogSegments": int64(m.LogSegments), "DiskBytes": m.DiskBytes, "ObsoleteBytes": m.ObsoleteBytes,
		"RunningCompactions": int64(m.RunningCompactions),
	} {
		if gauge < 0 || gauge > 1<<40 { // MET-01
			return fmt.Errorf("%s is %d", name, gauge)
		}
	}
	for info := range s.store.Tables() {
		if info.Size <= 0 || info.Entries == 0 {
			return fmt.Errorf("%s: %+v", info.File, info)
		}
	}
	_, err := s.store.Has([]byte("closed?"))
	return err
}

// TestTablesOpenedAtOnce has many goroutines make the first read of the same tables (FLT-15).
func TestTablesOpenedAtOnce(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.NoCompaction = true })
	for table := range 10 {
		for i := range 50 {
			put(t, store, fmt.Sprintf("%03d.%d", i, table))
		}
		flush(t, store)
	}
	check(t, store.Close())
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		store := openStore(t, disk, readOnly, func(o *Options) { o.OpenTables = 3 })
		var readers sync.WaitGroup
		for r := range 64 {
			readers.Go(func() {
				for i := range 20 {
					k := fmt.Sprintf("%03d.%d", (i+r)%50, (i*3+r)%10)
					wantValue(t, store, k, k)
					wantMiss(t, store, k+"x")
				}
			})
		}
		readers.Wait()
		m := store.Metrics()
		countersAddUp(t, m)
		if m.OpenTables > 3 || m.Filter.Skips == 0 {
			t.Errorf("%d open, %d skips", m.OpenTables, m.Filter.Skips)
		}
		check(t, store.Close())
	}
}
