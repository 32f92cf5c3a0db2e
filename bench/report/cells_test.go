package report

import (
	"testing"
	"time"

	"siftdb/bench"
)

func TestCells(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{percent(0), "0 %"}, {percent(1), "100 %"}, {percent(0.0081937), "0.8194 %"}, {percent(0.5), "50.00 %"},
		{percent(0.00019782), "0.01978 %"}, {percent(0.99991), "99.99 %"},
		{duration(0), "0"}, {duration(999), "999 ns"}, {duration(1234 * time.Nanosecond), "1.23 µs"},
		{duration(12345 * time.Microsecond), "12.3 ms"}, {duration(2 * time.Second), "2.00 s"},
		{factor(98.76), "98.8"}, {factor(1234.5), "1234"}, {factor(1.5), "1.50"}, {factor(0), "–"},
		{perLookupText(&bench.Phase{Lookups: 3, DiskReads: 0}), "0"},
		{perLookupText(&bench.Phase{Lookups: 10, DiskReads: 1000}), "100.00"},
		{perLookupText(&bench.Phase{Lookups: 100_000, DiskReads: 123}), "0.00123"},
		{perLookupText(&bench.Phase{}), "0"},
		{measured(&bench.Filter{}), "–"},
		{measured(&bench.Filter{Probes: 100, Measured: 0.01, MeasuredLow: 0.0018, MeasuredHigh: 0.0545, OutsideTheory: true}),
			"! 1.000 (0.180 – 5.450) %"},
		{mebibytes(1 << 19), "0.500"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
