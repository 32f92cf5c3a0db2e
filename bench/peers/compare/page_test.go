package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/bench/peers/rows"
)

// store is rows of a phase, one for each of the seconds that its repetitions took.
func store(name, phase string, seconds ...float64) (all []rows.Row) {
	for i, s := range seconds {
		all = append(all, rows.Row{Store: name, Phase: phase, Threads: 1, Repetition: i + 1, Ops: 10_000, Seconds: s})
	}
	return all
}

// fileOf is a file of rows of a run.
func fileOf(kind rows.Kind, parts ...[]rows.Row) rows.File {
	f := rows.File{Header: rows.Header{Kind: kind, Keys: 1_234_567, KeyBytes: 16, ValueBytes: 100, Repetitions: 3, Stores: []rows.Store{
		{Name: "siftdb"}, {Name: "pebble"}, {Name: "goleveldb"}, {Name: "bbolt", Apart: true},
	}}}
	for _, p := range parts {
		f.Rows = append(f.Rows, p...)
	}
	return f
}

func pageOf(t *testing.T, files ...rows.File) *Page {
	t.Helper()
	page, err := Of(files)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// cellsOf are the cells of the first line of a text that begins with name, in a table that begins with head.
func cellsOf(t *testing.T, text, head, name string) []string {
	t.Helper()
	_, part, found := strings.Cut(text, "| "+head)
	if !found {
		t.Fatalf("no table %q in\n%s", head, text)
	}
	for line := range strings.Lines(part) {
		if strings.HasPrefix(line, "| "+name+" ") {
			line = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "\n"), "|")
			cells := strings.Split(line, "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			return cells
		}
	}
	t.Fatalf("no line %q in\n%s", name, part)
	return nil
}

// TestSpeeds: medians with their spread, the best of those that count, and whether goals are reached.
func TestSpeeds(t *testing.T) {
	text := written(t, pageOf(t, fileOf(rows.Run,
		store("siftdb", "seek + 10", 1, 4, 2), store("pebble", "seek + 10", 4, 5, 6),
		store("goleveldb", "seek + 10", 8, 9, 10), store("bbolt", "seek + 10", 0.1, 0.1, 0.1),
		store("siftdb", "read while writing", 2), store("pebble", "read while writing", 3),
		store("siftdb", "write while reading", 4), store("pebble", "write while reading", 3), store("goleveldb", "write while reading", 1),
		store("siftdb", "synced writes", 1), store("pebble", "synced writes", 2),
		store("siftdb", "settle", 1), store("pebble", "settle", 2),
	)))
	for _, want := range [][]string{
		{"seek + 10", "5.00 (2.50–10.0)", "2.00 (1.67–2.50)", "1.11 (1.00–1.25)", "100", "2.50 (1.00–6.00) pebble", "1.5: reached"},
		{"read while writing", "5.00", "3.33", "-", "-", "1.50 pebble", "2.0: missed"},
		{"write while reading", "2.50", "3.33", "10.0", "-", "0.75 pebble", "1.0: missed"},
		{"synced writes", "10.0", "5.00", "-", "-", "2.00 pebble", ""},
	} {
		if got := cellsOf(t, text, "thousand a second", want[0]); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q\nnot\n%q", got, want)
		}
	}
	if got := cellsOf(t, text, "seconds", "settle"); got[1] != "1.00" || got[2] != "2.00" {
		t.Errorf("settle: %q", got)
	}
}

// TestLimits: memory, disk and write amplification are to be not above others'.
func TestLimits(t *testing.T) {
	var all []rows.Row
	for i, name := range []string{"siftdb", "pebble", "goleveldb", "bbolt"} {
		size := int64(i+1) * mib
		for repetition := range 3 {
			all = append(all,
				rows.Row{Store: name, Phase: "fill random", Threads: 1, Repetition: repetition + 1, Ops: 1, Seconds: 1, Peak: size * 2, Resident: size,
					GivenBytes: 100, DirtiedBytes: 200 * int64(4-i), WrittenBytes: 50},
				rows.Row{Store: name, Phase: "settle", Threads: 1, Repetition: repetition + 1, Ops: 1, Seconds: 1, DirtiedBytes: 100, StoreBytes: size},
				rows.Row{Store: name, Phase: "compact", Threads: 1, Repetition: repetition + 1, Ops: 1, Seconds: 1, DirtiedBytes: 1e6,
					StoreBytes: 5*mib - size})
		}
	}
	page := pageOf(t, fileOf(rows.Run, all))
	text := written(t, page)
	for _, want := range []struct {
		head  string
		cells []string
	}{
		{"MiB at most; at the end", []string{"fill random", "2.00; 1.00", "4.00; 2.00", "6.00; 3.00", "8.00; 4.00", "reached"}},
		{"MiB on disk", []string{"settle", "1.00", "2.00", "3.00", "4.00", ""}},
		{"MiB on disk", []string{"compact", "4.00", "3.00", "2.00", "1.00", "missed"}}, // bbolt, the smallest, is apart
		{"bytes written / given", []string{"pages of files", "9.00", "7.00", "5.00", "3.00", "missed"}},
		{"bytes written / given", []string{"by calls", "0.500", "0.500", "0.500", "0.500", "reached"}},
	} {
		if got := cellsOf(t, text, want.head, want.cells[0]); fmt.Sprint(got) != fmt.Sprint(want.cells) {
			t.Errorf("%s: %q\nnot\n%q", want.head, got, want.cells)
		}
	}
	part, err := page.Part("results")
	if err != nil {
		t.Fatal(err)
	}
	if got := cellsOf(t, part, " ", "bytes on disk, compacted, MiB"); fmt.Sprint(got[1:]) != "[4.00 goleveldb 2.00 2.00 at most 1 missed]" {
		t.Errorf("%q", got)
	}
}

