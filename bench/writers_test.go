package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestWriters compares each form of a result with a file. Run with -update to rewrite the files, and read the diff.
func TestWriters(t *testing.T) {
	r := sample()
	for name, write := range map[string]func(io.Writer) error{
		"sample.csv": r.WriteCSV, "sample.json": r.WriteJSON, "sample.bench": r.WriteGoBench,
	} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestResultComesBackFromJSON(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), &back); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWriteFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 { // the second time over the first's files
		if err := sample().WriteFiles(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"results.json", "results.csv", "bench.txt"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// fullDisk takes so many bytes and then fails.
type fullDisk struct{ left int }

var errFull = errors.New("full")

func (f *fullDisk) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return 0, errFull
	}
	f.left -= len(p)
	return len(p), nil
}

func TestWritersReturnErrors(t *testing.T) {
	r := sample()
	for name, write := range map[string]func(io.Writer) error{
		"csv": r.WriteCSV, "json": r.WriteJSON, "bench": r.WriteGoBench,
	} {
		for _, room := range []int{0, 100, 500} {
			if err := write(&fullDisk{left: room}); !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d bytes: %v", name, room, err)
			}
		}
	}
}

func TestResultWithoutRows(t *testing.T) {
	r := &Result{Rows: []Row{}, Warnings: []string{}, Interrupted: true}
	for name, write := range map[string]func(io.Writer) error{
		"csv": r.WriteCSV, "json": r.WriteJSON, "bench": r.WriteGoBench,
	} {
		if err := write(io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
