package report

import (
	"bytes"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"siftdb/bench"
)

// chartOf is the chart of a name.
func chartOf(t *testing.T, r *bench.Result, name string) *chart {
	t.Helper()
	charts := chartsOf(r)
	at := slices.IndexFunc(charts, func(c chart) bool { return c.name == name })
	if at < 0 {
		t.Fatalf("no chart %s", name)
	}
	return &charts[at]
}

func (c *chart) seriesNames() string {
	var names []string
	for i := range c.series {
		names = append(names, c.series[i].name)
	}
	return strings.Join(names, " | ")
}

func svgText(t *testing.T, c *chart) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeSVG(&b, c, frameFile); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPictures compares pictures of the sample with files. Run with -update to rewrite the files, and look at them.
func TestPictures(t *testing.T) {
	for _, name := range []string{"rate", "reads-per-miss", "latency-absent", "levels"} {
		picture := svgText(t, chartOf(t, sample(t), name))
		checkGolden(t, filepath.Join("testdata", name+".svg"), []byte(picture))
	}
}

// TestPicturesForReaders holds the pictures that pages of this repository show to the runs that they are of.
func TestPicturesForReaders(t *testing.T) {
	for name, r := range map[string]*bench.Result{"reads-per-miss.svg": quick(t), "elastic.svg": elastic(t)} {
		picture := svgText(t, chartOf(t, r, "reads-per-miss"))
		checkGolden(t, filepath.Join("..", name), []byte(picture))
	}
}

func TestPictureFiles(t *testing.T) {
	charts := chartsOf(quick(t))
	for i := range charts {
		c := &charts[i]
		picture := svgText(t, c)
		checkXML(t, c.name, picture)
		if without := strings.Replace(picture, `xmlns="http://www.w3.org/2000/svg"`, "", 1); asksFor.MatchString(without) {
			t.Errorf("%s.svg asks for %q", c.name, asksFor.FindString(without))
		}
		if !strings.Contains(picture, ">"+c.title+"</text>") || !strings.Contains(picture, "siftdb bench --quick") {
			t.Errorf("%s.svg has no title, or does not say where it comes from", c.name)
		}
		for j := range c.series {
			if !strings.Contains(picture, ">"+c.series[j].name+"</text>") {
				t.Errorf("%s.svg has no legend for %q", c.name, c.series[j].name)
			}
		}
		if testing.Short() && i > 0 {
			continue // the race detector makes pixels slow
		}
		var b bytes.Buffer
		if err := writePNG(&b, c, frameFile); err != nil {
			t.Fatal(err)
		}
		if m, err := png.Decode(&b); err != nil || m.Bounds().Dx() != 1440 || m.Bounds().Dy() != 840 {
			t.Errorf("%s.png: %v", c.name, err)
		}
	}
}

// policies is the quick run with rows of two policies more, which read a half and a tenth as much.
func policies(t *testing.T) *bench.Result {
	r := quick(t)
	rows := slices.Clone(r.Rows)
	for part, name := range map[int64]string{2: "uniform classic", 10: "by level ribbon"} {
		for _, row := range rows {
			if row.Bits == bench.Off {
				continue
			}
			row.Policy = name + " " + row.Bits.String()
			row.Absent.DiskReads /= part
			row.Filter.Measured /= float64(part)
			r.Rows = append(r.Rows, row)
		}
	}
	slices.SortStableFunc(r.Rows[len(rows):], func(a, b bench.Row) int { return strings.Compare(a.Policy, b.Policy) })
	return r
}

