package memtable_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
	"siftdb/memtable"
)

// model is a plain map beside a table: the entries of each user key, oldest first.
type model map[string][]check.Entry

// add adds one entry to both.
func (m model) add(t *memtable.Table, e check.Entry) {
	t.Add(e.Key, e.Value)
	m[string(e.Key.User)] = append(m[string(e.Key.User)], e)
}

// get is the newest entry of user that a view at seq sees.
func (m model) get(user []byte, seq key.Seq) (check.Entry, bool) {
	for _, e := range slices.Backward(m[string(user)]) {
		if e.Key.Seq() <= seq {
			return e, true
		}
	}
	return check.Entry{}, false
}

// view are the entries that an Iter at seq shows.
func (m model) view(seq key.Seq) []check.Entry {
	var entries []check.Entry
	for _, user := range slices.Sorted(maps.Keys(m)) {
		if e, ok := m.get([]byte(user), seq); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

// all are the entries that a VersionIter shows.
func (m model) all() []check.Entry {
	entries := slices.Concat(slices.Collect(maps.Values(m))...)
	check.Sort(entries)
	return entries
}

// TestModel compares a table with the map through random adds, gets at random views, and iterators of random ages. Each
// table has the memory of the one before.
func TestModel(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 6
	}
	seed := rand.Uint64()
	pool := memtable.NewPool(1 + int64(seed%(4<<20)))
	before := pool.New()
	for round := range rounds {
		t.Run(fmt.Sprintf("seed=%d/round=%d", seed, round), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, uint64(round)))
			table := pool.NewAfter(before)
			before.Release()
			before = table
			m := model{}
			// Few user keys make long chains, many make a deep tree.
			users := check.Generate(rng, []int{1, 10, 300, 3000}[rng.IntN(4)], 1)
			type aged struct {
				it      *memtable.Iter
				entries []check.Entry
			}
			var iters []aged
			seq := key.Seq(0)
			for step := range 3000 {
				user := users[rng.IntN(len(users))].Key.User
				switch n := rng.IntN(1000); {
				case n < 700:
					seq += key.Seq(1 + rng.IntN(3))
					e := check.Entry{Key: key.Make(user, seq, key.KindSet), Value: fmt.Appendf(nil, "value %d", step)}
					if n < 100 {
						e = check.Entry{Key: key.Make(user, seq, key.KindDelete)}
					}
					m.add(table, e)
				case n < 990:
					at := key.Seq(rng.Uint64N(uint64(seq) + 2))
					want, there := m.get(user, at)
					value, kind, found := table.Get(user, at)
					if found != there || found && (kind != want.Key.Kind() || !bytes.Equal(value, want.Value)) {
						t.Fatalf("step %d: %q at %d: %q, %v, %v; want %v, %v", step, user, at, value, kind, found, want, there)
					}
				case len(iters) < 4:
					at := key.Seq(rng.Uint64N(uint64(seq) + 1))
					iters = append(iters, aged{table.NewIter(at), m.view(at)})
				default:
					// An iterator of some age: what it shows has not changed since it was made.
					i := rng.IntN(len(iters))
					check.Walk(t, iters[i].it, iters[i].entries, check.Script(rng, 200))
				}
			}
			for _, a := range iters {
				check.Walk(t, a.it, a.entries, check.Script(rng, 1000))
			}
			check.Walk(t, table.NewVersionIter(), m.all(), check.Script(rng, 2000))
			if table.Len() != len(m.all()) {
				t.Fatalf("Len %d, want %d", table.Len(), len(m.all()))
			}
		})
	}
}

// tableOf adds entries in the order of their sequence numbers.
func tableOf(entries []check.Entry) *memtable.Table {
	t := memtable.New(0)
	for _, e := range slices.SortedFunc(slices.Values(entries), func(a, b check.Entry) int {
		return int(a.Key.Seq()) - int(b.Key.Seq())
	}) {
		t.Add(e.Key, e.Value)
	}
	return t
}

func TestIterConformance(t *testing.T) {
	check.RunDistinct(t, func(_ testing.TB, entries []check.Entry) iter.Iterator {
		return tableOf(entries).NewIter(key.MaxSeq)
	})
}

func TestVersionIterConformance(t *testing.T) {
	check.Run(t, func(_ testing.TB, entries []check.Entry) iter.Iterator {
		return tableOf(entries).NewVersionIter()
	})
}

// disturbed is an iterator over a table to which something is added before every move.
type disturbed struct {
	iter.Iterator
	disturb func()
}

func (d disturbed) First() bool           { d.disturb(); return d.Iterator.First() }
func (d disturbed) Last() bool            { d.disturb(); return d.Iterator.Last() }
func (d disturbed) SeekGE(k key.Key) bool { d.disturb(); return d.Iterator.SeekGE(k) }
func (d disturbed) SeekLT(k key.Key) bool { d.disturb(); return d.Iterator.SeekLT(k) }
func (d disturbed) Next() bool            { d.disturb(); return d.Iterator.Next() }
func (d disturbed) Prev() bool            { d.disturb(); return d.Iterator.Prev() }

// TestViewIsFrozen: new keys and new versions of old keys, before and during the walk, do not show.
func TestViewIsFrozen(t *testing.T) {
	check.RunDistinct(t, func(_ testing.TB, entries []check.Entry) iter.Iterator {
		table := tableOf(entries)
		seq := key.Seq(2*len(entries) + 1)
		rng := rand.New(rand.NewPCG(uint64(len(entries)), 0))
		it := table.NewIter(seq)
		disturb := func() {
			seq++
			table.Add(key.Make(check.Generate(rng, 1, 1)[0].Key.User, seq, key.KindSet), []byte("too new"))
			if len(entries) > 0 {
				seq++
				table.Add(key.Make(entries[rng.IntN(len(entries))].Key.User, seq, key.KindDelete), nil)
			}
		}
		for range 20 {
			disturb()
		}
		return disturbed{it, disturb}
	})
}

func TestClosedIteratorsStayStill(t *testing.T) {
	table := loaded(100)
	for _, it := range []iter.Iterator{table.NewIter(key.MaxSeq), table.NewVersionIter()} {
		it.First()
		k, v := it.Key(), it.Value()
		it.Close()
		if it.Valid() || it.First() || it.Last() || it.SeekGE(k) || it.SeekLT(k) {
			t.Errorf("a closed %T moves", it)
		}
		if string(k.User) != string(benchKey(nil, "", 0)) || len(v) != 100 {
			t.Errorf("%T: key and value do not outlive Close", it)
		}
	}
}
