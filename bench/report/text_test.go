package report

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

	"siftdb/bench"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// load reads a result that package bench has written.
func load(t *testing.T, name string) *bench.Result {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := &bench.Result{}
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// sample is a result with something in every field.
func sample(t *testing.T) *bench.Result {
	return load(t, filepath.Join("..", "testdata", "sample.json"))
}

// checkGolden compares got with a file. Run with -update to rewrite the files, and read the diff.
func checkGolden(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", golden, diff)
	}
}

var textForms = map[string]func(io.Writer, *bench.Result) error{"sample.txt": WriteTable, "sample.md": WriteMarkdown}

func TestTextForms(t *testing.T) {
	r := sample(t)
	for name, write := range textForms {
		var got bytes.Buffer
		if err := write(&got, r); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkGolden(t, filepath.Join("testdata", name), got.Bytes())
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

func TestTextFormsReturnErrors(t *testing.T) {
	r := sample(t)
	for name, write := range textForms {
		for _, room := range []int{0, 100, 500} {
			if err := write(&fullDisk{left: room}, r); !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d bytes: %v", name, room, err)
			}
		}
	}
}

func TestTextFormsWithoutRows(t *testing.T) {
	r := &bench.Result{Rows: []bench.Row{}, Warnings: []string{}, Interrupted: true}
	for name, write := range textForms {
		if err := write(io.Discard, r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
