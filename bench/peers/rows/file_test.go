package rows

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func fileWith(t *testing.T, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestFile: what is written is read again.
func TestFile(t *testing.T) {
	want := File{Header: Header{Kind: Growth, Kernel: "k", Keys: 3, Stores: []Store{{Name: "a", Version: "v1"}, {Name: "b", Apart: true}}}}
	want.Header.CommandLine = []string{"peers", "growth"}
	want.Rows = []Row{{Store: "a", Phase: "p", Repetition: 1, Threads: 2, Axis: "x", At: 7, Ops: 5, Seconds: 0.25, P99: 9, Peak: 1 << 40}, {Store: "b"}}
	var b bytes.Buffer
	if err := WriteHeader(&b, want.Header); err != nil {
		t.Fatal(err)
	}
	for _, r := range want.Rows {
		if err := WriteRow(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(fileWith(t, b.Bytes()))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v\nnot\n%+v", got, err, want)
	}
}

// TestFileRefused: what is no file of rows, or ends in the midst of one, is an error.
func TestFileRefused(t *testing.T) {
	for _, content := range []string{"", `{"store":"a"}`, `{"header":{}}` + "\n" + `{"store":"a"`, `{"header":{}}` + "\n" + `{"ops":"many"}`} {
		if f, err := Read(fileWith(t, []byte(content))); err == nil {
			t.Errorf("%q is read as %+v", content, f)
		}
	}
	if _, err := Read(fileWith(t, []byte("# a page"))); err == nil || !strings.Contains(err.Error(), "is no file of rows") {
		t.Errorf("a page: %v", err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
}

// TestCommand: words with spaces are quoted, so that the command can be pasted.
func TestCommand(t *testing.T) {
	var h Header
	h.CommandLine = []string{"peers", "growth", "-axes", "value size,keys"}
	if got := h.Command(); got != `peers growth -axes "value size,keys"` {
		t.Errorf("%s", got)
	}
}
