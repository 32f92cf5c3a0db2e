package db

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// manyTables is a disk with a store of some tables, of 100 keys each, and the places of their filters.
func manyTables(t *testing.T, tables int) (*fsys.Mem, map[string]span) {
	t.Helper()
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.NoCompaction = true })
	for i := range tables {
		for j := range 100 {
			k := filterKey(2 * (100*i + j))
			check(t, store.Put(k, k[4:], NoSync))
		}
		flush(t, store)
	}
	filters := make(map[string]span)
	for info := range store.Tables() {
		filters[info.File] = filterSpan(t, disk, info.File)
	}
	check(t, store.Close())
	return disk, filters
}

// gate is a file system whose reads of filters wait until it is opened.
type gate struct {
	FS
	filters map[string]span
	open    chan struct{}
	waiting atomic.Int64
	passed  atomic.Int64
}

func (g *gate) Open(name string) (File, error) {
	f, err := g.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return f, err
	}
	return &gateFile{File: f, gate: g, filter: g.filters[strings.TrimPrefix(name, "store/")]}, nil
}

type gateFile struct {
	File
	gate   *gate
	filter span
}

func (f *gateFile) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.filter.offset && off < f.filter.offset+f.filter.bytes {
		f.gate.waiting.Add(1)
		<-f.gate.open
		f.gate.passed.Add(1)
	}
	return f.File.ReadAt(p, off)
}

