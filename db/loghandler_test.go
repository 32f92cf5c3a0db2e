package db

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"siftdb/internal/fsys"
)

// looker is a slog handler that looks at the store for each line, as one that adds metrics to its lines would. It
// may not find a lock held.
type looker struct {
	lines
	store atomic.Pointer[DB]
}

func (l *looker) Handle(ctx context.Context, r slog.Record) error {
	if store := l.store.Load(); store != nil {
		store.Metrics()
		for range store.Tables() {
		}
		store.Has([]byte("key000001"))
		store.Snapshot().Close()
		it := store.NewIter(Range{Limit: 1})
		it.First()
		it.Close()
	}
	return l.lines.Handle(ctx, r)
}

// TestLogHandlerMayLookAtTheStore has each line of the log look at the store: during flushes, compactions, stalls,
// failures and damage.
func TestLogHandlerMayLookAtTheStore(t *testing.T) {
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	handler := new(looker)
	store := openStore(t, fault, func(o *Options) { o.Logger = slog.New(handler) })
	handler.store.Store(store)
	var failures atomic.Int64
	slow := slowTables(2 * time.Millisecond)
	fault.SetHook(func(op fsys.Op, name string) error {
		slow(op, name)
		if op == fsys.OpCreate && strings.HasSuffix(name, ".sst") && failures.Add(1) < 4 {
			return syscall.EIO
		}
		return nil
	})
	within(t, "writes under a looking log", func() {
		var writing sync.WaitGroup
		for range 2 {
			writing.Go(func() {
				for len(handler.with("writes stopped")) == 0 {
					for i := range 500 {
						k := filled("key", 9, "")
						store.Put(append(k, byte(i), byte(i>>8)), filled("v", 100, ""), NoSync) // refused now and then
					}
				}
			})
		}
		writing.Wait()
		eventually(t, "quiet", func() bool { return store.WaitQuiet(context.Background()) == nil })
		check(t, store.Compact(context.Background(), Range{}))
	})
	for _, text := range []string{"flushed", "compacted", "writes stopped", "flush failed"} {
		if len(handler.with(text)) == 0 {
			t.Errorf("no line with %q", text)
		}
	}
}
