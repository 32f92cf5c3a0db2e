package db

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// promiseScan: at most one error, as the last pair, with a zero Entry; then it ends. Leaving the loop closes it.
// Ranging again starts anew on a fresh view.
func promiseScan(t *testing.T) {
	t.Run("an error is the last pair", scanFails)
	t.Run("of a closed store", scanClosed)
	t.Run("closed in the loop", scanClosedInLoop)
	t.Run("left early", scanLeftEarly)
	t.Run("again", scanAgain)
	t.Run("of a snapshot", scanOfSnapshot)
}

// pairs counts the entries of a scan and returns its errors. It fails when anything comes after an error, or an
// entry with it.
func pairs(t *testing.T, from Reader, r Range) (entries int, failure error) {
	t.Helper()
	for e, err := range from.Scan(r) {
		switch {
		case failure != nil:
			t.Errorf("%q, %v after the error %v", e.Key, err, failure)
		case err != nil && (e.Key != nil || e.Value != nil):
			t.Errorf("entry %q with the error %v", e.Key, err)
		case err != nil:
			failure = err
		default:
			entries++
		}
	}
	return entries, failure
}

func scanFails(t *testing.T) {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault, func(o *Options) { o.CacheSize = -1 })
	fill(t, store, 1000, 50, "")
	flush(t, store)
	quiet(t, store)
	_, err := pairs(t, store, Range{}) // opens all tables
	check(t, err)
	for _, reverse := range []bool{false, true} {
		before := store.Metrics().TableReads
		whole, err := pairs(t, store, Range{Reverse: reverse})
		check(t, err)
		reads := store.Metrics().TableReads - before
		for n := int64(1); n <= reads; n += 1 + reads/20 {
			// One failed read may have been of what lies ahead, and is not missed.
			fault.SetHook(fsys.FailFrom(n, syscall.EIO, fsys.OpReadAt))
			got, err := pairs(t, store, Range{Reverse: reverse})
			if !errors.Is(err, syscall.EIO) || !strings.HasPrefix(err.Error(), "siftdb: ") {
				t.Errorf("read %d failed: %v", n, err)
			}
			if got >= whole {
				t.Errorf("read %d failed: all the same %d entries", n, got)
			}
		}
		fault.SetHook(nil)
		if got, err := pairs(t, store, Range{Reverse: reverse}); err != nil || got != whole {
			t.Errorf("afterwards: %d entries, %v, want %d", got, err, whole)
		}
	}
	if m := store.Metrics(); m.Iterators != 0 {
		t.Errorf("%d iterators are open", m.Iterators)
	}
}

func scanClosed(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	snapshot := store.Snapshot()
	closedSnapshot := store.Snapshot()
	check(t, closedSnapshot.Close())
	for _, r := range []Range{{}, {Reverse: true}, {Limit: 1}, {Upper: []byte{}}} {
		if n, err := pairs(t, closedSnapshot, r); n != 0 || err != ErrClosed {
			t.Errorf("closed snapshot: %d entries, %v", n, err)
		}
	}
	wantLeak(t, store.Close(), 0, 1)
	for name, from := range map[string]Reader{"store": store, "open snapshot": snapshot, "closed snapshot": closedSnapshot,
		"new snapshot": store.Snapshot()} {
		for _, r := range []Range{{}, {Reverse: true}, {Limit: 1}, {Upper: []byte{}}} {
			if n, err := pairs(t, from, r); n != 0 || err != ErrClosed {
				t.Errorf("%s: %d entries, %v", name, n, err)
			}
		}
	}
}

// scanClosedInLoop: a Scan loop is not a running call; its next step gives ErrClosed.
func scanClosedInLoop(t *testing.T) {
	store := memStore(t)
	put(t, store, "a", "b", "c")
	n := 0
	var failure error
	for e, err := range store.Scan(Range{}) {
		if err != nil {
			failure = err
			continue
		}
		if n++; n == 2 {
			within(t, "Close in a Scan loop", func() { wantLeak(t, store.Close(), 1, 0) })
			if string(e.Key) != "b" {
				t.Errorf("the entry has become %q", e.Key)
			}
		}
	}
	if n != 2 || failure != ErrClosed {
		t.Errorf("%d entries, %v", n, failure)
	}
}

func scanLeftEarly(t *testing.T) {
	store := memStore(t)
	put(t, store, "a", "b", "c")
	for range store.Scan(Range{}) {
		break
	}
	func() {
		defer func() { recover() }()
		for range store.Scan(Range{}) {
			panic("in the loop")
		}
	}()
	check(t, store.Close()) // no leak
}

func scanAgain(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	scan := store.Scan(Range{})
	keys := func() string {
		var keys []string
		for e, err := range scan {
			check(t, err)
			keys = append(keys, string(e.Key))
		}
		return fmt.Sprint(keys)
	}
	for i, want := range []string{"[a]", "[a b]", "[b]"} {
		if got := keys(); got != want {
			t.Errorf("loop %d: %s, want %s", i, got, want)
		}
		put(t, store, "b")
		if i == 1 {
			check(t, store.Delete([]byte("a")))
		}
	}
	for range scan { // two loops at once over one Scan
		if got := keys(); got != "[b]" {
			t.Errorf("inner loop: %s", got)
		}
	}
}

func scanOfSnapshot(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	snapshot := store.Snapshot()
	defer snapshot.Close()
	scan := snapshot.Scan(Range{})
	put(t, store, "b")
	check(t, store.Delete([]byte("a")))
	flush(t, store)
	for range 2 {
		var keys []string
		for e, err := range scan {
			check(t, err)
			keys = append(keys, string(e.Key))
		}
		if !slices.Equal(keys, []string{"a"}) {
			t.Errorf("the snapshot shows %q", keys)
		}
	}
}

// promiseLimit: 0 or less is no limit; NewIter's moves know none.
func promiseLimit(t *testing.T) {
	store := memStore(t)
	put(t, store, "a", "b", "c")
	for limit, want := range map[int]string{0: "[a b c]", -1: "[a b c]", -1 << 31: "[a b c]", 1: "[a]", 2: "[a b]",
		3: "[a b c]", 4: "[a b c]"} {
		if got := fmt.Sprint(keysOf(t, store, Range{Limit: limit})); got != want {
			t.Errorf("limit %d: %s, want %s", limit, got, want)
		}
		it := store.NewIter(Range{Limit: limit})
		if got := fmt.Sprint(walk(it, it.First, it.Next)); got != "[a b c]" {
			t.Errorf("limit %d: moves give %s", limit, got)
		}
		check(t, it.Close())
	}
	if got := fmt.Sprint(keysOf(t, store, Range{Limit: 2, Reverse: true})); got != "[c b]" {
		t.Errorf("in reverse: %s", got)
	}
}
