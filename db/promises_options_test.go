package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// promiseSmallSizes: small sizes are accepted or raised, never refused.
func promiseSmallSizes(t *testing.T) {
	for name, change := range map[string]func(o *Options){
		"16 KiB memtable":    func(o *Options) { o.MemTableSize = 16 << 10 },
		"memtable of a byte": func(o *Options) { o.MemTableSize = 1 },
		"512-byte block":     func(o *Options) { o.BlockSize = 512 },
		"block of a byte":    func(o *Options) { o.BlockSize = 1 },
		"table of a byte":    func(o *Options) { o.TableSize = 1 },
		"one open table":     func(o *Options) { o.OpenTables = 1 },
		"cache of a byte":    func(o *Options) { o.CacheSize = 1 }, // CON-05
		"no cache":           func(o *Options) { o.CacheSize = -1 },
		"least cache":        func(o *Options) { o.CacheSize = math.MinInt64 },
		"one worker":         func(o *Options) { o.Workers = 1 },
		"level ratio of 1":   func(o *Options) { o.LevelRatio = 1 },
		"half a bit a key":   func(o *Options) { o.Filter = bloom.BitsPerKey(0.5) },
		"all at once": func(o *Options) {
			*o = Options{FS: o.FS, MemTableSize: 1, BlockSize: 1, TableSize: 1, OpenTables: 1, CacheSize: 1, Workers: 1,
				LevelRatio: 1}
		},
	} {
		t.Run(name, func(t *testing.T) {
			disk := fsys.NewMem()
			store := openStore(t, disk, change)
			fill(t, store, 400, 100, "")
			want := content(t, store)
			if len(want) != 400 {
				t.Errorf("%d keys", len(want))
			}
			check(t, store.Compact(context.Background(), Range{}))
			wantValue(t, store, "key000200", want["key000200"])
			check(t, store.Close())
			if got := content(t, openStore(t, disk, change)); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("reopened: %d keys", len(got))
			}
		})
	}
}

// TestOptionsOutsideTheirDomain: each is an *OptionError that names the option, all faults at once, before
// anything is made on disk (FSZ-04).
func TestOptionsOutsideTheirDomain(t *testing.T) {
	bad := map[string]Options{
		"MemTableSize": {MemTableSize: -1}, "TableSize": {TableSize: math.MaxInt64}, "BlockSize": {BlockSize: -4096},
		"OpenTables": {OpenTables: -1}, "Workers": {Workers: 1 << 20}, "LevelRatio": {LevelRatio: -2},
		"Compression":  {Compression: 77},
		"Compaction":   {Compaction: 2},
		"FilterMemory": {FilterMemory: -1}, "FilterPlan": {FilterPlan: 3},
	}
	for option, o := range bad {
		refusedOption(t, option, o)
	}
	for _, bits := range []float64{-1, 1000, 65, math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, p := range []bloom.Policy{bloom.BitsPerKey(bits), bloom.Classic(bits), bloom.Blocked(bits)} {
			refusedOption(t, "Filter", Options{Filter: p})
		}
	}
	for _, rate := range []float64{-0.1, 0, 1, 1.5, 5, math.NaN(), math.Inf(1)} {
		refusedOption(t, "Filter", Options{Filter: bloom.ForRate(rate)})
	}
	disk := fsys.NewMem()
	_, err := Open("store", &Options{FS: disk, Workers: -1, BlockSize: -1, Filter: bloom.BitsPerKey(-1)})
	for _, option := range []string{"Workers", "BlockSize", "Filter"} {
		if err == nil || !strings.Contains(err.Error(), "option "+option) {
			t.Errorf("all faults at once: %v, without %s", err, option)
		}
	}
	if fault, ok := errors.AsType[*OptionError](openNowhere()); !ok || fault.Option != "dir" {
		t.Errorf("no directory: %v", openNowhere())
	}
	for _, bits := range []float64{0, 0.3, 0.99, 1, 10, 64} {
		store := memStore(t, func(o *Options) { o.Filter = bloom.BitsPerKey(bits) })
		fill(t, store, 50, 10, "")
		flush(t, store)
		for info := range store.Tables() {
			if info.AskedBitsPerKey != bits || (bits == 0) != (info.FilterFamily == "") {
				t.Errorf("%g bits: the table has %g, family %q", bits, info.AskedBitsPerKey, info.FilterFamily)
			}
		}
		check(t, store.Close())
	}
}

func openNowhere() error {
	_, err := Open("", &Options{FS: fsys.NewMem()})
	return err
}