// TestReadsDoNotWaitForFilters: while the disk takes for ever to read a filter, reads go on without.
func TestReadsDoNotWaitForFilters(t *testing.T) {
	disk, filters := manyTables(t, 10)
	slow := &gate{FS: disk, filters: filters, open: make(chan struct{})}
	store := openStore(t, slow, func(o *Options) { o.NoCompaction = true })
	read := func() {
		for i := range 1000 {
			wantValue(t, store, string(filterKey(2*i)), string(filterKey(2 * i)[4:]))
			wantMiss(t, store, string(filterKey(2*i+1)))
		}
	}
	read()
	eventually(t, "a load", func() bool { return slow.waiting.Load() > 0 })
	within(t, "reads, settings and writes beside a load", func() {
		read()
		check(t, store.SetBitsPerKey(12))
		check(t, store.SetFilterMemory(1<<20))
		put(t, store, "beside")
		flush(t, store)
		wantValue(t, store, "beside", "beside")
		if m := store.Metrics(); slow.passed.Load() != 0 || m.UnfilteredProbes.NotResident == 0 {
			t.Errorf("%d filters were read, %+v", slow.passed.Load(), m.UnfilteredProbes)
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancelled := make(chan error)
	go func() { cancelled <- store.LoadFilters(ctx) }()
	cancel()
	wantErr(t, "LoadFilters", <-cancelled, context.Canceled)
	close(slow.open)
	loaded(t, store)
	before := store.Metrics()
	read()
	if d := store.Metrics().Sub(before); d.UnfilteredProbes.Total() != 0 {
		t.Errorf("%+v once all is loaded", d.UnfilteredProbes)
	}
}

// TestCloseWhileLoading: Close does not wait for more than the reads that are under way.
func TestCloseWhileLoading(t *testing.T) {
	disk, filters := manyTables(t, 20)
	for _, readOnlyStore := range []bool{false, true} {
		slow := &gate{FS: disk.Clone(), filters: filters, open: make(chan struct{})}
		store := openStore(t, slow, func(o *Options) { o.NoCompaction, o.ReadOnly = true, readOnlyStore })
		loading := make(chan error)
		go func() { loading <- store.LoadFilters(context.Background()) }()
		eventually(t, "a load", func() bool { return slow.waiting.Load() > 0 })
		closed := make(chan error)
		go func() { closed <- store.Close() }()
		eventually(t, "Close", func() bool { return store.closed.Load() && store.work.Err() != nil })
		close(slow.open)
		within(t, "Close while loading", func() {
			check(t, <-closed)
			wantErr(t, "LoadFilters", <-loading, ErrClosed)
		})
		if n := slow.passed.Load(); n < 1 || n > loaders {
			t.Errorf("read-only %v: %d filters were read", readOnlyStore, n)
		}
		ledgerHolds(t, store)
	}
}

// TestFiltersLoadSideBySide: some loads wait for the disk at once, and no more than that.
func TestFiltersLoadSideBySide(t *testing.T) {
	disk, filters := manyTables(t, 3*loaders)
	slow := &gate{FS: disk, filters: filters, open: make(chan struct{})}
	store := openStore(t, slow, func(o *Options) { o.NoCompaction = true })
	loading := make(chan error)
	go func() { loading <- store.LoadFilters(context.Background()) }()
	eventually(t, "loads side by side", func() bool { return slow.waiting.Load() >= loaders })
	time.Sleep(10 * time.Millisecond)
	if n := slow.waiting.Load(); n != loaders {
		t.Errorf("%d loads at once, want %d", n, loaders)
	}
	close(slow.open)
	check(t, <-loading)
	ledgerIsExact(t, store)
	if m := store.Metrics(); m.FilterLoads != 3*loaders {
		t.Errorf("%d loads", m.FilterLoads)
	}
}

// TestFiltersThroughFewOpenFiles loads the filters of many tables where hardly any may be open at once.
func TestFiltersThroughFewOpenFiles(t *testing.T) {
	const tables = 100
	disk, _ := manyTables(t, tables)
	for _, limit := range []int{1, 2} {
		store := openStore(t, disk, func(o *Options) { o.OpenTables, o.NoCompaction = limit, true })
		var reading sync.WaitGroup
		for range 4 {
			reading.Go(func() {
				for i := 0; i < 100*tables; i += 7 {
					if has, err := store.Has(filterKey(2 * i)); !has || err != nil {
						t.Errorf("key %d: %v, %v", 2*i, has, err)
						return
					}
					if has, err := store.Has(filterKey(2*i + 1)); has || err != nil {
						t.Errorf("key %d: %v, %v", 2*i+1, has, err)
						return
					}
				}
			})
		}
		loaded(t, store)
		reading.Wait()
		ledgerIsExact(t, store)
		m := store.Metrics()
		if m.FilterLoads != tables || m.OpenTables > int64(limit) || m.BackgroundErrors != 0 {
			t.Errorf("%d loads, %d tables open, %d errors", m.FilterLoads, m.OpenTables, m.BackgroundErrors)
		}
		check(t, store.Close())
	}
}

// TestOpenReadsNoFilters: opening a store reads nothing of its tables, and the first read finds its key before any filter
// is there (OPN-01).
func TestOpenReadsNoFilters(t *testing.T) {
	disk, _ := manyTables(t, 50)
	log := &readLog{FS: disk}
	store := openStore(t, log, func(o *Options) { o.NoCompaction = true })
	quiet(t, store)
	if reads, _ := log.since(); len(reads) != 0 {
		t.Errorf("Open reads %v", reads)
	}
	wantValue(t, store, string(filterKey(2)), string(filterKey(2)[4:]))
}

// TestFiltersOfFilesThatDoNotOpen: tables whose files could not be opened for a while, because the process has too many,
// are tried again and are not called damaged. The log says so once a try, LoadFilters and WaitQuiet each time.
func TestFiltersOfFilesThatDoNotOpen(t *testing.T) {
	for _, plan := range []bloom.Plan{bloom.Adaptive, bloom.Uniform} {
		synctest.Test(t, func(t *testing.T) {
			const tables = 20
			disk, _ := manyTables(t, tables)
			fault, said := fsys.NewFault(disk), new(lines)
			store := openStore(t, fault, logged(said), func(o *Options) { o.NoCompaction, o.FilterPlan = true, plan })
			fault.SetHook(func(op fsys.Op, name string) error {
				if op == fsys.OpOpen && strings.HasSuffix(name, ".sst") {
					return syscall.EMFILE
				}
				return nil
			})
			for _, err := range []error{store.LoadFilters(context.Background()), store.WaitQuiet(context.Background())} {
				wantErr(t, "no files", err, syscall.EMFILE)
			}
			time.Sleep(3*tick + tick/2)
			synctest.Wait()
			m := store.Metrics()
			if m.FilterBytes != 0 || m.UnusableFilters != 0 || m.BackgroundErrors < 3*tables {
				t.Errorf("%d bytes of filters, %d unusable, %d errors", m.FilterBytes, m.UnusableFilters, m.BackgroundErrors)
			}
			if n := len(said.with("will be tried again")); n < 3 || n > 5 {
				t.Errorf("%d lines in three ticks: %q", n, said.with("will be tried again"))
			}
			if _, err := store.Get(filterKey(0)); !errors.Is(err, syscall.EMFILE) {
				t.Errorf("Get: %v", err)
			}
			fault.SetHook(nil)
			time.Sleep(tick)
			synctest.Wait()
			for info := range store.Tables() {
				if info.ResidentPlanes != 1 || info.FilterProblem != nil {
					t.Errorf("%s: %d planes in memory, %v", info.File, info.ResidentPlanes, info.FilterProblem)
				}
			}
			loaded(t, store)
			quiet(t, store)
			if len(said.with("damage")) != 0 || len(said.with("not usable")) != 0 {
				t.Errorf("%q", said.with(""))
			}
		})
	}
}

// TestOtherTablesDoNotWaitForAFilter: the read of a filter that takes for ever keeps its file open, and nobody else
// waiting: neither who reads the same table, nor who opens others in the place of it.
func TestOtherTablesDoNotWaitForAFilter(t *testing.T) {
	const tables = 10
	disk, filters := manyTables(t, tables)
	slow := &gate{FS: disk, filters: filters, open: make(chan struct{})}
	store := openStore(t, slow, func(o *Options) { o.OpenTables, o.NoCompaction = 2, true })
	store.keeper.want()
	eventually(t, "a load", func() bool { return slow.waiting.Load() > 0 })
	within(t, "reads beside a load", func() {
		for i := range 100 * tables {
			wantValue(t, store, string(filterKey(2*i)), string(filterKey(2 * i)[4:]))
		}
	})
	if n := slow.passed.Load(); n != 0 {
		t.Errorf("%d filters were read", n)
	}
	close(slow.open)
	loaded(t, store)
	check(t, store.Close())
}
