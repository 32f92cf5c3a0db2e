package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"siftdb/internal/fsys"
)

// TestStallsEnd writes at full speed into tiny memtables while tables are slow to write: writes are slowed down and
// stopped, and go on each time, until all are done (CON-03).
func TestStallsEnd(t *testing.T) {
	for name, change := range map[string]func(o *Options){
		"one worker":    func(o *Options) { o.Workers = 1 },
		"two workers":   func(o *Options) { o.Workers = 2 },
		"no compaction": func(o *Options) { o.NoCompaction = true },
	} {
		t.Run(name, func(t *testing.T) {
			fault := fsys.NewFault(fsys.NewMem())
			store := openStore(t, fault, change)
			fault.SetHook(slowTables(3 * time.Millisecond))
			writes := 6000
			if testing.Short() {
				writes = 2000
			}
			const writers = 3
			var writing sync.WaitGroup
			for w := range writers {
				writing.Go(func() {
					for i := range writes / writers {
						k := fmt.Sprintf("%d.%06d", w, i*7919%writes)
						if err := store.Put([]byte(k), filled(k, 200, ""), NoSync); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			within(t, "stalled writes", writing.Wait)
			within(t, "WaitQuiet", func() { quiet(t, store) })
			m := store.Metrics()
			if m.Stops == 0 || m.StallTime <= 0 || m.RunningFlushes+m.RunningCompactions != 0 {
				t.Errorf("%d stops, %v; the test is too weak", m.Stops, m.StallTime)
			}
			if n := len(keysOf(t, store, Range{KeysOnly: true})); n != writes/writers*writers {
				t.Errorf("%d keys", n)
			}
		})
	}
}

// TestStallByALongLevelZero holds compaction up until level 0 is so long that writes stop, then lets it go. While
// it fails, writes are refused with the reason.
func TestStallByALongLevelZero(t *testing.T) {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault, func(o *Options) { o.Workers = 1 })
	var fail atomic.Bool
	fail.Store(true)
	// Compactions alone read tables here.
	fault.SetHook(func(op fsys.Op, name string) error {
		if op == fsys.OpReadAt && strings.HasSuffix(name, ".sst") && fail.Load() {
			return syscall.EIO
		}
		return nil
	})
	var refused error
	within(t, "writes until level 0 is full", func() {
		for i := 0; refused == nil; i++ {
			k := fmt.Sprintf("key%06d", i%500)
			refused = store.Put([]byte(k), filled(k, 1000, ""), NoSync)
		}
	})
	wantErr(t, "with a full level 0", refused, ErrRefused)
	wantErr(t, "with a full level 0", refused, syscall.EIO)
	m := store.Metrics()
	if n := m.Levels[0].Tables; n < stopAt || m.BackgroundErrors == 0 || m.Slowdowns == 0 {
		t.Errorf("%d tables in level 0, %d errors, %d slowdowns", n, m.BackgroundErrors, m.Slowdowns)
	}
	fail.Store(false)
	within(t, "writes go on", func() {
		eventually(t, "a write", func() bool {
			err := store.Put([]byte("after"), nil)
			if err != nil && !errors.Is(err, syscall.EIO) {
				t.Fatal(err)
			}
			return err == nil
		})
	})
	within(t, "WaitQuiet", func() {
		eventually(t, "quiet", func() bool { return store.WaitQuiet(context.Background()) == nil })
	})
	if n := store.Metrics().Levels[0].Tables; n >= slowdownAt {
		t.Errorf("%d tables in level 0 when all is quiet", n)
	}
}

// TestCompactDuringAStall: Compact while writers are stalled ends, and so do they.
func TestCompactDuringAStall(t *testing.T) {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault, func(o *Options) { o.Workers = 1 })
	fault.SetHook(slowTables(2 * time.Millisecond))
	var working sync.WaitGroup
	for w := range 2 {
		working.Go(func() {
			for i := range 1500 {
				k := fmt.Sprintf("%d.%06d", w, i)
				if err := store.Put([]byte(k), filled(k, 200, ""), NoSync); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 2 {
		working.Go(func() {
			for range 3 {
				if err := store.Compact(context.Background(), Range{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	within(t, "writes and compactions", working.Wait)
}
