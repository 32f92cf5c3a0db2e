package forecast

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"siftdb/compaction"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
)

// accounts is a store of two billion addresses, which fits no machine here.
func accounts() Layout {
	return Layout{Keys: 2e9, KeyBytes: 24, ValueBytes: 100, Ratio: 10, MemTable: 32 << 20, TableSize: 32 << 20, Level0: 2}
}

// picture is levels in a line each.
func picture(levels []Level) string {
	var b strings.Builder
	for _, l := range levels {
		fmt.Fprintf(&b, "L%d: %d tables, %d keys, %.0f MB, over %.2f\n", l.Number, l.Tables, l.Keys, l.Bytes/1e6, l.Cover)
	}
	return b.String()
}

func TestLevelsOfTwoBillionKeys(t *testing.T) {
	if got, want := picture(accounts().Levels()), `L0: 2 tables, 397092 keys, 49 MB, over 1.00
L2: 1 tables, 89987 keys, 11 MB, over 0.10
L3: 7 tables, 1799742 keys, 223 MB, over 0.69
L4: 67 tables, 17997416 keys, 2232 MB, over 0.91
L5: 666 tables, 179974160 keys, 22317 MB, over 0.91
L6: 6651 tables, 1799741603 keys, 223168 MB, over 1.00
`; got != want {
		t.Errorf("levels are\n%s", got)
	}
}

// TestLevelsAreThoseOfCompaction: the targets that compaction sets for a last level are the levels foretold.
func TestLevelsAreThoseOfCompaction(t *testing.T) {
	for _, keys := range []uint64{1e4, 1e5, 3e6, 1e8, 2e9, 1e12} {
		for _, ratio := range []int{2, 4, 10, 50} {
			l := accounts()
			l.Keys, l.Ratio, l.Level0 = keys, ratio, 0
			levels := l.Levels()
			last := levels[len(levels)-1]
			v := &manifest.Version{}
			v.Levels[last.Number] = []*manifest.Table{{
				Number: 1, Size: int64(last.Bytes), Keys: last.Keys,
				Smallest: key.Key{User: []byte("a")}, Largest: key.Key{User: []byte("b")},
			}}
			shape := compaction.Scores(compaction.State{Version: v}, compaction.Options{LevelRatio: ratio, BaseBytes: 2 * l.MemTable, TableSize: l.TableSize})
			for number := 1; number < last.Number; number++ {
				want := float64(shape.Levels[number].Target)
				got := 0.0
				for i, level := range levels {
					if level.Number == number {
						got = level.Bytes
					}
					if i == 0 && len(levels) > 1 {
						got *= 2 // half full
					}
				}
				if math.Abs(got-want) > 0.01*want+200 {
					t.Errorf("%d keys, ratio %d: level %d has %.0f bytes, compaction's target is %.0f", keys, ratio, number, got, want)
				}
			}
		}
	}
}

// TestLayoutsAddUp: however small, large or steep a store is, its levels and parts hold all keys, and an absent key meets
// one table of each run where there is one.
func TestLayoutsAddUp(t *testing.T) {
	for _, keys := range []uint64{1, 2, 1000, 198_545, 198_546, 198_547, 1e6, 123_456_789, 1e13} {
		for _, change := range []func(*Layout){
			func(*Layout) {},
			func(l *Layout) { l.Level0 = 0 },
			func(l *Layout) { l.Level0 = 100 },
			func(l *Layout) { l.Ratio = 2 },
			func(l *Layout) { l.Skew = 0.99 },
			func(l *Layout) { l.TableSize = 1 << 34 },
			func(l *Layout) { l.ValueBytes = 1e6 },
		} {
			l := accounts()
			l.Keys = keys
			change(&l)
			s := l.Store()
			runs, inLevels := 0.0, uint64(0)
			for _, level := range l.Levels() {
				inLevels += level.Keys
				if level.Number == 0 {
					runs += float64(level.Tables)
				} else {
					runs += level.Cover
				}
			}
			if s.Keys() != keys || inLevels != keys {
				t.Errorf("%+v: %d keys in parts, %d in levels", l, s.Keys(), inLevels)
			}
			o := s.Foretell(None, 0)
			if math.Abs(o.Absent-runs) > 1e-6 || o.Present > o.Absent-1+1e-6 {
				t.Errorf("%+v: %g reads for nothing for an absent key, %g for a present one, in %g runs", l, o.Absent, o.Present, runs)
			}
			for _, p := range s.Parts {
				if p.Tables < 1 || p.Keys < uint64(p.Tables) {
					t.Errorf("%+v: part %+v", l, p)
				}
			}
		}
	}
}

// TestMemoryNeverHurts: more bits never waste more reads, and no kind takes more memory than is asked for. Below 6 bits cuckoo
// filters are classic ones, which are better than those of 6 bits.
func TestMemoryNeverHurts(t *testing.T) {
	s := accounts().Store()
	for _, k := range Kinds() {
		before := math.Inf(1)
		for bits := 1.0; bits <= 24; bits++ {
			o := s.Foretell(k, bits)
			if o.Absent > before*1.0001 && (k.Family != UniformCuckoo.Family || bits > 6) {
				t.Errorf("%v: %g wasted reads at %g bits, %g at one less", k, o.Absent, bits, before)
			}
			if o.BitsPerKey() > 1.001*bits {
				t.Errorf("%v: %g bits per key where %g were asked for", k, o.BitsPerKey(), bits)
			}
			before = o.Absent
		}
	}
}

// TestBitsFor: the bits found are enough, and a step fewer are not.
func TestBitsFor(t *testing.T) {
	s := accounts().Store()
	absent := func(o Outcome) float64 { return o.Absent }
	for _, k := range Kinds() {
		for _, target := range []float64{0.1, 0.01, 0.0001} {
			bits, ok := s.BitsFor(k, target, absent)
			if ok && (s.Foretell(k, bits).Absent > target || bits > grain && s.Foretell(k, bits-grain).Absent <= target) {
				t.Errorf("%v for %g: %g bits give %g", k, target, bits, s.Foretell(k, bits).Absent)
			}
			if !ok && s.Foretell(k, mostBits).Absent <= target {
				t.Errorf("%v for %g: not found", k, target)
			}
		}
	}
	if _, ok := s.BitsFor(None, 0.1, absent); ok {
		t.Error("no filters reach a target")
	}
}

func TestZipf(t *testing.T) {
	for _, skew := range []float64{0, 0.5, 0.99, 1, 1.5} {
		for _, bounds := range [][2]int64{{1, 1}, {1, 100}, {1, 101}, {1, 5000}, {40, 300}, {1000, 1000}, {1001, 1001}, {900, 1005}} {
			want := 0.0
			for i := bounds[0]; i <= bounds[1]; i++ {
				want += math.Pow(float64(i), -skew)
			}
			if got := zipf(bounds[0], bounds[1], skew); math.Abs(got/want-1) > 1e-6 {
				t.Errorf("%d to %d, skew %g: %g, want %g", bounds[0], bounds[1], skew, got, want)
			}
		}
	}
}