// TestColdStarts: a store that reads its files when it is opened has that time counted beside its look-ups; one that was
// not opened cold is left out, and where nobody was, nothing is said.
func TestColdStarts(t *testing.T) {
	reads := [][]rows.Row{
		store("siftdb", "read present, cold", 0.5, 0.25, 0.125), store("pebble", "read present, cold", 0.5),
		store("goleveldb", "read present, cold", 1),
	}
	opens := [][]rows.Row{store("siftdb", "open, cold", 0.5), store("pebble", "open, cold", 2, 3, 4)}
	part, err := pageOf(t, fileOf(rows.Run, append(opens, reads...)...)).Part("results")
	want := "to open a store and then to look up 10,000 present keys: siftdb 0.75, pebble 3.50."
	if err != nil || !strings.HasSuffix(strings.Join(strings.Fields(part), " "), want) {
		t.Errorf("%v; in\n%s\nthere is no\n%s", err, part, want)
	}
	part, err = pageOf(t, fileOf(rows.Run, reads...)).Part("results")
	if err != nil || strings.Contains(part, "to open a store") {
		t.Errorf("%v; without openings there is\n%s", err, part)
	}
}

// TestGrowth: a line for each place, in their order, and a panel for each operation.
func TestGrowth(t *testing.T) {
	var all []rows.Row
	for _, at := range []int{100, 10_000, 1_000} {
		for _, phase := range []string{"put", "read absent"} {
			all = append(all, rows.Row{Store: "siftdb", Phase: phase, Threads: 1, Axis: "keys", At: at, Ops: 1000, Seconds: 0.002 * float64(at), CPUSeconds: 0.001})
		}
	}
	page := pageOf(t, fileOf(rows.Growth, all))
	text := written(t, page)
	if got := cellsOf(t, text, "µs of processor; of time", "put, 1000 keys"); got[1] != "1.00; 2000" || got[2] != "-" {
		t.Errorf("%q", got)
	}
	if at := strings.Index; at(text, "put, 1000 keys") > at(text, "put, 10000 keys") {
		t.Error("places are out of order")
	}
	dir := t.TempDir()
	if err := page.Save(dir); err != nil {
		t.Fatal(err)
	}
	drawing, err := os.ReadFile(filepath.Join(dir, "growth-keys.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{">put<", ">read absent<", ">10k<"} {
		if !strings.Contains(string(drawing), word) {
			t.Errorf("the picture lacks %s", word)
		}
	}
}

// TestRewrite: only what lies between the marks changes.
func TestRewrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(name, []byte("before\n"+partBegins+"old\n"+partEnds+"after\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	page := pageOf(t, fileOf(rows.Run, store("siftdb", "fill random", 1), store("pebble", "fill random", 2)))
	for range 2 {
		if err := page.Rewrite(name, filepath.Join(filepath.Dir(name), "results")); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	if !strings.HasPrefix(got, "before\n"+partBegins) || !strings.HasSuffix(got, partEnds+"after\n") || strings.Contains(got, "old") {
		t.Errorf("%s", got)
	}
	for _, words := range []string{"(results/ratios.svg)", "1,234,567 keys", "pebble 5.00"} {
		if strings.Count(got, words) != 1 {
			t.Errorf("%q should be there once in\n%s", words, got)
		}
	}
	if err := os.WriteFile(name, []byte("no marks"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := page.Rewrite(name, "results"); err == nil {
		t.Error("a README without marks is rewritten")
	}
}

// TestParts: a store that was measured apart from the others stands beside them.
func TestParts(t *testing.T) {
	alone := fileOf(rows.Run, store("bbolt", "fill random", 4))
	alone.Header.Stores = []rows.Store{{Name: "bbolt", Apart: true}}
	alone.Header.Keys = 5
	text := written(t, pageOf(t, alone, fileOf(rows.Run, store("siftdb", "fill random", 1), store("pebble", "fill random", 2))))
	want := []string{"fill random", "10.0", "5.00", "-", "2.50", "2.00 pebble", "1.3: reached"}
	if got := cellsOf(t, text, "thousand a second", "fill random"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q\nnot\n%q", got, want)
	}
	for _, keys := range []string{"5 keys", "1,234,567 keys"} {
		if !strings.Contains(text, "* "+keys) {
			t.Errorf("the page does not tell of %s", keys)
		}
	}
}
