package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestProfile: all four files are there when the profile ends, packed as pprof reads them, and only one is made at a time.
func TestProfile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for range 2 {
		stop, err := Profile(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Profile(t.TempDir()); err == nil {
			t.Error("two profiles are made at a time")
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cpu", "allocs", "block", "mutex"} {
		content, err := os.ReadFile(filepath.Join(dir, name+".pprof"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) { // gzip
			t.Errorf("%s.pprof begins with % x", name, content[:min(4, len(content))])
		}
	}
}
