package memtable

import (
	"bytes"
	"cmp"
	"testing"

	"siftdb/internal/key"
)

// FuzzHeadOrder: heads that differ are in the order of their keys, whatever the prefix.
func FuzzHeadOrder(f *testing.F) {
	f.Add([]byte(nil), []byte("a"), []byte("a\x00"))
	f.Add([]byte("user/"), []byte("user/1"), []byte("user0"))
	f.Add([]byte("user/"), []byte("user/\xff\xff\xff\xff\xff\xff\xff\xff"), []byte("user0"))
	f.Add([]byte("user/"), []byte("user"), []byte("user/"))
	f.Add([]byte("user/"), []byte(""), []byte("user/\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, prefix, a, b []byte) {
		h := heads{prefix}
		heads, keys := cmp.Compare(h.of(a), h.of(b)), bytes.Compare(a, b)
		if heads != 0 && heads != keys {
			t.Fatalf("prefix %q: heads of %q and %q compare %d, keys %d", prefix, a, b, heads, keys)
		}
	})
}

func TestHeadsLikeTakesTheSharedPrefix(t *testing.T) {
	for _, c := range []struct {
		name, want string
		keys       []string
	}{
		{"no keys", "", nil},
		{"one key", "onl", []string{"only"}}, // it shares all of itself
		{"nothing in common", "", []string{"a", "b", "c"}},
		{"a prefix", "user", spread("user/", 100)},
		{"a prefix and a few others", "user", append(spread("user/", 100), "a", "zz", "zzz")},
		{"two prefixes", "", append(spread("a/", 50), spread("b/", 50)...)},
	} {
		table := New(0)
		for i, user := range c.keys {
			table.Add(key.Make([]byte(user), key.Seq(i+1), key.KindSet), nil)
		}
		if got := string(NewPool(0).NewAfter(table).heads.prefix); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	// A table that stayed empty passes on what it was given.
	table := New(0)
	table.heads = heads{[]byte("kept")}
	if got := string(NewPool(0).NewAfter(table).heads.prefix); got != "kept" {
		t.Errorf("after an empty table: %q", got)
	}
}

// spread are n keys after prefix that share nothing else.
func spread(prefix string, n int) (keys []string) {
	for i := range n {
		keys = append(keys, prefix+string([]byte{byte(i * 255 / n), byte(i)}))
	}
	return keys
}
