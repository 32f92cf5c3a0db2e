package db

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

var (
	modelSeed = flag.Uint64("model.seed", 0, "seed of the model test; 0: a new one each run")
	modelOps  = flag.Int("model.ops", 0, "operations of each model test; 0: 20,000, or 4,000 with -short")
)

// modelTest runs random operations on a store and a model beside it.
type modelTest struct {
	t     *testing.T
	rng   *rand.Rand
	fs    FS
	store *DB
	model *model
	views []frozenView
	keys  int
	ops   int
}

// settings are option sets that must all give the same answers. Each reopening takes another one.
var settings = []func(o *Options){
	func(o *Options) {},
	func(o *Options) { o.Filter = bloom.None },
	func(o *Options) { o.Filter = bloom.BitsPerKey(1); o.CacheSize = -1 },
	func(o *Options) { o.IgnoreFilters = true; o.BlockSize = 200; o.Compression = NoCompression },
	func(o *Options) { o.Filter = bloom.Classic(4); o.OpenTables = 2; o.LevelRatio = 3 },
	func(o *Options) {
		o.Filter = bloom.Blocked(16)
		o.MemTableSize = 64 << 10
		o.Workers = 1
		o.CacheSize = 4 << 10
	},
	func(o *Options) { o.Filter = bloom.ForRate(0.2); o.NoCompaction = true },
	func(o *Options) { o.Compaction = LazyLeveled; o.LevelRatio = 4 },
}

func (m *modelTest) open(setting int) {
	o := &Options{
		FS:           m.fs,
		NoSync:       m.rng.IntN(2) == 0,
		MemTableSize: 16 << 10,
		TableSize:    16 << 10,
		BlockSize:    512,
		CacheSize:    64 << 10,
	}
	settings[setting](o)
	store, err := Open("store", o)
	if err != nil {
		m.t.Fatal(err)
	}
	m.store = store
}

func (m *modelTest) key() []byte {
	n := m.rng.IntN(m.keys)
	if n == 0 {
		return []byte{}
	}
	return fmt.Appendf(nil, "key%04d%s", n, bytes.Repeat([]byte("x"), n%7))
}

func (m *modelTest) value() []byte {
	size := m.rng.IntN(40)
	if m.rng.IntN(200) == 0 {
		size = m.rng.IntN(3000)
	}
	return bytes.Repeat([]byte{byte('a' + m.rng.IntN(26))}, size)
}

func (m *modelTest) bounds() Range {
	var r Range
	if m.rng.IntN(2) == 0 {
		r.Lower = m.key()
	}
	if m.rng.IntN(2) == 0 {
		r.Upper = m.key()
	}
	r.Reverse = m.rng.IntN(2) == 0
	r.KeysOnly = m.rng.IntN(4) == 0
	r.Limit = m.rng.IntN(3) * m.rng.IntN(20)
	return r
}

func (m *modelTest) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatalf("operation %d: %v", m.ops, err)
	}
}

func (m *modelTest) step() {
	m.ops++
	switch n := m.rng.IntN(1000); {
	case n < 300:
		k, v := m.key(), m.value()
		m.check(m.store.Put(k, v))
		m.model.now[string(k)] = string(v)
		scribble(k, v)
	case n < 420:
		k := m.key()
		m.check(m.store.Delete(k))
		delete(m.model.now, string(k))
		scribble(k)
	case n < 480:
		m.batch()
	case n < 800:
		m.get(m.store, m.model)
	case n < 840:
		m.scan(m.store, m.model)
	case n < 900:
		r := m.bounds()
		it := m.store.NewIter(r)
		m.walk(it, r, m.model, 20)
		m.check(it.Close())
	case n < 930:
		m.view()
	case n < 960:
		m.useView()
	case n < 985:
		m.dropView()
	case n < 992:
		m.check(m.store.Flush(context.Background()))
	case n < 995:
		m.check(m.store.Compact(context.Background(), m.bounds()))
	case n < 997:
		m.check(m.store.Sync())
	case n < 998:
		m.checkCounters()
	default:
		if m.rng.IntN(4) == 0 {
			m.reopen()
		}
	}
}

// scribble overwrites slices that the store was given: it must have copied them.
func scribble(slices ...[]byte) {
	for _, s := range slices {
		for i := range s {
			s[i] = 0xff
		}
	}
}

func (m *modelTest) batch() {
	var b Batch
	for range m.rng.IntN(20) {
		k := m.key()
		if m.rng.IntN(3) == 0 {
			b.Delete(k)
			delete(m.model.now, string(k))
		} else {
			v := m.value()
			b.Put(k, v)
			m.model.now[string(k)] = string(v)
			scribble(v)
		}
		scribble(k)
	}
	if m.rng.IntN(2) == 0 {
		form, err := b.AppendBinary(nil)
		m.check(err)
		b = Batch{}
		m.check(b.UnmarshalBinary(form))
	}
	m.check(m.store.Apply(&b))
}

func (m *modelTest) readOptions() (opts []ReadOption) {
	if m.rng.IntN(4) == 0 {
		opts = append(opts, IgnoreFilters)
	}
	if m.rng.IntN(4) == 0 {
		opts = append(opts, NoCache)
	}
	if m.rng.IntN(4) == 0 {
		opts = append(opts, TraceTo(new(Trace)))
	}
	return opts
}

