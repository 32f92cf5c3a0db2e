package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"siftdb/bench"
)

// quick is the result of `siftdb bench --quick`.
func quick(t *testing.T) *bench.Result { return load(t, filepath.Join("testdata", "quick.json")) }

// elastic is the result of `siftdb bench --quick --scenario elastic --bits 4,6,8,10,12,14`.
func elastic(t *testing.T) *bench.Result { return load(t, filepath.Join("testdata", "elastic.json")) }

func pageText(t *testing.T, r *bench.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := WritePage(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	drawings = regexp.MustCompile(`(?s)<svg class="drawing (wide|phone)".*?</svg>`)
	ids      = regexp.MustCompile(`\bid="([^"]*)"`)
	asksFor  = regexp.MustCompile(`(?i)https?:|\bsrc=|url\(|@import|<link rel="(?:[^i]|i[^c])|fetch\(|XMLHttpRequest|<script [^>]*src`)
)

// rowCharts are the names of all charts of rows, in the page's order.
var rowCharts = []string{
	"reads-per-miss", "rate", "latency-absent", "latency-present", "speed", "reads-saved", "levels", "build-time",
}

func TestPageHasEveryChart(t *testing.T) {
	for name, r := range map[string]*bench.Result{"sample": sample(t), "quick": quick(t), "elastic": elastic(t)} {
		chartNames := rowCharts
		if name == "elastic" { // filters on and off were not compared
			chartNames = []string{"reads-per-miss", "rate", "reads-saved", "levels", "build-time"}
		}
		if len(r.Live) > 0 {
			chartNames = append(slices.Clone(rowCharts), "live")
		}
		page := pageText(t, r)
		for _, chart := range chartNames {
			if !strings.Contains(page, `<figure id="`+chart+`">`) {
				t.Errorf("%s: no figure %s", name, chart)
			}
		}
		found := drawings.FindAllString(page, -1)
		if len(found) != 2*len(chartNames) {
			t.Fatalf("%s: %d drawings, want %d", name, len(found), 2*len(chartNames))
		}
		for _, drawing := range found {
			if marks := strings.Count(drawing, `<g class="point"><title>`); marks == 0 {
				t.Errorf("%s: a drawing without points: %.120s", name, drawing)
			}
			if strings.Count(drawing, "<path") < 5 || strings.Count(drawing, "<text") < 4 || strings.Contains(drawing, "NaN") {
				t.Errorf("%s: a drawing that lacks something: %.120s", name, drawing)
			}
			checkXML(t, name, drawing)
		}
		if tables := strings.Count(page, "<table>"); tables != len(chartNames)+len(gridsOf(r)) {
			t.Errorf("%s: %d tables, want one behind each chart and those of the text", name, tables)
		}
	}
}

// checkXML checks that each element is closed and each text escaped.
func checkXML(t *testing.T, name, text string) {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := in.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v in %.200s", name, err, text)
		}
	}
}

// TestPageAsksForNothing: one file, that opens without a network.
func TestPageAsksForNothing(t *testing.T) {
	if found := asksFor.FindString(pageText(t, quick(t))); found != "" {
		t.Errorf("the page has %q", found)
	}
}

func TestPageSaysWhatTheRunWas(t *testing.T) {
	r := sample(t)
	r.Interrupted = true
	r.Header.CPU = "a <b>CPU</b> & more"
	page := pageText(t, r)
	for _, want := range []string{
		"siftdb v0.1.0, go1.26.0 linux/amd64", "siftdb bench --layout overlap", "seed 1", "block cache 1.0 MiB",
		"loading is not synced", "<li>a warning</li>", "interrupted", "a &lt;b&gt;CPU&lt;/b&gt; &amp; more",
		"Filters and absent keys", "Present keys", "Filters on beside filters off", "! 1.005 (0.962 – 1.050) %", "12,345",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

func TestPageIDsAreUnique(t *testing.T) {
	page := pageText(t, quick(t))
	seen := map[string]bool{}
	for _, match := range ids.FindAllStringSubmatch(page, -1) {
		if seen[match[1]] {
			t.Errorf("id %q is there twice", match[1])
		}
		seen[match[1]] = true
	}
	for _, match := range regexp.MustCompile(`aria-labelledby="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		for id := range strings.FieldsSeq(match[1]) {
			if !seen[id] {
				t.Errorf("something is labelled by %q, which is not there", id)
			}
		}
	}
}

func TestSameResultSamePage(t *testing.T) {
	first := pageText(t, quick(t))
	if second := pageText(t, quick(t)); second != first {
		t.Error("two pages of one result differ")
	}
}

// TestPageOfPartOfAResult: an interrupted run may have no rows, or the one without filters.
func TestPageOfPartOfAResult(t *testing.T) {
	r := sample(t)
	r.Rows = r.Rows[:1]
	if page := pageText(t, r); !strings.Contains(page, `<figure id="reads-per-miss">`) ||
		strings.Contains(page, `<figure id="rate">`) {
		t.Error("one row without filters: the wrong figures")
	}
	r.Rows, r.Live = nil, nil
	if page := pageText(t, r); strings.Contains(page, "<figure") || !strings.Contains(page, "a warning") {
		t.Error("no rows: there are figures, or the header is missing")
	}
}

func TestPageReturnsErrors(t *testing.T) {
	if err := WritePage(&fullDisk{left: 1000}, sample(t)); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

func TestWriteFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	r := sample(t)
	if testing.Short() {
		r.Rows = r.Rows[:1] // few pictures: the race detector makes pixels slow
	}
	for range 2 { // the second time over the first's files
		if err := WriteFiles(dir, r); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"report.html"}
	for _, c := range chartsOf(r) {
		names = append(names, c.name+".svg", c.name+".png")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(names) {
		t.Errorf("%d files, want %d, error %v", len(entries), len(names), err)
	}
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 2000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if err := WriteFiles(filepath.Join(dir, "report.html"), r); err == nil ||
		!strings.HasPrefix(err.Error(), "siftdb: bench: ") {
		t.Errorf("into a file: %v", err)
	}
}
