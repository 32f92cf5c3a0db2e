package memtable

import (
	"bytes"
	"cmp"
	"fmt"
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
		{"what eight bytes tell apart", "", spread("user/", 100)},
		{"a prefix", "a/long/pref", spread("a/long/prefix/of/", 100)}, // all but eight bytes
		{"a prefix and a few others", "a/long/pref", append(spread("a/long/prefix/of/", 100), "a", "zz", "zzz")},
		{"two prefixes", "", append(spread("a/", 50), spread("b/", 50)...)},
		{"neighbours that differ far behind the prefix", "user", pairs(spread("user/", 100))},
		{"two keys far apart", "", []string{"a long key that is alone", "quite another"}},
	} {
		table := New(0)
		for i, user := range c.keys {
			table.Add(key.Make([]byte(user), key.Seq(i+1), key.KindSet), nil)
		}
		if got := string(NewPool(0).NewAfter(table).tree.heads.prefix); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	// A table that stayed empty passes on what it was given.
	table := New(0)
	table.tree.heads = heads{[]byte("kept")}
	if got := string(NewPool(0).NewAfter(table).tree.heads.prefix); got != "kept" {
		t.Errorf("after an empty table: %q", got)
	}
}

// pairs are two keys for each of keys, that differ in their last byte only.
func pairs(keys []string) (all []string) {
	for _, k := range keys {
		all = append(all, k+"/the same in both/0", k+"/the same in both/1")
	}
	return all
}

// spread are n keys after prefix that share nothing else.
func spread(prefix string, n int) (keys []string) {
	for i := range n {
		keys = append(keys, prefix+string([]byte{byte(i * 255 / n), byte(i)}))
	}
	return keys
}

// TestTablesLearnTheirPrefix: a table that nothing is known of finds out what its keys share, in whatever order they
// come, and one that expects other keys gives that up; the keys stay in order.
func TestTablesLearnTheirPrefix(t *testing.T) {
	const n = 20_000
	other := New(0)
	for i, user := range spread("another/prefix/", 100) {
		other.Add(key.Make([]byte(user), key.Seq(i+1), key.KindSet), nil)
	}
	for _, before := range []*Table{New(0), other} {
		for name, at := range map[string]func(int) int{
			"ascending":  func(i int) int { return i },
			"descending": func(i int) int { return n - 1 - i },
			"scattered":  func(i int) int { return i * 7919 % n },
		} {
			table := NewPool(0).NewAfter(before)
			for i := range n {
				user := fmt.Appendf(nil, "tenant/17/user/%08d", at(i))
				table.Add(key.Make(user, key.Seq(2*i+1), key.KindSet), user)
				table.Add(key.Make(user, key.Seq(2*i+2), key.KindSet), user) // reviews come once, whatever else is added
			}
			if got := string(table.tree.heads.prefix); got != "tenant/17/user/" || table.reviewAt != never {
				t.Errorf("%s: the prefix is %q, the next review at %d keys", name, got, table.reviewAt)
			}
			i := 0
			it := table.NewIter(key.MaxSeq)
			for ok := it.First(); ok; ok = it.Next() {
				if want := fmt.Sprintf("tenant/17/user/%08d", i); string(it.Key().User) != want || string(it.Value()) != want {
					t.Fatalf("%s: key %d is %q", name, i, it.Key().User)
				}
				i++
			}
			if i != n || table.Len() != 2*n {
				t.Errorf("%s: %d keys, %d entries", name, i, table.Len())
			}
		}
	}
}
