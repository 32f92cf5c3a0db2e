package forecast

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"siftdb/bloom"
	"siftdb/db"
)

var measuredKeys = flag.Int("forecast.keys", 0, "also measure a store of so many keys, such as 10000000")

// TestMeasuredStores: stores of every kind waste the reads, and take the memory, that the model foretells: within 3 % and
// what chance allows, 4 standard deviations.
func TestMeasuredStores(t *testing.T) {
	if raceEnabled {
		t.Skip("the model has no goroutines, and stores are slow under the race detector")
	}
	keys := []int{100_000}
	if testing.Short() {
		keys = []int{60_000}
	}
	if *measuredKeys > 0 {
		keys = append(keys, *measuredKeys)
	}
	for _, n := range keys {
		m := measured{n: n, lookups: min(n, max(30_000, n/10))}
		m.n -= m.n % int(m.layout().Flushed()) // the last table of level 0 is no smaller than the others
		for _, c := range []struct {
			kind Kind
			bits float64
		}{
			{None, 0}, {UniformBlocked, 6}, {UniformClassic, 8}, {UniformFuse, 7}, {UniformCuckoo, 9}, {UniformRibbon, 6}, {ByLevelRibbon, 5}, {AdaptiveRibbon, 6},
			{Recommended, 8}, {ByLevelClassic, 6},
		} {
			t.Run(fmt.Sprintf("%d keys, %v, %g bits", n, c.kind, c.bits), func(t *testing.T) { m.run(t, c.kind, c.bits) })
		}
	}
}

// measured is a store of n keys in many tables of several levels.
type measured struct{ n, lookups int }

const (
	measuredKey   = 16
	measuredValue = 20
)

// layout is the store in numbers. Most of its tables have some thousand keys at least, enough for ribbons.
func (m measured) layout() Layout {
	size := int64(m.n) * (measuredKey + measuredValue) / 64
	return Layout{Keys: uint64(m.n), KeyBytes: measuredKey, ValueBytes: measuredValue, Ratio: 4, MemTable: size, TableSize: 2 * size}
}

