package memtable_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/key"
	"siftdb/memtable"
)

// expect fails the test unless a view of t at seq finds the given value of user.
func expect(tb testing.TB, t *memtable.Table, user string, seq key.Seq, want string) {
	tb.Helper()
	value, kind, found := t.Get([]byte(user), seq)
	if !found || kind != key.KindSet || string(value) != want {
		tb.Fatalf("%q at %d: %q, %v, found %v; want %q", user, seq, value, kind, found, want)
	}
}

func TestEmptyTable(t *testing.T) {
	table := memtable.New(1 << 20)
	if _, _, found := table.Get([]byte("a"), key.MaxSeq); found || !table.Empty() || table.Len() != 0 || table.Bytes() != 0 {
		t.Fatalf("found %v, Empty %v, Len %d, Bytes %d", found, table.Empty(), table.Len(), table.Bytes())
	}
}

func TestGetSeesTheNewestVersionOfItsView(t *testing.T) {
	table := memtable.New(0)
	user := []byte("user")
	table.Add(key.Make(user, 3, key.KindSet), []byte("three"))
	table.Add(key.Make(user, 5, key.KindDelete), nil)
	table.Add(key.Make(user, 8, key.KindSet), []byte("eight"))
	for seq, want := range []string{"-", "-", "-", "three", "three", "deleted", "deleted", "deleted", "eight", "eight"} {
		value, kind, found := table.Get(user, key.Seq(seq))
		got := string(value)
		if !found {
			got = "-"
		} else if kind == key.KindDelete {
			got += "deleted"
		}
		if got != want {
			t.Errorf("at %d: %s, want %s", seq, got, want)
		}
	}
	if table.Len() != 3 || table.Empty() {
		t.Errorf("Len %d, Empty %v", table.Len(), table.Empty())
	}
}

func TestKeysThatLookAlike(t *testing.T) {
	users := []string{"", "\x00", "\x00\x00", "a", "a\x00", "a\x00\x00\x00\x00\x00\x00\x00", "a\x00\x00\x00\x00\x00\x00\x00\x00",
		"eight by", "eight byt", "eight bytes", "\xff", "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"}
	table := memtable.New(0)
	for i, user := range users {
		if _, _, found := table.Get([]byte(user), key.MaxSeq); found {
			t.Fatalf("%q found before it was added", user)
		}
		table.Add(key.Make([]byte(user), key.Seq(i+1), key.KindSet), []byte(fmt.Sprint(i)))
	}
	for i, user := range users {
		expect(t, table, user, key.MaxSeq, fmt.Sprint(i))
	}
	expect(t, table, "", key.MaxSeq, "0")
	if _, _, found := table.Get(nil, key.MaxSeq); !found {
		t.Error("the nil key is not the empty key")
	}
}

func TestSizesUpToTheLimits(t *testing.T) {
	sizes := []int{0, 1, 100, 1023, 1024, 1025, 4095, 4096, 4097, 1<<18 - 1, 1 << 18, 1<<20 - 1, 1 << 20, 1<<20 + 1, 5 << 20}
	if !testing.Short() {
		sizes = append(sizes, 20<<20)
	}
	for _, hint := range []int64{0, 64 << 10, 64 << 20} {
		table := memtable.New(hint)
		seq := key.Seq(0)
		at := func(size int) string { return fmt.Sprint("value of ", size) }
		for _, size := range sizes {
			for _, user := range []string{at(size), at(size) + " and a neighbour"} {
				seq++
				value := bytes.Repeat([]byte{byte(size), byte(size >> 8), 1}, size/3+1)[:size]
				table.Add(key.Make([]byte(user), seq, key.KindSet), value)
				expect(t, table, user, seq, string(value))
			}
		}
		for _, size := range []int{1000, 1<<16 - 2, memtable.MaxUserKey} {
			seq++
			table.Add(key.Make([]byte(strings.Repeat("k", size)), seq, key.KindSet), []byte(at(size)))
		}
		for _, size := range []int{1000, 1<<16 - 2, memtable.MaxUserKey} {
			expect(t, table, strings.Repeat("k", size), seq, at(size))
		}
		for _, size := range sizes {
			value, _, found := table.Get([]byte(at(size)), seq)
			if !found || !bytes.Equal(value, bytes.Repeat([]byte{byte(size), byte(size >> 8), 1}, size/3+1)[:size]) {
				t.Fatalf("the value of %d bytes has changed", size)
			}
		}
	}
}

func TestAddRefusesWhatItsCallerMustNotAsk(t *testing.T) {
	for name, k := range map[string]key.Key{
		"a key that is too long":  key.Make(make([]byte, memtable.MaxUserKey+1), 6, key.KindSet),
		"the same entry again":    key.Make([]byte("k"), 5, key.KindSet),
		"an older entry of a key": key.Make([]byte("k"), 4, key.KindSet),
	} {
		t.Run(name, func(t *testing.T) {
			table := memtable.New(0)
			table.Add(key.Make([]byte("k"), 5, key.KindSet), nil)
			defer func() {
				if recover() == nil {
					t.Error("Add takes it")
				}
			}()
			table.Add(k, nil)
		})
	}
}

