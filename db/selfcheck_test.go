package db

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"siftdb/bloom"
)

// TestRateBounds holds the interval against values worked out elsewhere (Brown, Cai and DasGupta, 2001; Newcombe, 1998).
func TestRateBounds(t *testing.T) {
	for _, c := range []struct {
		hits, trials int64
		low, high    float64
	}{
		{0, 0, 0, 1},
		{0, 20, 0, 0.1611},
		{20, 20, 0.8389, 1},
		{1, 10, 0.0179, 0.4042},
		{10, 100, 0.0552, 0.1744},
		{50, 100, 0.4038, 0.5962},
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 1_000_000_000_000, 0, 3.85e-12},
	} {
		low, high := FilterMetrics{FalsePasses: c.hits, Skips: c.trials - c.hits}.RateBounds()
		if math.Abs(low-c.low) > 0.00006 || math.Abs(high-c.high) > 0.00006 || low > high || low < 0 || high > 1 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.hits, c.trials, low, high, c.low, c.high)
		}
	}
}

// TestSuspect is a table of what theory and counters may say.
func TestSuspect(t *testing.T) {
	for _, c := range []struct {
		hits, trials int64
		expected     float64
		want         bool
	}{
		{0, 0, 0.01, false},
		{0, 10, 0.01, false},
		{10, 10, 0.01, true},
		{100, 10_000, 0.01, false},
		{120, 10_000, 0.01, false},               // chance
		{1100, 100_000, 0.01, false},             // more than chance, and too little to matter
		{12_000, 1_000_000, 0.01, false},         // so is this
		{15_000, 1_000_000, 0.01, true},          // above
		{5_000, 1_000_000, 0.01, true},           // below
		{0, 100_000, 0.01, true},                 // below
		{0, 100_000, 1.0 / (1 << 16), false},     // one or two were to be expected
		{20, 100_000, 1.0 / (1 << 16), true},     // and not so many
		{50_000, 100_000, 0.5, false},            // one plane
		{1_000_000, 1_000_000, 0.9999999, false}, // a filter that is full
	} {
		m := FilterMetrics{FalsePasses: c.hits, Skips: c.trials - c.hits, expectedFalse: c.expected * float64(c.trials)}
		if m.Suspect() != c.want {
			t.Errorf("%d of %d, by theory %g: %v", c.hits, c.trials, c.expected, m.Suspect())
		}
	}
}

// liar is a filter that does not do what it says.
type liar struct {
	bloom.TableFilter
	rate float64
}

func (l liar) ExpectedRate() float64 { return l.rate }

// TestFilterAgainstTheory: a filter that lets more or fewer keys pass than it says is told of, once.
func TestFilterAgainstTheory(t *testing.T) {
	for _, factor := range []float64{2, 0.5} {
		synctest.Test(t, func(t *testing.T) {
			said := new(lines)
			store := adaptive(t, 5000, logged(said), func(o *Options) { o.Filter, o.TableSize = bloom.Classic(10), 1<<20 })
			table := store.view.Load().tables[6][0]
			honest := table.resident.Load()
			table.show(&loadedFilter{TableFilter: liar{honest.TableFilter, honest.ExpectedRate() / factor}, bytes: honest.bytes})
			looks(t, store, rand.New(rand.NewPCG(1, 1)), 3, 50_000, 0, 4999)
			said.want(t, 1, "not what theory says", "table", "level", "measured", "expected", "probes")
			if info := tablesOf(store)[0]; !info.Filter.Suspect() {
				t.Errorf("rate %g, by theory %g", info.Filter.Rate(), info.Filter.Expected())
			}
		})
	}
}

// TestFiltersAsTheorySays: filters of all families, while planes come and go, are never told of.
func TestFiltersAsTheorySays(t *testing.T) {
	seeds := 4
	if testing.Short() {
		seeds = 1
	}
	for seed := range uint64(seeds) {
		for _, policy := range []bloom.Policy{bloom.BitsPerKey(10), bloom.Classic(5), bloom.Blocked(16)} {
			synctest.Test(t, func(t *testing.T) {
				said := new(lines)
				store := adaptive(t, 9000+int(seed), logged(said), func(o *Options) { o.Filter = policy })
				rng := rand.New(rand.NewPCG(seed, 1))
				for _, bits := range []float64{10, 5, 2, 12, 10} {
					check(t, store.SetBitsPerKey(bits))
					looks(t, store, rng, 2, 5000, 0, 9000)
				}
				check(t, store.Compact(context.Background(), Range{}))
				looks(t, store, rng, 2, 5000, 0, 9000)
				said.want(t, 0, "not what theory says")
				for _, l := range store.Metrics().Levels {
					if l.Filter.Suspect() {
						t.Errorf("seed %d, %v: level %d has a rate of %g, by theory %g",
							seed, policy, l.Level, l.Filter.Rate(), l.Filter.Expected())
					}
				}
			})
		}
	}
}

// TestFewKeysAskedAgain: a program that asks for a few absent keys over and over sees a rate of its own: those that
// pass do so each time. That is no fault of the filter.
func TestFewKeysAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said := new(lines)
		store := adaptive(t, 9000, logged(said), func(o *Options) { o.Filter, o.TableSize = bloom.BitsPerKey(4), 1<<20 })
		passing := -1
		for i := 1; passing < 0; i += 2 {
			var trace Trace
			store.Has(filterKey(i), TraceTo(&trace))
			if trace.FalsePasses > 0 {
				passing = i
			}
		}
		for range 3 {
			for range 5000 {
				store.Has(filterKey(passing))
			}
			time.Sleep(tick)
			synctest.Wait()
		}
		info := tablesOf(store)[0]
		if info.Filter.Rate() < 0.9 || !info.Filter.Suspect() {
			t.Errorf("rate %g: the test is too weak", info.Filter.Rate())
		}
		said.want(t, 0, "not what theory says")
	})
}

// TestSampledRates asks filters of all sizes for keys of the store's own choice: their rates are as theory says.
func TestSampledRates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, policy := range []bloom.Policy{bloom.Ribbon(10), bloom.Classic(10), bloom.Blocked(10), bloom.Classic(2),
		bloom.Blocked(24)} {
		for _, keys := range []int{leastKeys, 2000, 20_000} {
			b := policy.Builder(bloom.Place{Level: 6, Bottommost: true})
			for range keys {
				b.Add(bloom.Hash{H1: rng.Uint64(), H2: rng.Uint64()})
			}
			bytes, err := b.Append(nil)
			check(t, err)
			filter, err := bloom.Parse(bytes)
			check(t, err)
			if m := sampled(filter); m.Suspect() {
				t.Errorf("%v, %d keys: rate %g, by theory %g", policy, keys, m.Rate(), m.Expected())
			}
			if rate := filter.ExpectedRate(); rate > 1e-4 && !sampled(liar{filter, rate / 2}).Suspect() {
				t.Errorf("%v, %d keys: half the rate is believed", policy, keys)
			}
		}
	}
}
