package db

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// layered is a store whose keys b, d, f and deletions of a, c, e, g lie in memory, in level 0 and below, so that
// every move has several sources to merge.
func layered(t *testing.T) *DB {
	t.Helper()
	store := memStore(t, func(o *Options) { o.NoCompaction = true })
	put(t, store, "a", "b", "c", "d", "e", "f", "g")
	check(t, store.Compact(context.Background(), Range{}))
	for _, k := range []string{"a", "c"} {
		check(t, store.Delete([]byte(k)))
	}
	put(t, store, "d")
	flush(t, store)
	for _, k := range []string{"e", "g"} {
		check(t, store.Delete([]byte(k)))
	}
	put(t, store, "f")
	return store
}

// promiseMoves: the iterator's rules at the ends and between (ITR-02).
func promiseMoves(t *testing.T) {
	type step struct {
		move string
		want string // the key, "" for none
	}
	for _, bounds := range []Range{{}, {Lower: []byte("b"), Upper: []byte("g")},
		{Lower: []byte("aa"), Upper: []byte("fa"), Reverse: true, Limit: 1}} {
		for name, steps := range map[string][]step{
			"a fresh one's Next is First":             {{"Next", "b"}, {"Next", "d"}},
			"a fresh one's Prev is Last":              {{"Prev", "f"}, {"Prev", "d"}},
			"Prev after the end is Last":              {{"Last", "f"}, {"Next", ""}, {"Prev", "f"}, {"Prev", "d"}},
			"further moves the same way stay false":   {{"Last", "f"}, {"Next", ""}, {"Next", ""}, {"Next", ""}, {"Prev", "f"}},
			"Next before the start is First":          {{"First", "b"}, {"Prev", ""}, {"Prev", ""}, {"Next", "b"}, {"Next", "d"}},
			"Prev after a SeekGE that found nothing":  {{"SeekGE z", ""}, {"Prev", "f"}},
			"Next after a SeekGE that found nothing":  {{"SeekGE z", ""}, {"Next", ""}, {"Next", ""}, {"Prev", "f"}},
			"Next after a SeekLT that found nothing":  {{"SeekLT a", ""}, {"Prev", ""}, {"Next", "b"}},
			"the empty key in a seek":                 {{"SeekGE ", "b"}, {"SeekLT ", ""}, {"Next", "b"}},
			"turning":                                 {{"SeekGE c", "d"}, {"Prev", "b"}, {"Next", "d"}, {"Next", "f"}, {"Prev", "d"}},
			"SeekGE to a deleted key":                 {{"SeekGE e", "f"}, {"Prev", "d"}},
			"SeekLT to a deleted key":                 {{"SeekLT e", "d"}, {"Next", "f"}},
			"seeks beyond both bounds":                {{"SeekGE a", "b"}, {"SeekLT z", "f"}, {"SeekGE g", ""}, {"SeekLT b", ""}},
			"positioning after the end":               {{"Last", "f"}, {"Next", ""}, {"First", "b"}, {"Prev", ""}, {"Last", "f"}},
			"Reverse and Limit do not shape moves":    {{"First", "b"}, {"Next", "d"}, {"Next", "f"}, {"Next", ""}},
			"SeekLT of a key just below the last one": {{"SeekLT f", "d"}, {"Next", "f"}, {"Next", ""}, {"Next", ""}, {"Prev", "f"}},
		} {
			store := layered(t)
			it := store.NewIter(bounds)
			for i, s := range steps {
				ok := move(it, s.move)
				if ok != (s.want != "") || it.Valid() != ok || string(it.Key()) != s.want || string(it.Value()) != s.want {
					t.Errorf("%+v, %s, step %d: %s is %v at %q = %q, want %q", bounds, name, i, s.move, ok, it.Key(), it.Value(), s.want)
				}
				if !ok && (it.Key() != nil || it.Value() != nil) {
					t.Errorf("%s, step %d: a key or value at no entry", name, i)
				}
			}
			check(t, it.Err())
			check(t, it.Close())
			check(t, store.Close())
		}
	}
	t.Run("empty range", movesInEmptyRange)
	t.Run("KeysOnly", movesKeysOnly)
	t.Run("seeks to its own key", seeksToOwnKey)
}