func TestAddCopies(t *testing.T) {
	table := memtable.New(0)
	user, value := []byte("user"), []byte("value")
	table.Add(key.Make(user, 1, key.KindSet), value)
	copy(user, "XXXX")
	copy(value, "XXXXX")
	expect(t, table, "user", 1, "value")
}

func TestValuesNeverChange(t *testing.T) {
	table := memtable.New(0)
	var views [][]byte
	for i := range 2000 {
		user := fmt.Appendf(nil, "key %d", i%50)
		table.Add(key.Make(user, key.Seq(i+1), key.KindSet), fmt.Appendf(nil, "value %d", i))
		view, _, _ := table.Get(user, key.MaxSeq)
		views = append(views, view)
		_ = append(view, "must not reach what lies behind"...)
	}
	it := table.NewIter(key.MaxSeq)
	for ok := it.First(); ok; ok = it.Next() {
		_ = append(it.Key().User, "nor from a key"...)
		_ = append(it.Value(), "nor from here"...)
	}
	for i, view := range views {
		if want := fmt.Sprintf("value %d", i); string(view) != want {
			t.Fatalf("the view of %q reads %q", want, view)
		}
		expect(t, table, fmt.Sprintf("key %d", i%50), key.Seq(i+1), fmt.Sprintf("value %d", i))
	}
}

func TestTableAfterAnother(t *testing.T) {
	users := func(prefix string, n int) (keys []string) {
		for i := range n {
			keys = append(keys, fmt.Sprintf("%s%05d", prefix, i))
		}
		return keys
	}
	mixed := append(users("tenant/17/user/", 200), "", "a", "tenant/17", "tenant/17/user", "tenant/18", "zz", "\xff\xff")
	generations := [][]string{nil, {"lonely"}, users("tenant/17/user/", 500), mixed, users("other/", 50), mixed}
	table := memtable.New(0)
	for g, keys := range generations {
		table = memtable.NewPool(0).NewAfter(table)
		for i, user := range keys {
			table.Add(key.Make([]byte(user), key.Seq(i+1), key.KindSet), []byte(user))
		}
		for _, user := range keys {
			expect(t, table, user, key.MaxSeq, user)
		}
		it, n := table.NewIter(key.MaxSeq), 0
		for last, ok := "", it.First(); ok; ok = it.Next() {
			if user := string(it.Key().User); user <= last && n > 0 {
				t.Fatalf("generation %d: %q after %q", g, user, last)
			} else {
				last = user
			}
			n++
		}
		if n != len(keys) {
			t.Fatalf("generation %d: %d keys, want %d", g, n, len(keys))
		}
		if _, _, found := table.Get([]byte("tenant/17/user/x"), key.MaxSeq); found {
			t.Fatalf("generation %d: an absent key is found", g)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	table := loaded(5000)
	var present, absent [16]byte
	benchKey(present[:0], "", 77)
	benchKey(absent[:0], "", 5077)
	long := bytes.Repeat([]byte("long"), 10_000)
	hash := bloom.Sum(present[:])
	it, versions := table.NewIter(key.MaxSeq), table.NewVersionIter()
	for name, f := range map[string]func(){
		"Get present":                          func() { table.Get(present[:], key.MaxSeq) },
		"Get absent":                           func() { table.Get(absent[:], key.MaxSeq) },
		"Get hidden":                           func() { table.Get(present[:], 1) },
		"Get of a long key, but for the first": func() { table.Get(long, key.MaxSeq) },
		"a key on the caller's stack": func() {
			key16 := present
			table.GetHashed(key16[:], hash, key.MaxSeq)
		},
		"Iter": func() {
			it.SeekGE(key.Lookup(present[:], key.MaxSeq))
			for range 200 {
				it.Next()
			}
			it.SeekLT(key.Lookup(present[:], key.MaxSeq))
			for ok := it.Last(); ok; ok = it.Prev() {
			}
		},
		"VersionIter": func() {
			versions.SeekGE(key.Lookup(present[:], key.MaxSeq))
			for ok := versions.First(); ok; ok = versions.Next() {
			}
			versions.Last()
			versions.Prev()
		},
	} {
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	// Adds allocate chunks and nodes only, far fewer than one for each entry.
	seq := key.Seq(1 << 30)
	var user [16]byte
	if n := testing.AllocsPerRun(5000, func() {
		seq++
		table.Add(key.Make(benchKey(user[:0], "", int(seq)), seq, key.KindSet), present[:])
	}); n != 0 {
		t.Errorf("Add: %v allocations", n)
	}
}