func (m measured) run(t *testing.T, k Kind, bits float64) {
	policy := k.policy(bits)
	if k.tailored {
		policy = m.byLevel(t, k, bits)
	}
	store := m.fill(t, policy, k.Plan)
	if err := store.LoadFilters(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := Evenly(m.partsOf(store))
	o := s.Foretell(k, bits)
	within(t, "bits of filters", float64(store.Metrics().Filter.Bits), float64(o.Memory), 0.02)
	if k.Plan == bloom.Adaptive { // it learns from lookups; a new limit makes it share memory out at once
		m.waste(t, store, 1)
		if err := errors.Join(store.SetFilterMemory(0), store.LoadFilters(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	absent := m.waste(t, store, 1)
	accept(t, "absent", absent, o.Absent, m.lookups)
	present := m.waste(t, store, 0)
	accept(t, "present", present, 1+o.Present, m.lookups)
	numbers := m.fromNumbersAlone(t, k, bits, s, o)
	n := float64(m.lookups)
	t.Logf("%d tables; wasted reads for an absent key %.4f, foretold %.4f, from numbers alone %.4f; for a present one %.4f, foretold %.4f, from numbers alone %.4f",
		len(s.Parts), absent/n, o.Absent, numbers.Absent, present/n-1, o.Present, numbers.Present)
}

// fromNumbersAlone: a forecast that knows no tables comes near one that does. It is of an average over time, and the upper
// levels of a store are now fuller, now emptier.
func (m measured) fromNumbersAlone(t *testing.T, k Kind, bits float64, s Store, o Outcome) Outcome {
	l := m.layout()
	for _, p := range s.Parts {
		if p.Level == 0 {
			l.Level0++
		}
	}
	numbers := l.Store().Foretell(k, bits)
	if (k.Family == AdaptiveRibbon.Family || k.Family == Recommended.Family) && m.n < 500_000 {
		return numbers // some tables are too small for a ribbon: which, numbers do not say
	}
	within(t, "bits of filters, from numbers alone,", float64(numbers.Memory), float64(o.Memory), 0.05)
	within(t, "wasted reads for an absent key, from numbers alone,", numbers.Absent, o.Absent, 0.25)
	within(t, "reads for a present key, from numbers alone,", 1+numbers.Present, 1+o.Present, 0.25)
	return numbers
}

func within(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*want {
		t.Errorf("%s: %g, want %g within %g %%", what, got, want, 100*share)
	}
}

// accept compares reads with what is foretold for one lookup: they are sums of rare events, one a table.
func accept(t *testing.T, what string, reads, foretold float64, lookups int) {
	t.Helper()
	want := foretold * float64(lookups)
	if sigma := math.Sqrt(want); math.Abs(reads-want) > 0.03*want+4*sigma {
		t.Errorf("%s: %g reads in %d lookups, foretold %g +- %g", what, reads, lookups, want, sigma)
	}
}

// fill makes the store: keys come in a random order, and after each memtable nothing is left due, so that the same
// tables come out each time.
func (m measured) fill(t *testing.T, policy bloom.Policy, plan bloom.Plan) *db.DB {
	t.Helper()
	l := m.layout()
	store, err := db.Open("store", &db.Options{
		FS: db.MemFiles(), NoSync: true, Workers: 1, Compression: db.NoCompression, CacheSize: -1, BlockSize: 1 << 10,
		MemTableSize: l.MemTable, TableSize: l.TableSize, LevelRatio: l.Ratio, Filter: policy, FilterPlan: plan,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	value := make([]byte, measuredValue)
	var batch db.Batch
	flushed := int(l.Flushed())
	for at, i := range rand.New(rand.NewPCG(1, 2)).Perm(m.n) {
		batch.Put(keyOf(i, 0), value)
		if batch.Len() < flushed && at < m.n-1 {
			continue
		}
		if err := store.Apply(&batch); err != nil {
			t.Fatal(err)
		}
		batch.Reset()
		if err := store.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := store.WaitQuiet(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// keyOf is the i-th key: absent keys, with 1 as which, lie between present ones.
func keyOf(i int, which uint64) []byte {
	key := binary.BigEndian.AppendUint64(nil, uint64(i)<<20)
	return binary.BigEndian.AppendUint64(key, which)
}

// waste looks up keys from all over the range and returns the reads of table files. They come in a random order, so that
// the traffic seen is that of the whole range whenever the store looks at it.
func (m measured) waste(t *testing.T, store *db.DB, which uint64) float64 {
	t.Helper()
	before := store.Metrics()
	for _, i := range rand.New(rand.NewPCG(3, 4)).Perm(m.lookups) {
		there, err := store.Has(keyOf(i*m.n/m.lookups, which))
		if err != nil || there != (which == 0) {
			t.Fatalf("key %d: %v, %v", i, there, err)
		}
	}
	did := store.Metrics().Sub(before)
	return float64(did.TableReads - did.FilterLoads - did.TableOpens)
}

// partsOf makes a part of each table, and says which share of all keys lies between its smallest and its largest.
func (m measured) partsOf(store *db.DB) (parts []Part, covers []float64) {
	for table := range store.Tables() {
		parts = append(parts, Part{Level: table.Level, Tables: 1, Keys: table.Keys})
		covers = append(covers, float64(indexOf(table.Largest)-indexOf(table.Smallest))/float64(m.n))
	}
	return parts, covers
}

// indexOf undoes keyOf.
func indexOf(key []byte) uint64 { return binary.BigEndian.Uint64(key) >> 20 }

// byLevel is the policy that builds each level of the store's with the bits that k gives it.
func (m measured) byLevel(t *testing.T, k Kind, bits float64) bloom.Policy {
	t.Helper()
	p := levelPolicy{Policy: bloom.Classic(bits), bits: make(map[int]float64)}
	for _, l := range Evenly(m.partsOf(m.fill(t, p.Policy, bloom.Uniform))).Foretell(k, bits).Levels {
		p.bits[l.Level] = l.BitsPerKey()
	}
	return p
}

// levelPolicy builds classic filters with bits by level.
type levelPolicy struct {
	bloom.Policy
	bits map[int]float64
}

func (p levelPolicy) Builder(place bloom.Place) bloom.Builder {
	const most = 20 // of a level that was empty when levels were looked at: it holds few keys
	bits, ok := p.bits[place.Level]
	if !ok {
		bits = most
	}
	return bloom.Classic(bits).Builder(place)
}
