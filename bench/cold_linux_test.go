package bench

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDropCacheKeepsContent(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "000001.sst")
	if err := os.WriteFile(name, []byte("block"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dropCache(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "block" {
		t.Errorf("read %q, %v", got, err)
	}
	if err := dropCache(filepath.Join(dir, "nothing")); err != nil {
		t.Errorf("a directory without tables: %v", err)
	}
}