func move(it *Iterator, name string) bool {
	switch name {
	case "First":
		return it.First()
	case "Last":
		return it.Last()
	case "Next":
		return it.Next()
	case "Prev":
		return it.Prev()
	}
	target := []byte(name[len("SeekGE "):])
	if name[:len("SeekGE")] == "SeekGE" {
		return it.SeekGE(target)
	}
	return it.SeekLT(target)
}

func movesInEmptyRange(t *testing.T) {
	for _, r := range []Range{{Upper: []byte{}}, {Lower: []byte("c"), Upper: []byte("b")}, {Lower: []byte("x")},
		{Lower: []byte("e"), Upper: []byte("f")}} {
		store := layered(t)
		it := store.NewIter(r)
		for _, m := range []string{"Next", "Prev", "First", "Prev", "Next", "Last", "Next", "Prev", "SeekGE d", "Prev",
			"SeekLT d", "Next", "SeekGE ", "SeekLT "} {
			if move(it, m) || it.Valid() || it.Err() != nil {
				t.Errorf("%+v: %s is at %q, %v", r, m, it.Key(), it.Err())
			}
		}
		check(t, it.Close())
	}
}

func movesKeysOnly(t *testing.T) {
	store := layered(t)
	it := store.NewIter(Range{KeysOnly: true})
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		if it.Value() != nil {
			t.Errorf("%q has the value %q", it.Key(), it.Value())
		}
	}
	for e, err := range store.Scan(Range{KeysOnly: true}) {
		if err != nil || e.Value != nil {
			t.Errorf("%q has the value %q, %v", e.Key, e.Value, err)
		}
	}
}

// seeksToOwnKey passes the bytes that Key lent to the next seek: they are read before they are overwritten.
func seeksToOwnKey(t *testing.T) {
	store := memStore(t, func(o *Options) { o.NoCompaction = true })
	for source := range 5 {
		for i := source; i < 200; i += 5 {
			put(t, store, fmt.Sprintf("key%03d", i))
		}
		if source < 4 {
			flush(t, store)
		}
	}
	it := store.NewIter(Range{})
	defer it.Close()
	for i := range 200 {
		want := fmt.Sprintf("key%03d", i)
		arrive := map[string]func() bool{
			"forward":  func() bool { return it.SeekGE([]byte(want)) },
			"backward": func() bool { return it.SeekLT([]byte(want + "\x00")) },
		}
		for from, get := range arrive {
			if !get() || !it.SeekGE(it.Key()) || string(it.Key()) != want {
				t.Fatalf("%s: SeekGE to its own %q is at %q", from, want, it.Key())
			}
			if ok := get() && it.SeekLT(it.Key()); ok != (i > 0) || ok && string(it.Key()) != fmt.Sprintf("key%03d", i-1) {
				t.Fatalf("%s: SeekLT to its own %q is at %q", from, want, it.Key())
			}
		}
	}
}

// promiseAll: it starts at First, with Reverse at Last, does not close the iterator, and Err says why it ended.
func promiseAll(t *testing.T) {
	store := layered(t)
	for _, c := range []struct {
		r    Range
		want string
	}{
		{Range{}, "[b d f]"}, {Range{Reverse: true}, "[f d b]"}, {Range{Limit: 2}, "[b d]"},
		{Range{Limit: 2, Reverse: true}, "[f d]"},
	} {
		it := store.NewIter(c.r)
		it.SeekGE([]byte("e"))
		for range 2 {
			var keys []string
			for k := range it.All() {
				keys = append(keys, string(k))
			}
			if fmt.Sprint(keys) != c.want || it.Err() != nil {
				t.Errorf("%+v: %q, %v, want %s", c.r, keys, it.Err(), c.want)
			}
		}
		for k := range it.All() {
			if string(k) != string(it.Key()) {
				t.Errorf("All is at %q, the iterator at %q", k, it.Key())
			}
			break
		}
		if !it.Valid() || !it.First() {
			t.Error("leaving All closed the iterator")
		}
		check(t, it.Close())
	}
	it := store.NewIter(Range{})
	for range it.All() {
		store.Close()
	}
	if it.Err() != ErrClosed {
		t.Errorf("ended by Close: %v", it.Err())
	}
	it.Close()
}

