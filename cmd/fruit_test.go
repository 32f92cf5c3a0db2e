package cmd

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/bloom"
	"siftdb/db"
)

// run runs siftdb with words, in which DIR stands for dir, and gives what it wrote and its exit code.
func run(t *testing.T, dir, line string) (stdout, stderr string, code int) {
	t.Helper()
	return runWith(t, "", dir, strings.Fields(line)...)
}

// runWith is run with something to read and words that may hold blanks.
func runWith(t *testing.T, stdin, dir string, words ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Setenv(dirVariable, "")
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "DIR", dir)
	}
	var out, errs bytes.Buffer
	root := New()
	root.SetArgs(words)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.ExecuteContext(context.Background())
	if err != nil {
		fmt.Fprintln(&errs, ErrorLine(err))
	}
	return out.String(), errs.String(), ExitCode(err)
}

// mustRun is run that must end well and say nothing beside its data.
func mustRun(t *testing.T, dir, line string) string {
	t.Helper()
	stdout, stderr, code := run(t, dir, line)
	if code != ExitOK || stderr != "" {
		t.Fatalf("siftdb %s: exit code %d, %s", line, code, stderr)
	}
	return stdout
}

// fruit makes a store of a few keys: two tables in level 0, and one put and one delete in the log.
func fruit(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "fruit")
	makeStore(t, dir, &db.Options{NoCompaction: true}, func(store *db.DB) {
		put(t, store, "apple", "red", "banana", "yellow", "cherry", "dark red", "fig", "green")
		flush(t, store)
		put(t, store, "banana", "brown", "date", "brown", "grape", "blue")
		flush(t, store)
		put(t, store, "kiwi", "green")
		if err := store.Delete([]byte("date")); err != nil {
			t.Fatal(err)
		}
	})
	return dir
}

// orchard makes a store of n keys, key00000000 and on, with two tables in the last level and one above, which holds
// every tenth key again.
func orchard(t *testing.T, n int, bits float64) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "orchard")
	o := &db.Options{NoCompaction: true, NoSync: true, TableSize: int64(n) * 60, Compression: db.NoCompression,
		Filter: bloom.BitsPerKey(bits)}
	makeStore(t, dir, o, func(store *db.DB) {
		putMany(t, store, n, 1)
		if err := store.Compact(t.Context(), db.Range{}); err != nil {
			t.Fatal(err)
		}
		putMany(t, store, n, 10)
		flush(t, store)
	})
	return dir
}

// putMany puts every step-th of n keys with a value of 90 bytes.
func putMany(t *testing.T, store *db.DB, n, step int) {
	t.Helper()
	var batch db.Batch
	for i := 0; i < n; i += step {
		batch.Put(fmt.Appendf(nil, "key%08d", i), bytes.Repeat([]byte{'v'}, 90))
	}
	if err := store.Apply(&batch); err != nil {
		t.Fatal(err)
	}
}

func makeStore(t *testing.T, dir string, o *db.Options, fill func(store *db.DB)) {
	t.Helper()
	store, err := db.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	fill(store)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, store *db.DB, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if err := store.Put([]byte(pairs[i]), []byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
}

func flush(t *testing.T, store *db.DB) {
	t.Helper()
	if err := store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}
