package db

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// pointReads are all kinds of point reads.
var pointReads = map[string]func(from Reader, key []byte, opts ...ReadOption) error{
	"Get": func(from Reader, key []byte, opts ...ReadOption) error { _, err := from.Get(key, opts...); return err },
	"AppendGet": func(from Reader, key []byte, opts ...ReadOption) error {
		_, err := from.AppendGet(nil, key, opts...)
		return err
	},
	"GetFunc": func(from Reader, key []byte, opts ...ReadOption) error {
		return from.GetFunc(key, func([]byte) error { return nil }, opts...)
	},
	"Has": func(from Reader, key []byte, opts ...ReadOption) error {
		has, err := from.Has(key, opts...)
		if err == nil && !has {
			return ErrNotFound
		}
		return err
	},
}

// leveled is a store with tables at several levels whose ranges overlap, at rest.
func leveled(t *testing.T, change ...func(o *Options)) *DB {
	t.Helper()
	store := memStore(t, append([]func(o *Options){func(o *Options) {
		o.LevelRatio, o.Filter = 3, bloom.BitsPerKey(6)
	}}, change...)...)
	for round := range 6 {
		for i := range 400 {
			k := fmt.Sprintf("key%05d", (i*7+round*13)%2000*2)
			check(t, store.Put([]byte(k), filled(k, 60, ""), NoSync))
		}
		flush(t, store)
	}
	quiet(t, store)
	return store
}

// TestFilterCountersOfEachRead makes the same reads by each call, of the store and of a snapshot: the counters are
// the same each time, add up, and agree with the trace (MET-03, MET-04, FLT-13).
func TestFilterCountersOfEachRead(t *testing.T) {
	store := leveled(t)
	snapshot := store.Snapshot()
	defer snapshot.Close()
	const reads = 2000
	want := ""
	for name, from := range map[string]Reader{"store": store, "snapshot": snapshot} {
		for call, read := range pointReads {
			before := store.Metrics()
			var trace Trace
			found := 0
			for i := range reads { // every second key is absent, between present ones
				err := read(from, fmt.Appendf(nil, "key%05d", i*2+i%2), TraceTo(&trace))
				if err == nil {
					found++
				} else if err != ErrNotFound {
					t.Fatal(err)
				}
			}
			d := store.Metrics().Sub(before)
			f := d.Filter
			got := fmt.Sprintf("found %d, checks %d, skips %d, true %d, false %d, unfiltered %d",
				found, f.Checks, f.Skips, f.TruePasses, f.FalsePasses, d.UnfilteredProbes)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s of the %s: %s; by another call %s", call, name, got, want)
			}
			countersAddUp(t, d)
			if f.Skips == 0 || f.TruePasses == 0 || f.FalsePasses == 0 {
				t.Errorf("%s: a counter stands still: %s", call, got)
			}
			if int64(trace.FilterSkips) != f.Skips || int64(trace.TruePasses) != f.TruePasses ||
				int64(trace.FalsePasses) != f.FalsePasses || int64(trace.Tables) != f.Checks {
				t.Errorf("%s: the trace says %d tables, %d skips, %d true, %d false; the counters %s", call,
					trace.Tables, trace.FilterSkips, trace.TruePasses, trace.FalsePasses, got)
			}
			if f.Rate() != float64(f.FalsePasses)/float64(f.FalsePasses+f.Skips) || f.Rate() > 3*f.Expected() ||
				f.Expected() > 3*f.Rate() {
				t.Errorf("%s: rate %g, by theory %g", call, f.Rate(), f.Expected())
			}
		}
	}
}

// countersAddUp checks the identities of invariant 7: in the store, at each level, and between them.
func countersAddUp(t testing.TB, m Metrics) {
	t.Helper()
	if err := wrongCount(m); err != nil {
		t.Error(err)
	}
}

