package db

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

const fewFilesVariable = "SIFTDB_FEW_FILES_TEST_DIR"

// TestFewFiles loads, reads and compacts many more tables than the process may open files, in a process of its own
// whose limit is 64: the store keeps below the limit by itself (IOE-04).
func TestFewFiles(t *testing.T) {
	if dir := os.Getenv(fewFilesVariable); dir != "" {
		withFewFiles(t, dir)
		return
	}
	self, err := os.Executable()
	check(t, err)
	words := []string{"-test.run", "^TestFewFiles$", "-test.v"}
	if testing.Short() {
		words = append(words, "-test.short")
	}
	child := exec.Command(self, words...)
	child.Env = append(os.Environ(), fewFilesVariable+"="+filepath.Join(t.TempDir(), "store"))
	var out []byte
	within(t, "a process with few files", func() { out, err = child.CombinedOutput() })
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func withFewFiles(t *testing.T, dir string) {
	const limit = 64
	check(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: limit}))
	tables := 150
	if testing.Short() {
		tables = 80
	}
	store, err := Open(dir, &Options{NoSync: true, NoCompaction: true})
	check(t, err)
	key := func(table, i int) string { return fmt.Sprintf("%02d.%04d", i, table) }
	for table := range tables {
		for i := range 5 {
			put(t, store, key(table, i))
		}
		flush(t, store)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 * tables {
		k := key(rng.IntN(tables), rng.IntN(5))
		wantValue(t, store, k, k)
		wantMiss(t, store, k+"x")
	}
	if m := store.Metrics(); m.OpenTables == 0 || m.OpenTables > limit/2 {
		t.Errorf("%d tables are open, the process may open %d files", m.OpenTables, limit)
	}
	check(t, store.Compact(context.Background(), Range{}))
	if n := len(keysOf(t, store, Range{})); n != 5*tables {
		t.Errorf("%d keys", n)
	}
	check(t, lastOf(store.Verify(context.Background())))
	m := store.Metrics()
	if m.BackgroundErrors != 0 {
		t.Errorf("%d errors", m.BackgroundErrors)
	}
	check(t, store.Close())
}
