package db

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
)

// promiseRanges: a nil bound is no bound, lower >= upper is nothing and no error (ITR-04). Each range is asked of a
// store in memory and of one in tables, of Scan, NewIter and Compact, forward and backward.
func promiseRanges(t *testing.T) {
	long := bytes.Repeat([]byte("z"), 2*MaxKeySize)
	empty := []byte{}
	cases := []struct {
		lower, upper []byte
		want         string
	}{
		{nil, nil, "[a b c]"},
		{empty, nil, "[a b c]"},
		{nil, empty, "[]"},
		{empty, empty, "[]"},
		{[]byte("b"), []byte("b"), "[]"},
		{[]byte("c"), []byte("a"), "[]"},
		{[]byte("bb"), []byte("aa"), "[]"},
		{[]byte("b"), nil, "[b c]"},
		{nil, []byte("b"), "[a]"},
		{[]byte("b"), []byte("c"), "[b]"},
		{[]byte("d"), nil, "[]"},
		{nil, []byte("A"), "[]"},
		{nil, long, "[a b c]"},
		{long, nil, "[]"},
		{[]byte("a"), long, "[a b c]"},
		{long, []byte("a"), "[]"},
	}
	for _, stage := range []string{"memory", "level 0", "last level"} {
		store := memStore(t)
		put(t, store, "a", "b", "c")
		switch stage {
		case "level 0":
			flush(t, store)
		case "last level":
			check(t, store.Compact(context.Background(), Range{}))
		}
		for _, c := range cases {
			r := Range{Lower: c.lower, Upper: c.upper}
			name := fmt.Sprintf("%s: %.10q to %.10q (nil %v, %v)", stage, c.lower, c.upper, c.lower == nil, c.upper == nil)
			if got := fmt.Sprint(keysOf(t, store, r)); got != c.want {
				t.Errorf("%s: Scan gives %s, want %s", name, got, c.want)
			}
			r.Reverse = true
			backward := keysOf(t, store, r)
			slices.Reverse(backward)
			if got := fmt.Sprint(backward); got != c.want {
				t.Errorf("%s: Scan in reverse gives %s, want %s", name, got, c.want)
			}
			it := store.NewIter(r)
			if got := fmt.Sprint(walk(it, it.First, it.Next)); got != c.want {
				t.Errorf("%s: the iterator gives %s, want %s", name, got, c.want)
			}
			check(t, it.Close())
		}
		for _, c := range cases {
			check(t, store.Compact(context.Background(), Range{Lower: c.lower, Upper: c.upper}))
		}
		if got := fmt.Sprint(keysOf(t, store, Range{})); got != "[a b c]" {
			t.Errorf("%s: after compactions %s", stage, got)
		}
	}
	t.Run("Prefix", rangesOfPrefixes)
}

func walk(it *Iterator, first, next func() bool) (keys []string) {
	for ok := first(); ok; ok = next() {
		keys = append(keys, string(it.Key()))
	}
	return keys
}

func rangesOfPrefixes(t *testing.T) {
	store := memStore(t)
	put(t, store, "", "a", "a\xff", "a\xff\xff", "b", "\xff", "\xff\xff\x00")
	for prefix, want := range map[string][]string{
		"":         {"", "a", "a\xff", "a\xff\xff", "b", "\xff", "\xff\xff\x00"},
		"a":        {"a", "a\xff", "a\xff\xff"},
		"a\xff":    {"a\xff", "a\xff\xff"},
		"\xff":     {"\xff", "\xff\xff\x00"},
		"\xff\xff": {"\xff\xff\x00"},
		"c":        nil,
	} {
		if got := keysOf(t, store, Prefix([]byte(prefix))); !slices.Equal(got, want) {
			t.Errorf("prefix %q: %q, want %q", prefix, got, want)
		}
	}
	if got := keysOf(t, store, Prefix(nil)); len(got) != 7 {
		t.Errorf("nil prefix: %q", got)
	}
}