func refusedOption(t *testing.T, option string, o Options) {
	t.Helper()
	disk := fsys.NewMem()
	o.FS = disk
	_, err := Open("store", &o)
	wantOptionError(t, err, option)
	if !strings.HasPrefix(fmt.Sprint(err), "siftdb: option "+option) {
		t.Errorf("%s: %v", option, err)
	}
	if parameter, ok := errors.AsType[*bloom.ParameterError](err); ok != (option == "Filter") || ok && parameter.Allowed == "" {
		t.Errorf("%s: %v does not say what is allowed", option, err)
	}
	if _, err := disk.Stat("store"); err == nil {
		t.Errorf("%s: the directory was made", option)
	}
}

// filterSettings are filters that a store may be reopened with, in turn.
var filterSettings = []bloom.Policy{
	bloom.BitsPerKey(4), bloom.BitsPerKey(10), bloom.Classic(16), bloom.Blocked(20),
	bloom.ForRate(0.05), bloom.None, bloom.BitsPerKey(0),
}

// promiseFiltersChanged: new tables get the new filter, old ones keep and use theirs (FLT-05, FLT-08).
func promiseFiltersChanged(t *testing.T) {
	disk := fsys.NewMem()
	const keys = 400
	want := make(map[string]string) // by table file
	for i, policy := range filterSettings {
		store := openStore(t, disk, func(o *Options) { o.Filter = policy; o.NoCompaction = true; o.MemTableSize = 1 << 20 })
		for k := range keys {
			put(t, store, fmt.Sprintf("%05d.%d", k, i))
		}
		flush(t, store)
		for info := range store.Tables() {
			if want[info.File] == "" {
				want[info.File] = fmt.Sprint(policy, info.FilterFamily, info.AskedBitsPerKey, info.Filter.Bits)
				if info.AskedBitsPerKey != policy.AskedBits() {
					t.Errorf("%s: %g bits a key, asked for %s", info.File, info.AskedBitsPerKey, policy)
				}
			}
		}
		check(t, store.Close())
	}
	for _, policy := range filterSettings {
		store := openStore(t, disk, func(o *Options) { o.Filter = policy; o.NoCompaction = true })
		check(t, store.LoadFilters(context.Background()))
		for i := range filterSettings {
			for k := range keys {
				key := fmt.Sprintf("%05d.%d", k, i)
				wantValue(t, store, key, key)
				if k%10 == 0 {
					wantMiss(t, store, key+"x")
				}
			}
		}
		used := 0
		for info := range store.Tables() {
			if got := fmt.Sprint(info.FilterPolicy, info.FilterFamily, info.AskedBitsPerKey, info.Filter.Bits); got != want[info.File] {
				t.Errorf("under %s, %s is %s, was %s", policy, info.File, got, want[info.File])
			}
			if info.Filter.Checks > 0 {
				used++
			}
			if (info.FilterFamily == "") != (info.Filter.Checks == 0) {
				t.Errorf("under %s, %s with family %q was asked %d times", policy, info.File, info.FilterFamily, info.Filter.Checks)
			}
		}
		if used != 5 {
			t.Errorf("under %s, %d filters were used", policy, used)
		}
		check(t, store.Close())
	}
}

// promiseIgnoreFilters: the same answers, only more reads, for random stores; by the store's option and by the
// call's.
func promiseIgnoreFilters(t *testing.T) {
	for range 5 {
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 0))
		disk := fsys.NewMem()
		store := openStore(t, disk, func(o *Options) { o.CacheSize = -1; o.Filter = filterSettings[rng.IntN(5)] })
		for range 2000 {
			key := fmt.Appendf(nil, "%04d", 2*rng.IntN(1000))
			if rng.IntN(4) == 0 {
				check(t, store.Delete(key, NoSync))
			} else {
				check(t, store.Put(key, fmt.Append(nil, rng.Uint64()), NoSync))
			}
		}
		flush(t, store)
		quiet(t, store)
		check(t, store.Close())
		with := openStore(t, disk, readOnly, func(o *Options) { o.CacheSize = -1 })
		without := openStore(t, disk, readOnly, func(o *Options) { o.CacheSize = -1; o.IgnoreFilters = true })
		for i := range 2000 {
			key := fmt.Appendf(nil, "%04d", i)
			a, errA := with.Get(key)
			b, errB := without.Get(key)
			c, errC := with.Get(key, IgnoreFilters)
			if string(a) != string(b) || errA != errB || string(a) != string(c) || errA != errC {
				t.Fatalf("seed %d: %q is %q, %v with filters, %q, %v and %q, %v without", seed, key, a, errA, b, errB, c, errC)
			}
		}
		if w, wo := with.Metrics(), without.Metrics(); wo.Filter.Checks != 0 || wo.UnfilteredProbes.Total() == 0 ||
			w.UnfilteredProbes.Total() == 0 || wo.TableReads <= w.TableReads/2 {
			t.Errorf("seed %d: without filters %d checks, %d probes, %d reads; with and without %d reads", seed,
				wo.Filter.Checks, wo.UnfilteredProbes.Total(), wo.TableReads, w.TableReads)
		}
		check(t, with.Close())
		check(t, without.Close())
	}
}
