package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"siftdb/compaction"
)

// little is a store whose memtables hold a hundred entries of a hundred bytes.
func little() Store {
	return Store{
		KeyBytes: 20, ValueBytes: 80, MemTableWrites: 100, Workers: 2,
		Options: compaction.Options{TableSize: 10_000, BaseBytes: 20_000, LevelRatio: 4},
	}
}

func mustRun(t *testing.T, c Store, w Workload) Result {
	t.Helper()
	r, err := Run(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRunsAddUp: whatever is simulated, the numbers fit together and come out the same again.
func TestRunsAddUp(t *testing.T) {
	for _, w := range []Workload{
		{Keys: 1},
		{Keys: 20_000, Seed: 1},
		{Keys: 5000, Updates: 20_000, Seed: 2},
		{Keys: 5000, Updates: 20_000, Deletes: 0.3, Zipf: 0.99, Seed: 3},
		{Keys: 100, Updates: 5000, Deletes: 1},
	} {
		for i, speed := range []float64{0, 1, 20, 0, 1, 20} {
			style := compaction.Styles()[i/3]
			t.Run(fmt.Sprintf("%+v speed %g %v", w, speed, style), func(t *testing.T) {
				c := little()
				c.Options.Style, c.Speed, c.Level0Stop = style, speed, 12
				r := mustRun(t, c, w)
				if again := mustRun(t, c, w); !reflect.DeepEqual(r, again) {
					t.Errorf("the same run gives\n%+v and\n%+v", r, again)
				}
				var inLevels int64
				for _, l := range r.Levels {
					inLevels += l.Bytes
				}
				if r.Writes != int64(w.Keys+w.Updates) || inLevels != r.EndBytes || r.PeakBytes < r.EndBytes || r.EndBytes < r.LiveBytes {
					t.Errorf("%+v does not add up", r)
				}
				if r.FlushedBytes > r.UserBytes || r.Flushes != (r.Writes+99)/100 || r.WriteAmplification() < 0.1 {
					t.Errorf("%+v: flushes do not fit the writes", r)
				}
				if r.MeanRuns > float64(r.MostRuns) || r.Stopped < 0 || r.Stopped > 1 || r.Stopped > 0 && speed == 0 {
					t.Errorf("%+v: runs or stops do not fit", r)
				}
			})
		}
	}
}

// TestDeletedKeysLeaveNothing: when all keys are deleted, nothing is left.
func TestDeletedKeysLeaveNothing(t *testing.T) {
	r := mustRun(t, little(), Workload{Keys: 100, Updates: 50_000, Deletes: 1})
	if r.LiveBytes != 0 || r.EndBytes > 4*100*20 {
		t.Errorf("%d bytes of nothing: %+v", r.EndBytes, r)
	}
}

// TestSlowCompactionsStopWrites: where compactions cannot keep up, level 0 grows, and writes stop.
func TestSlowCompactionsStopWrites(t *testing.T) {
	c := little()
	w := Workload{Keys: 20_000, Seed: 1}
	c.Level0Stop = 12
	at := func(speed float64) Result { c.Speed = speed; return mustRun(t, c, w) }
	slow, quick := at(1), at(1000)
	if slow.Stopped < 0.1 || slow.MostRuns <= quick.MostRuns || quick.Stopped > 0 {
		t.Errorf("slow: %+v\nquick: %+v", slow, quick)
	}
	if slow.WriteAmplification() >= quick.WriteAmplification() {
		t.Errorf("more flushes a merge are to save writing: %.2f written per byte slow, %.2f quick",
			slow.WriteAmplification(), quick.WriteAmplification())
	}
}

func TestRunRefuses(t *testing.T) {
	for want, change := range map[string]func(*Store, *Workload){
		"0 keys":           func(_ *Store, w *Workload) { w.Keys = 0 },
		"-1 updates":       func(_ *Store, w *Workload) { w.Updates = -1 },
		" updates are not": func(_ *Store, w *Workload) { w.Updates = math.MaxInt },
		"not 1.5":          func(_ *Store, w *Workload) { w.Deletes = 1.5 },
		"0 to 4, not 5":    func(_ *Store, w *Workload) { w.Zipf = 5 },
		"0 and 0 bytes":    func(c *Store, _ *Workload) { c.KeyBytes, c.ValueBytes = 0, 0 },
		"of 0 writes":      func(c *Store, _ *Workload) { c.MemTableWrites = 0 },
		"0 workers":        func(c *Store, _ *Workload) { c.Workers = 0 },
		"a speed of -0.5":  func(c *Store, _ *Workload) { c.Speed = -0.5 },
	} {
		c, w := little(), Workload{Keys: 10}
		change(&c, &w)
		if _, err := Run(t.Context(), c, w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, little(), Workload{Keys: 10_000}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
}