// wrongCount says what of m's counters does not add up.
func wrongCount(m Metrics) error {
	var sum FilterMetrics
	for _, l := range m.Levels {
		if l.Filter.Checks != l.Filter.Skips+l.Filter.TruePasses+l.Filter.FalsePasses {
			return fmt.Errorf("level %d: %+v", l.Level, l.Filter)
		}
		if l.Filter.Skips != l.Filter.BlockReadsSkipped {
			return fmt.Errorf("level %d: %d skips, %d block reads skipped", l.Level, l.Filter.Skips, l.Filter.BlockReadsSkipped)
		}
		sum.add(l.Filter)
	}
	sum.expectedFalse, sum.expectedKeys = m.Filter.expectedFalse, m.Filter.expectedKeys
	if sum != m.Filter {
		return fmt.Errorf("the levels add up to %+v, the store says %+v", sum, m.Filter)
	}
	return nil
}

// fallen says which counter is less in m than it was earlier. Counters are what Sub takes the difference of.
func fallen(m, earlier Metrics) error {
	differences := reflect.ValueOf(m.Sub(earlier))
	for _, i := range counters() {
		if by := differences.Field(i).Int(); by < 0 {
			return fmt.Errorf("counter %s fell by %d", differences.Type().Field(i).Name, -by)
		}
	}
	if u := m.Sub(earlier).UnfilteredProbes; min(u.NoFilter, u.NotResident, u.Unusable, u.Ignored) < 0 {
		return fmt.Errorf("a counter of probes without a filter fell: %+v", u)
	}
	for _, f := range append([]FilterMetrics{m.Sub(earlier).Filter}, filtersOf(m.Sub(earlier).Levels)...) {
		if f.Checks < 0 || f.Skips < 0 || f.TruePasses < 0 || f.FalsePasses < 0 || f.BlockReadsSkipped < 0 {
			return fmt.Errorf("a counter of filters fell: %+v", f)
		}
	}
	return nil
}

// counters are the fields of Metrics that Sub takes the difference of, by their places.
func counters() (places []int) {
	var ones Metrics
	set := reflect.ValueOf(&ones).Elem()
	for i := range set.NumField() {
		if set.Field(i).CanInt() {
			set.Field(i).SetInt(1)
		}
	}
	for i, differences := 0, reflect.ValueOf(Metrics{}.Sub(ones)); i < differences.NumField(); i++ {
		if f := differences.Field(i); f.CanInt() && f.Int() == -1 {
			places = append(places, i)
		}
	}
	return places
}

func filtersOf(levels []LevelMetrics) (filters []FilterMetrics) {
	for _, l := range levels {
		filters = append(filters, l.Filter)
	}
	return filters
}

// TestCountersThroughChange lets flushes, compactions and moves take the tables away under the counters. Nothing
// that was counted is lost or counted twice (MET-02).
func TestCountersThroughChange(t *testing.T) {
	store := memStore(t, func(o *Options) { o.LevelRatio = 2 })
	var trace Trace
	read := func(k string, how ...ReadOption) {
		if _, err := store.Get([]byte(k), append(how, TraceTo(&trace))...); err != nil && err != ErrNotFound {
			t.Fatal(err)
		}
	}
	last := store.Metrics()
	for round := range 40 {
		// Most rounds ascend beyond all before them, so that tables are moved and not merged.
		for i := range 300 {
			k := fmt.Sprintf("c%05d.%03d", round, i)
			if round%8 == 0 {
				k = fmt.Sprintf("b%03d.%05d", i%10, i)
			}
			check(t, store.Put([]byte(k), filled(k, 60, ""), NoSync))
			read(k + "absent")
			read(k)
			read(fmt.Sprintf("c%05d.%03d", i%40, i))
			read(fmt.Sprintf("c%05d.%03d", i%40, i), IgnoreFilters)
		}
		switch round % 8 {
		case 3:
			flush(t, store)
		case 5:
			check(t, store.Compact(context.Background(), Prefix(fmt.Appendf(nil, "c%05d", round/2))))
		case 7:
			check(t, store.Compact(context.Background(), Range{}))
		}
		m := store.Metrics()
		countersAddUp(t, m)
		if err := fallen(m, last); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		last = m
	}
	quiet(t, store)
	m := store.Metrics()
	countersAddUp(t, m)
	if int64(trace.Tables) != m.Filter.Checks+m.UnfilteredProbes.Total() || int64(trace.FilterSkips) != m.Filter.Skips ||
		int64(trace.TruePasses) != m.Filter.TruePasses || int64(trace.FalsePasses) != m.Filter.FalsePasses {
		t.Errorf("the reads say %d tables, %d skips, %d true, %d false; the store %+v and %d unfiltered",
			trace.Tables, trace.FilterSkips, trace.TruePasses, trace.FalsePasses, m.Filter, m.UnfilteredProbes.Total())
	}
	if m.Compactions == 0 || m.TrivialMoves == 0 || m.Flushes == 0 || m.UnfilteredProbes.Ignored == 0 {
		t.Errorf("%d compactions, %d moves, %d flushes, %+v: the test is too weak",
			m.Compactions, m.TrivialMoves, m.Flushes, m.UnfilteredProbes)
	}
}

