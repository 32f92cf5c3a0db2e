package manifest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// golden is a directory as the first version of the format left it: history in a manifest with the number 7.
const golden = "testdata/golden"

func TestWriterReproducesTheGoldenFiles(t *testing.T) {
	disk := newDisk(t)
	s, err := Create(disk, dir, 7)
	if err != nil {
		t.Fatal(err)
	}
	mustStore(t, s, history()...)
	names, err := disk.List(dir)
	if err != nil || len(names) != 2 {
		t.Fatalf("files %v, error %v", names, err)
	}
	for _, base := range names {
		want, err := os.ReadFile(filepath.Join(golden, base))
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, disk, base); !bytes.Equal(got, want) {
			t.Errorf("%s has other bytes than the golden file:\n%x\nwant\n%x", base, got, want)
		}
	}
}

func TestGoldenFilesAreRead(t *testing.T) {
	disk := newDisk(t)
	for _, base := range []string{CurrentName, "MANIFEST-000007"} {
		b, err := os.ReadFile(filepath.Join(golden, base))
		if err != nil {
			t.Fatal(err)
		}
		put(t, disk, base, b)
	}
	s := mustLoad(t, disk)
	if want := (State{EditNumber: 6, NextFile: 9, LastSeq: 40, OldestLog: 5}); s.State() != want {
		t.Errorf("state %+v, want %+v", s.State(), want)
	}
	if got := s.Version().String(); got != "L6: 000008[\"\"..k] 000003[m..z]\n" {
		t.Errorf("version\n%s", got)
	}
	want := table(8, "", "k", 1, 29)
	if got := s.Version().Levels[6][0]; !got.Equal(want) {
		t.Errorf("table %+v, want %+v", got, want)
	}
}

// TestDocumentedPointer holds the example in the package's comment to what is written.
func TestDocumentedPointer(t *testing.T) {
	if got := formatCurrent(1); got != "MANIFEST-000001 crc32c=7ed3298a\n" {
		t.Errorf("CURRENT is %q", got)
	}
}
