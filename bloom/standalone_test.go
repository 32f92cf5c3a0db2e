package bloom

import (
	"encoding/binary"
	"testing"
)

func newFilter(t testing.TB, n int, p float64) *Filter {
	t.Helper()
	f, err := New(n, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestEstimatedRateFollowsOverfilling(t *testing.T) {
	// Reference: built for 1 %, then over-filled.
	const n = 20_000
	f := newFilter(t, n, 0.01)
	added := 0
	for _, c := range []struct{ times, want float64 }{{1, 0.01004}, {1.25, 0.028}, {1.5, 0.058}, {2, 0.157}, {3, 0.436}, {5, 0.83}, {10, 0.995}} {
		for ; added < int(c.times*n); added++ {
			key := binary.BigEndian.AppendUint64(nil, uint64(added))
			f.Add(key)
			f.Add(key) // twice: it must not count for the rate
		}
		if got := f.EstimatedRate(); !near(got, c.want, 0.04) {
			t.Errorf("%g times the keys: estimates %g, want %g", c.times, got, c.want)
		}
	}
	if f.Len() != 2*added {
		t.Errorf("length %d after %d calls", f.Len(), 2*added)
	}
}