// promiseNewIter: it returns no error; errors come from Err and Close, and stick.
func promiseNewIter(t *testing.T) {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault, func(o *Options) { o.CacheSize = -1 })
	fill(t, store, 300, 50, "")
	flush(t, store)
	check(t, store.Close())
	reopened, err := Open("store", &Options{FS: fault, CacheSize: -1})
	check(t, err)
	defer reopened.Close()
	quiet(t, reopened)

	for _, n := range []int64{1, 2} { // at the opening of a table, and at a block
		fault.SetHook(fsys.FailNth(n, syscall.EIO, fsys.OpReadAt))
		it := reopened.NewIter(Range{})
		for it.Next() {
		}
		fault.SetHook(nil)
		for _, m := range []string{"First", "Last", "Next", "Prev", "SeekGE a", "SeekLT z"} {
			if move(it, m) || it.Valid() || it.Key() != nil || !errors.Is(it.Err(), syscall.EIO) {
				t.Errorf("read %d failed: %s is at %q, %v", n, m, it.Key(), it.Err())
			}
		}
		for range it.All() {
			t.Errorf("read %d failed: All goes on", n)
		}
		if err := it.Close(); !errors.Is(err, syscall.EIO) {
			t.Errorf("read %d failed: Close: %v", n, err)
		}
		if err := it.Close(); err != nil {
			t.Errorf("read %d failed: second Close: %v", n, err)
		}
	}
	if got := len(keysOf(t, reopened, Range{})); got != 300 {
		t.Errorf("afterwards there are %d keys", got)
	}
}

// promiseOwnClose: after an iterator's own Close moves are false and Err is ErrClosed; closing again gives nil, and
// so it does for a snapshot, also after the store's Close.
func promiseOwnClose(t *testing.T) {
	store := layered(t)
	it := store.NewIter(Range{})
	it.First()
	check(t, it.Close())
	for _, m := range []string{"First", "Last", "Next", "Prev", "SeekGE a", "SeekLT z"} {
		if move(it, m) || it.Valid() || it.Key() != nil || it.Value() != nil || it.Err() != ErrClosed {
			t.Errorf("%s is at %q, %v", m, it.Key(), it.Err())
		}
	}
	check(t, it.Close())
	snapshot := store.Snapshot()
	check(t, snapshot.Close())
	check(t, snapshot.Close())
	for call, err := range closedReads(snapshot) {
		if err != ErrClosed {
			t.Errorf("%s of a closed snapshot: %v", call, err)
		}
	}

	open, openSnapshot := store.NewIter(Range{}), store.Snapshot()
	ofSnapshot := openSnapshot.NewIter(Range{})
	check(t, openSnapshot.Close())
	if !ofSnapshot.First() {
		t.Errorf("an iterator ends with its snapshot: %v", ofSnapshot.Err())
	}
	open.First()
	key, value := open.Key(), open.Value()
	wantLeak(t, store.Close(), 2, 0)
	if string(key) != "b" || string(value) != "b" || string(open.Key()) != "b" {
		t.Errorf("key and value have become %q, %q, %q", key, value, open.Key())
	}
	for range 2 {
		for _, c := range []interface{ Close() error }{it, open, ofSnapshot, snapshot, openSnapshot} {
			if err := c.Close(); err != nil {
				t.Errorf("Close of a %T: %v", c, err)
			}
		}
	}
}
