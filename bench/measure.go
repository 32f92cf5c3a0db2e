package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"siftdb/db"
)

// kind is one of the two kinds of lookups. They are never mixed.
type kind struct {
	name    string  // "absent" or "present"
	present float64 // tables that hold the key: 0 or 1
	n       int     // keys there are
	order   order
	most    int // lookups that the order is good for; after them it begins anew
	key     func(dst []byte, i int) []byte
	// check says what is wrong with an answer; nil when it is right.
	check func(i int, value []byte, err error) error
}

// absentKeys looks up what is in no store: the answer must be ErrNotFound.
func absentKeys(c *Config, w Workload) kind {
	k := kind{
		name: "absent",
		n:    w.Absent(),
		key:  w.AppendAbsent,
		check: func(_ int, value []byte, err error) error {
			if err == nil {
				return fmt.Errorf("an absent key was found, with a value of %d bytes", len(value))
			}
			if !errors.Is(err, db.ErrNotFound) {
				return err
			}
			return nil
		},
	}
	k.orderBy(c, c.Seed^absentOrder, math.MaxInt/max(1, k.n))
	return k
}

// presentKeys looks up what was put: the answer must be its value.
func presentKeys(c *Config, w Workload) kind {
	var want []byte
	k := kind{
		name:    "present",
		present: 1,
		n:       w.Present(),
		key:     w.AppendKey,
		check: func(i int, value []byte, err error) error {
			if err != nil {
				return err
			}
			want = w.AppendValue(want[:0], i)
			if !bytes.Equal(value, want) {
				return fmt.Errorf("the value is not the one that was put")
			}
			return nil
		},
	}
	k.orderBy(c, c.Seed^presentOrder, 1)
	return k
}

// orderBy makes the order in which keys are looked up, of which each place has so many.
func (k *kind) orderBy(c *Config, draws uint64, variants int) {
	if c.Traffic != EvenTraffic && k.n > 0 {
		z := newZipf(k.n, c.Ranges, draws)
		z.variants = variants
		if c.Traffic == ScatteredTraffic {
			z.scatter(c.Seed ^ rangeOrder)
		}
		k.order, k.most = z, math.MaxInt
		return
	}
	k.order, k.most = newPermutation(k.n, draws), k.n
}

// meter looks keys up and adds up what that costs.
type meter struct {
	store    *rowStore
	cold     bool   // drop the system's cache of the files before each phase
	row      string // begins the names of phases
	progress Progress
	told     int // lookups that progress was told of before those that are being measured
}

// reportEvery is how often progress is told, at most.
const reportEvery = 100 * time.Millisecond

// phase looks up the first n keys of k, and adds what it costs to t.
func (m *meter) phase(ctx context.Context, k kind, n int, t *tally) error {
	m.progress.Begin(m.row+k.name+" keys", n)
	defer m.progress.End()
	m.told = 0
	_, err := m.measure(ctx, k, 0, n, t)
	return err
}

// measure looks up n keys of k, from place first of their order, and adds what it costs to t. It returns the time
// that the lookups took.
func (m *meter) measure(
	ctx context.Context, k kind, first, n int, t *tally, opts ...db.ReadOption,
) (time.Duration, error) {
	if m.cold {
		if err := dropCache(m.store.dir); err != nil {
			return 0, err
		}
	}
	var stopped atomic.Bool
	defer context.AfterFunc(ctx, func() { stopped.Store(true) })()

	before := m.store.Metrics()
	var key, value []byte
	var spent time.Duration
	reported := time.Now()
	for done := range n {
		i := k.order.at((first + done) % k.most)
		key = k.key(key[:0], i)
		start := time.Now()
		got, err := m.store.AppendGet(value[:0], key, opts...)
		end := time.Now()
		if err := k.check(i, got, err); err != nil {
			return spent, fmt.Errorf("siftdb: bench: lookup of %s key %q: %w", k.name, key, err)
		}
		value = got
		spent += end.Sub(start)
		t.record(end.Sub(start))
		if end.Sub(reported) >= reportEvery {
			reported = end
			m.progress.At(m.told + done + 1)
		}
		if stopped.Load() {
			return spent, ctx.Err()
		}
	}
	m.progress.At(m.told + n)
	t.count(m.store.Metrics().Sub(before))
	return spent, nil
}