func (m *modelTest) get(from Reader, state *model) {
	m.t.Helper()
	k := m.key()
	want, there := state.now[string(k)]
	opts := m.readOptions()
	var got []byte
	var err error
	switch m.rng.IntN(3) {
	case 0:
		got, err = from.Get(k, opts...)
	case 1:
		got, err = from.AppendGet([]byte{}, k, opts...)
	case 2:
		err = from.GetFunc(k, func(v []byte) error { got = append([]byte{}, v...); return nil }, opts...)
	}
	if there && (err != nil || string(got) != want || got == nil) || !there && err != ErrNotFound {
		m.t.Fatalf("operation %d: get %q: %q, %v; the model says %q, %v", m.ops, k, got, err, want, there)
	}
	if has, err := from.Has(k, opts...); err != nil || has != there {
		m.t.Fatalf("operation %d: has %q: %v, %v; the model says %v", m.ops, k, has, err, there)
	}
}

func (m *modelTest) scan(from Reader, state *model) {
	m.t.Helper()
	r := m.bounds()
	want := state.keys(r)
	entries := from.Scan(r, m.readOptions()...)
	scribbled := r.clone()
	scribble(r.Lower, r.Upper)
	n := 0
	for e, err := range entries {
		m.check(err)
		if n >= len(want) || string(e.Key) != want[n] {
			m.t.Fatalf("operation %d: scan %+v: entry %d is %q, the model has %q", m.ops, scribbled, n, e.Key, near(want, n))
		}
		if r.KeysOnly != (e.Value == nil) || !r.KeysOnly && string(e.Value) != state.now[want[n]] {
			m.t.Fatalf("operation %d: scan: value of %q is %q, the model says %q", m.ops, e.Key, e.Value, state.now[want[n]])
		}
		n++
	}
	if n != len(want) {
		m.t.Fatalf("operation %d: scan %+v: %d entries, the model has %d", m.ops, scribbled, n, len(want))
	}
}

// near are the keys around place n.
func near(keys []string, n int) []string {
	return keys[min(len(keys), max(0, n-2)):min(len(keys), n+3)]
}

// walk moves it about and compares each stop.
func (m *modelTest) walk(it *Iterator, r Range, state *model, moves int) {
	m.t.Helper()
	want := state.cursor(r)
	trail := ""
	for range moves {
		var ok, there bool
		switch m.rng.IntN(8) {
		case 0:
			trail += " First"
			ok, there = it.First(), want.first()
		case 1:
			trail += " Last"
			ok, there = it.Last(), want.last()
		case 2:
			k := m.key()
			trail += fmt.Sprintf(" SeekGE(%q)", k)
			ok, there = it.SeekGE(k), want.seekGE(string(k))
			scribble(k)
		case 3:
			k := m.key()
			trail += fmt.Sprintf(" SeekLT(%q)", k)
			ok, there = it.SeekLT(k), want.seekLT(string(k))
			scribble(k)
		case 4, 5:
			trail += " Next"
			ok, there = it.Next(), want.next()
		default:
			trail += " Prev"
			ok, there = it.Prev(), want.prev()
		}
		if ok != there || it.Valid() != there {
			m.t.Fatalf("operation %d: %+v after%s: %v, %v, want %v; at %q", m.ops, r, trail, ok, it.Valid(), there, it.Key())
		}
		if !there {
			if it.Key() != nil || it.Value() != nil {
				m.t.Fatalf("operation %d: key or value at no entry", m.ops)
			}
			continue
		}
		if string(it.Key()) != want.key() {
			m.t.Fatalf("operation %d: %+v after%s: at %q, want %q", m.ops, r, trail, it.Key(), want.key())
		}
		if want := state.now[want.key()]; !r.KeysOnly && (it.Value() == nil || string(it.Value()) != want) {
			m.t.Fatalf("operation %d: value of %q is %q, want %q", m.ops, it.Key(), it.Value(), want)
		}
	}
}

// checkCounters holds the counters against each other.
func (m *modelTest) checkCounters() {
	m.t.Helper()
	if err := wrongCount(m.store.Metrics()); err != nil {
		m.t.Fatalf("operation %d: %v", m.ops, err)
	}
}

func (m *modelTest) reopen() {
	for len(m.views) > 0 {
		m.dropView()
	}
	m.check(m.store.Close())
	m.open(m.rng.IntN(len(settings)))
}

// TestModel compares a store with a sorted map under random operations, reopened under other settings.
func TestModel(t *testing.T) {
	ops := *modelOps
	if ops == 0 {
		ops = 20_000
		if testing.Short() {
			ops = 4_000
		}
	}
	for setting := range settings {
		t.Run(fmt.Sprint(setting), func(t *testing.T) {
			t.Parallel()
			seed := *modelSeed
			if seed == 0 {
				seed = uint64(time.Now().UnixNano())
			}
			t.Logf("seed: -model.seed=%d -model.ops=%d", seed, ops)
			m := &modelTest{
				t:     t,
				rng:   rand.New(rand.NewPCG(seed, uint64(setting))),
				fs:    fsys.NewMem(),
				model: newModel(),
				keys:  600,
			}
			m.open(setting)
			for range ops {
				m.step()
			}
			for len(m.views) > 0 {
				m.useView()
				m.dropView()
			}
			m.scan(m.store, m.model)
			for info, err := range m.store.Verify(context.Background()) {
				if err != nil {
					t.Errorf("%s: %v", info.File, err)
				}
			}
			m.check(m.store.Close())
		})
	}
}
