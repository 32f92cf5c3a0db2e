package db

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

var (
	livesSeed  = flag.Uint64("lives.seed", 0, "seed of TestLives; 0: a new one for each store")
	livesCount = flag.Int("lives.count", 0, "stores of TestLives; 0: 40, or 6 with -short")
)

// TestLives gives stores several lives each: random work under random options, while file operations fail now and
// then, until the store is closed, killed or cut from power; then the next life begins with what is left. What is
// left must be what the store had promised.
func TestLives(t *testing.T) {
	count := *livesCount
	if count == 0 {
		count = 40
		if testing.Short() {
			count = 6
		}
	}
	for range count {
		seed := *livesSeed
		if seed == 0 {
			seed = rand.Uint64()
		}
		l := &lives{t: t, rng: rand.New(rand.NewPCG(seed, 0)), disk: fsys.NewMem()}
		for life := range 5 {
			l.what = fmt.Sprintf("-lives.seed=%d, life %d", seed, life)
			within(t, l.what, l.life)
			if t.Failed() {
				return
			}
		}
	}
}

// lives is one store through its lives.
type lives struct {
	t    *testing.T
	what string
	rng  *rand.Rand
	disk *fsys.Mem
	j    journal
}

func (l *lives) options(fs FS) *Options {
	o := small(fs)
	filters := []bloom.Policy{nil, bloom.None, bloom.Classic(4), bloom.Blocked(12), bloom.Ribbon(6)}
	o.Filter = filters[l.rng.IntN(len(filters))]
	o.NoCompaction = l.rng.IntN(4) == 0
	o.Workers = 1 + l.rng.IntN(3)
	o.OpenTables = 1 + l.rng.IntN(20)
	o.LevelRatio = 2 + l.rng.IntN(5)
	o.Compaction = CompactionStyle(l.rng.IntN(2))
	if l.rng.IntN(3) == 0 {
		o.CacheSize = -1
	}
	return o
}

// failing is a hook that fails an operation now and then. What a failed sync had not saved is lost for good.
func (l *lives) failing(disk *fsys.Mem) fsys.Hook {
	rarity := []int{0, 20, 200, 2000}[l.rng.IntN(4)]
	if rarity == 0 {
		return nil
	}
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(l.rng.Uint64(), 0))
	return func(op fsys.Op, name string) error {
		mu.Lock()
		defer mu.Unlock()
		if rng.IntN(rarity) > 0 {
			return nil
		}
		if op == fsys.OpSync {
			disk.ForgetUnsynced(name)
		}
		if op == fsys.OpWriteAt {
			return &fsys.ShortWrite{N: rng.IntN(1000), Err: syscall.ENOSPC}
		}
		return syscall.EIO
	}
}

// life opens the store, looks at what is there, works, and ends.
func (l *lives) life() {
	fault := fsys.NewFault(l.disk)
	for range l.rng.IntN(3) { // openings that may fail
		fault.SetHook(l.failing(l.disk))
		if store, err := Open("store", l.options(fault)); err == nil {
			store.Close()
		}
		fault.SetHook(nil)
	}
	store, err := Open("store", l.options(fault))
	if err != nil {
		l.t.Errorf("%s: %v", l.what, err)
		return
	}
	found := content(l.t, store)
	if err := l.j.judge(found, l.j.durableNow()); err != nil {
		l.t.Errorf("%s: %v", l.what, err)
	}
	l.j.newLife(found)
	check(l.t, store.Delete([]byte("marker"), Sync))
	fault.SetHook(l.failing(l.disk))
	for range 20 + l.rng.IntN(300) {
		l.work(store)
	}
	l.end(store)
}

// work is one random step.
func (l *lives) work(store *DB) {
	ctx := context.Background()
	var err error
	switch n := l.rng.IntN(100); {
	case n < 80:
		var b Batch
		for range 1 + l.rng.IntN(6) {
			k := fmt.Appendf(nil, "k%02d", l.rng.IntN(60))
			if l.rng.IntN(4) == 0 {
				b.Delete(k)
			} else {
				b.Put(k, filled("", l.rng.IntN(400), fmt.Sprint(l.rng.Uint32())))
			}
		}
		when := []WriteOption{NoSync, NoSync, NoSync, Sync}[l.rng.IntN(4)]
		l.j.write(store, &b, when)
		return
	case n < 84:
		err = store.Sync()
	case n < 86:
		err = store.Flush(ctx)
	case n < 88:
		err = store.Compact(ctx, Range{})
	case n < 90:
		lower := fmt.Appendf(nil, "k%02d", l.rng.IntN(60))
		store.Compact(ctx, Range{Lower: lower})
		return
	default:
		l.read(store)
		return
	}
	if err == nil {
		l.j.allDurable()
	}
}

// read compares all of the store with the journal, from a snapshot or not.
func (l *lives) read(store *DB) {
	var from Reader = store
	if l.rng.IntN(2) == 0 {
		snapshot := store.Snapshot()
		defer snapshot.Close()
		from = snapshot
	}
	found := make(map[string]string)
	for e, err := range from.Scan(Range{}) {
		if err != nil {
			if !errors.Is(err, syscall.EIO) {
				l.t.Errorf("%s: a scan gives %v", l.what, err)
			}
			return
		}
		found[string(e.Key)] = string(e.Value)
	}
	if err := l.j.judge(found, len(l.j.writes)); err != nil {
		l.t.Errorf("%s: a scan: %v", l.what, err)
	}
}

// end ends a life in one of the ways it can end, and leaves the disk to the next one.
func (l *lives) end(store *DB) {
	image := l.disk
	switch l.rng.IntN(4) {
	case 0:
		if err := store.Close(); err == nil {
			l.j.allDurable()
		}
		l.disk = image.CrashClone(l.rng)
		return
	case 1:
		l.disk = image.Clone()
	case 2:
		l.disk = image.CrashClone(nil)
	default:
		l.disk = image.CrashClone(l.rng)
	}
	store.Close()
}
