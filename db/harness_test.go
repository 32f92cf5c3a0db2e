package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"siftdb/internal/fsys"
)

// small are options under which a few hundred writes make several tables and levels.
func small(fs FS) *Options {
	return &Options{FS: fs, MemTableSize: 16 << 10, TableSize: 16 << 10, BlockSize: 512, CacheSize: 64 << 10}
}

// memStore opens an empty store in memory, changed by the functions given; the test closes it, if nothing else does.
func memStore(t testing.TB, change ...func(o *Options)) *DB {
	t.Helper()
	return openStore(t, fsys.NewMem(), change...)
}

// openStore opens the store on fs.
func openStore(t testing.TB, fs FS, change ...func(o *Options)) *DB {
	t.Helper()
	o := small(fs)
	for _, c := range change {
		c(o)
	}
	store, err := Open("store", o)
	check(t, err)
	t.Cleanup(func() { store.Close() })
	return store
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// wantValue reads a key and compares; want "" with there false stands for a miss.
func wantValue(t testing.TB, from Reader, key, want string) {
	t.Helper()
	got, err := from.Get([]byte(key))
	if err != nil || string(got) != want {
		t.Errorf("%q is %q, %v; want %q", key, got, err, want)
	}
}

func wantMiss(t testing.TB, from Reader, key string) {
	t.Helper()
	if got, err := from.Get([]byte(key)); err != ErrNotFound {
		t.Errorf("%q is %q, %v; want a miss", key, got, err)
	}
}

// put writes keys with themselves as values.
func put(t testing.TB, store *DB, keys ...string) {
	t.Helper()
	for _, k := range keys {
		check(t, store.Put([]byte(k), []byte(k), NoSync))
	}
}

// fill writes n keys, key000000 on, whose values are of so many bytes and name their key and the round.
func fill(t testing.TB, store *DB, n, size int, round string) {
	t.Helper()
	for i := range n {
		k := fmt.Sprintf("key%06d", i)
		check(t, store.Put([]byte(k), filled(k, size, round), NoSync))
	}
}

func filled(key string, size int, round string) []byte {
	v := key + "." + round + "."
	return []byte(v + strings.Repeat("v", max(0, size-len(v))))
}

func flush(t testing.TB, store *DB) {
	t.Helper()
	check(t, store.Flush(context.Background()))
}

func quiet(t testing.TB, store *DB) {
	t.Helper()
	check(t, store.WaitQuiet(context.Background()))
}

// keysOf are the keys of a range as Scan gives them.
func keysOf(t testing.TB, from Reader, r Range) (keys []string) {
	t.Helper()
	for e, err := range from.Scan(r) {
		check(t, err)
		keys = append(keys, string(e.Key))
	}
	return keys
}

// content is all that a reader shows.
func content(t testing.TB, from Reader) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for e, err := range from.Scan(Range{}) {
		check(t, err)
		all[string(e.Key)] = string(e.Value)
	}
	return all
}

// patience is how long something may take that must not hang. It is far beyond what anything takes, so that no
// test depends on the speed of the machine.
const patience = time.Minute

// within runs fn and ends the test process with all stacks if it hangs.
func within(t testing.TB, what string, fn func()) {
	t.Helper()
	alarm := time.AfterFunc(patience, func() {
		pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		panic("hangs: " + what)
	})
	defer alarm.Stop()
	fn()
}

// eventually waits until ok says so.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}

// readFile is all that a file on fs holds.
func readFile(t testing.TB, fs FS, name string) []byte {
	t.Helper()
	f, err := fs.Open(name)
	check(t, err)
	defer f.Close()
	info, err := f.Stat()
	check(t, err)
	b := make([]byte, info.Size())
	if len(b) > 0 {
		_, err = f.ReadAt(b, 0)
		check(t, err)
	}
	return b
}

// writeFile replaces a file on fs.
func writeFile(t testing.TB, fs FS, name string, b []byte) {
	t.Helper()
	f, err := fs.Create(name)
	check(t, err)
	defer f.Close()
	if len(b) > 0 {
		_, err = f.WriteAt(b, 0)
		check(t, err)
	}
	check(t, f.Sync())
	check(t, fs.SyncDir(filepath.Dir(name)))
}

// files are the names in a directory that pass.
func files(t testing.TB, fs FS, dir string, pass func(name string) bool) (found []string) {
	t.Helper()
	names, err := fs.List(dir)
	check(t, err)
	for _, name := range names {
		if pass == nil || pass(name) {
			found = append(found, name)
		}
	}
	return found
}

func withSuffix(suffix string) func(string) bool {
	return func(name string) bool { return strings.HasSuffix(name, suffix) }
}