// TestCountersOfATableOnTheMove: counting goes on while a table changes its level.
func TestCountersOfATableOnTheMove(t *testing.T) {
	store := memStore(t)
	moved := store.newTable(&manifest.Table{Number: 1})
	store.mu.Lock()
	store.live[1] = moved
	store.mu.Unlock()
	const readers, reads = 4, 50_000
	var counting sync.WaitGroup
	for range readers {
		counting.Go(func() {
			for i := range reads {
				switch i % 3 {
				case 0:
					moved.filter.skipped()
				case 1:
					moved.filter.passed(sstable.Found)
				case 2:
					moved.filter.passed(sstable.Absent)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		counting.Wait()
		close(done)
	}()
	for level, on := 0, true; on; level++ {
		store.mu.Lock()
		store.moveLocked(moved, level%manifest.NumLevels)
		store.mu.Unlock()
		select {
		case <-done:
			on = false
		default:
		}
	}
	m := store.Metrics()
	countersAddUp(t, m)
	if m.Filter.Checks != readers*reads {
		t.Errorf("%d checks, want %d", m.Filter.Checks, readers*reads)
	}
}

// TestTableReadsAreThoseOfTheFileSystem compares the store's count with that of a wrapper around its files, an
// outside tracer (invariant 7).
func TestTableReadsAreThoseOfTheFileSystem(t *testing.T) {
	for _, cacheSize := range []int64{-1, 1, 32 << 10, 0} {
		t.Run(fmt.Sprintf("cache %d", cacheSize), func(t *testing.T) {
			tracer := &readTracer{FS: fsys.NewMem()}
			store := openStore(t, tracer, func(o *Options) { o.CacheSize, o.OpenTables = cacheSize, 3 })
			fill(t, store, 1500, 100, "")
			for i := range 1500 {
				store.Get(fmt.Appendf(nil, "key%06d", i))
				store.Has(fmt.Appendf(nil, "key%06dx", i), IgnoreFilters)
			}
			pairs(t, store, Range{Reverse: true})
			check(t, store.Compact(context.Background(), Range{}))
			check(t, lastOf(store.Verify(context.Background())))
			m := store.Metrics()
			if m.TableReads != tracer.counts.Reads.Load() || m.TableBytesRead != tracer.counts.BytesRead.Load() {
				t.Errorf("the store says %d reads of %d bytes, the file system %d of %d", m.TableReads, m.TableBytesRead,
					tracer.counts.Reads.Load(), tracer.counts.BytesRead.Load())
			}
			var trace Trace
			before := store.Metrics()
			for i := range 1500 {
				store.Get(fmt.Appendf(nil, "key%06d", i), TraceTo(&trace))
			}
			d := store.Metrics().Sub(before)
			if apart := d.TableReads - int64(trace.BlocksRead); apart != d.TableOpens+d.FilterLoads {
				t.Errorf("%d reads for %d blocks, %d openings and %d loads of filters",
					d.TableReads, trace.BlocksRead, d.TableOpens, d.FilterLoads)
			}
		})
	}
}

// readTracer counts the reads of table files.
type readTracer struct {
	FS
	counts fsys.Counters
}

func (r *readTracer) Open(name string) (File, error) {
	f, err := r.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return f, err
	}
	return fsys.Counted(f, &r.counts), nil
}

// TestGaugesReturnToTheirBase: when all is quiet nothing is in progress, and when all is gone nothing is held
// (MET-01, MET-02).
func TestGaugesReturnToTheirBase(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	base := store.Metrics()
	it, snapshot := store.NewIter(Range{}), store.Snapshot()
	fill(t, store, 1500, 100, "")
	flush(t, store)
	held := store.NewIter(Range{}) // holds these tables
	check(t, store.Compact(context.Background(), Range{}))
	m := store.Metrics()
	if m.Iterators != 2 || m.Snapshots != 1 || m.ObsoleteTables == 0 || m.ObsoleteBytes == 0 || m.OldestView <= 0 ||
		m.OldestSnapshot != 0 {
		t.Errorf("with open views: %d iterators, %d snapshots, %d tables of %d bytes kept, oldest %v", m.Iterators, m.Snapshots,
			m.ObsoleteTables, m.ObsoleteBytes, m.OldestView)
	}
	check(t, it.Close())
	check(t, held.Close())
	check(t, snapshot.Close())
	for k := range content(t, store) {
		check(t, store.Delete([]byte(k), NoSync))
	}
	check(t, store.Compact(context.Background(), Range{}))
	quiet(t, store)
	eventually(t, "files gone", func() bool { return len(files(t, disk, "store", withSuffix(".sst"))) == 0 })
	eventually(t, "old logs gone", func() bool { return len(files(t, disk, "store", withSuffix(".wal"))) == 1 })
	m = store.Metrics()
	for name, gauge := range map[string][2]int64{
		"OpenTables": {m.OpenTables, 0}, "FilterBytes": {m.FilterBytes, 0}, "IndexBytes": {m.IndexBytes, 0},
		"ObsoleteTables": {int64(m.ObsoleteTables), 0}, "ObsoleteBytes": {m.ObsoleteBytes, 0},
		"Iterators": {int64(m.Iterators), 0}, "Snapshots": {int64(m.Snapshots), 0},
		"RunningFlushes": {int64(m.RunningFlushes), 0}, "RunningCompactions": {int64(m.RunningCompactions), 0},
		"MemTables": {int64(m.MemTables), 1}, "MemTableBytes": {m.MemTableBytes, base.MemTableBytes},
		"OffHeapBytes": {m.OffHeapBytes, base.OffHeapBytes},
		"LogSegments":  {int64(m.LogSegments), 1}, "DiskBytes": {m.DiskBytes, base.DiskBytes},
		"Filter.Keys": {m.Filter.Keys, 0}, "Filter.Bits": {m.Filter.Bits, 0},
	} {
		if gauge[0] != gauge[1] {
			t.Errorf("%s is %d, was %d at the base", name, gauge[0], gauge[1])
		}
	}
	check(t, store.Close())
}

// TestViewsKeepFilesNoLonger: an iterator keeps the files of its view; closing it frees them without a further
// write, and so does closing a snapshot with the versions kept for it (LKG-01).
func TestViewsKeepFilesNoLonger(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	fill(t, store, 1000, 100, "first")
	check(t, store.Compact(context.Background(), Range{}))
	it, snapshot := store.NewIter(Range{}), store.Snapshot()
	for round := range 5 {
		fill(t, store, 1000, 100, fmt.Sprint(round))
		check(t, store.Compact(context.Background(), Range{}))
	}
	if m := store.Metrics(); m.ObsoleteBytes < 20_000 {
		t.Errorf("%d bytes are kept", m.ObsoleteBytes)
	}
	for i, k := 0, it.First(); k; i, k = i+1, it.Next() {
		if want := filled(fmt.Sprintf("key%06d", i), 100, "first"); string(it.Value()) != string(want) {
			t.Fatalf("%q is %q", it.Key(), it.Value())
		}
	}
	check(t, it.Close())
	eventually(t, "the iterator's files gone", func() bool {
		return store.Metrics().ObsoleteBytes == 0 && len(files(t, disk, "store", withSuffix(".sst"))) == len(tablesOf(store))
	})
	wantValue(t, snapshot, "key000500", string(filled("key000500", 100, "first")))
	with := store.Metrics().Levels[manifest.NumLevels-1].Entries
	check(t, snapshot.Close())
	eventually(t, "the snapshot's versions gone", func() bool {
		return store.Metrics().Levels[manifest.NumLevels-1].Entries == 1000
	})
	if with != 2000 {
		t.Errorf("%d entries while the snapshot was open", with)
	}
}

func tablesOf(store *DB) (infos []TableInfo) {
	for info := range store.Tables() {
		infos = append(infos, info)
	}
	return infos
}