// TestEachPolicyIsALine: rows whose policies differ in more than bits are told apart in every picture.
func TestEachPolicyIsALine(t *testing.T) {
	r := policies(t)
	for name, want := range map[string]string{
		"reads-per-miss": "bits per key | by level ribbon | uniform classic | filters off",
		"rate":           "bits per key | by level ribbon | uniform classic",
		"levels":         "bits per key | by level ribbon | uniform classic",
		"reads-saved":    "bits per key | by level ribbon | uniform classic",
		"build-time":     "filters off | bits per key | by level ribbon | uniform classic",
		"latency-absent": "bits per key, on, p50 | bits per key, on, p99 | by level ribbon, on, p50 | by level ribbon, on, p99 | uniform classic, on, p50 | uniform classic, on, p99 | off, p50 | off, p99",
	} {
		c := chartOf(t, r, name)
		if got := c.seriesNames(); got != want {
			t.Errorf("%s: series %s, want %s", name, got, want)
		}
		looks := map[string]bool{}
		for i := range c.series {
			s := &c.series[i]
			looks[swatchSVG(s)] = true
			if len(s.points) == 0 {
				t.Errorf("%s: nothing in %s", name, s.name)
			}
		}
		if len(looks) != len(c.series) {
			t.Errorf("%s: two of %d series look the same", name, len(c.series))
		}
	}
}

// TestNothingSeenIsABound: where no false pass and no read was seen, a logarithmic axis has no place for the value.
func TestNothingSeenIsABound(t *testing.T) {
	r := quick(t)
	last := &r.Rows[len(r.Rows)-1]
	last.Filter.FalsePasses, last.Filter.Measured, last.Filter.MeasuredLow, last.Filter.MeasuredHigh = 0, 0, 0, 4e-6
	last.Absent.DiskReads, last.Absent.Lookups = 0, 30_000
	for name, want := range map[string]float64{"rate": 4e-6, "reads-per-miss": 1e-4} {
		c := chartOf(t, r, name)
		var bounds []point
		for _, s := range c.series {
			for _, p := range s.points {
				if p.bound {
					bounds = append(bounds, p)
				}
			}
		}
		if len(bounds) != 1 || bounds[0].y != want || bounds[0].label != "" {
			t.Errorf("%s: bounds %+v, want one of %g", name, bounds, want)
		}
		if strings.Contains(svgText(t, c), "NaN") {
			t.Errorf("%s: drawn at no place", name)
		}
	}
}

func TestHeadline(t *testing.T) {
	r := sample(t)
	check := func(what, want string) {
		t.Helper()
		if got := headline(r); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("live", "Bits per key of a store that is being read, from 10 to 6 in 1.23\u00a0ms; table files written: 1, data blocks read: 2.")
	r.Live = nil
	check("compared",
		"At 10 bits per key, a lookup of an absent key takes 1.00 disk reads instead of 4000.00: 3980 times fewer.")
	r.Rows[1].Compared = nil
	check("beside the row without filters",
		"At 10 bits per key, a lookup of an absent key takes 1.00 disk reads instead of 4000.00: 3980 times fewer.")
	r.Rows = r.Rows[1:]
	check("nothing to compare with", "At 10 bits per key, a lookup of an absent key takes 1.00 disk reads.")
	r.Rows[0].Absent.DiskReads = 0
	r.Rows = append(r.Rows, bench.Row{Bits: bench.Off, Absent: bench.Phase{Lookups: 1, DiskReads: 4}})
	check("no reads left", "At 10 bits per key, a lookup of an absent key takes 0 disk reads instead of 4.00.")
	r = policies(t)
	wasted := map[string]float64{"bits per key": 0.0375, "uniform classic": 0.0123, "by level ribbon": 0.0025}
	for i := range r.Rows {
		r.Rows[i].Waste.Absent = wasted[r.Rows[i].Kind()]
	}
	check("several policies",
		"At 10 bits per key, a lookup of an absent key wastes 3.750\u00a0% of a block read with bits per key filters, "+
			"0.2500\u00a0% with by level ribbon filters: 15.0 times less.")
	r.Rows = nil
	check("no rows", "What filters save, by bits per key.")
}

func TestValuesBehindAChart(t *testing.T) {
	g := chartOf(t, quick(t), "reads-per-miss").values
	if !slices.Equal(g.columns, []string{"bits per key", "filters on", "filters off"}) || len(g.rows) != 10 {
		t.Fatalf("%v, %d rows", g.columns, len(g.rows))
	}
	for _, row := range g.rows {
		if len(row) != 3 || row[2] == "–" || (row[1] == "–") != (row[0] == "filters off") {
			t.Errorf("row %q", row)
		}
	}
}
