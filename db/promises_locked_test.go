package db

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// holdDirVariable names, in the environment, the store that a child process of the tests is to hold open.
const holdDirVariable = "SIFTDB_HOLD_TEST_DIR"

// holdStore is what the child process does: it opens the store, says so, and waits to be killed.
func holdStore(dir string) error {
	store, err := Open(dir, nil)
	if err != nil {
		return err
	}
	if err := store.Put([]byte("held"), []byte("held")); err != nil {
		return err
	}
	fmt.Println("open")
	os.Stdin.Read(make([]byte, 1))
	return nil
}

// promiseLocked: ErrLocked names the directory and, where known, the process (PLT-01, PLT-02, CON-06).
func promiseLocked(t *testing.T) {
	t.Run("this process", lockedByThisProcess)
	t.Run("another process", lockedByAnother)
}

func lockedByThisProcess(t *testing.T) {
	parent := t.TempDir()
	t.Chdir(parent)
	dir := filepath.Join(parent, "store")
	spellings := []string{dir, dir + "/", "store", "./store", "store/", filepath.Join("store", "..", "store")}
	if runtime.GOOS != "windows" {
		check(t, os.Symlink(dir, filepath.Join(parent, "link")))
		spellings = append(spellings, "link", filepath.Join(parent, "link"))
	}
	for _, first := range spellings {
		store, err := Open(first, nil)
		if err != nil {
			t.Fatalf("%s: %v", first, err)
		}
		for _, second := range spellings {
			for _, readOnly := range []bool{false, true} {
				_, err := Open(second, &Options{ReadOnly: readOnly})
				locked, ok := errors.AsType[*LockedError](err)
				if !ok || !errors.Is(err, ErrLocked) || locked.Dir != second || locked.PID != os.Getpid() {
					t.Errorf("%s beside %s: %v", second, first, err)
				}
			}
		}
		put(t, store, "a")
		check(t, store.Close())
	}
}

func lockedByAnother(t *testing.T) {
	self, err := os.Executable()
	check(t, err)
	dir := filepath.Join(t.TempDir(), "store")
	holder := exec.Command(self, "-test.run", "^$")
	holder.Env = append(os.Environ(), holdDirVariable+"="+dir)
	in, err := holder.StdinPipe()
	check(t, err)
	defer in.Close()
	out, err := holder.StdoutPipe()
	check(t, err)
	check(t, holder.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("the holder says %q, %v", line, err)
	}
	within(t, "Open of a locked store", func() {
		_, err = Open(dir, nil)
	})
	locked, ok := errors.AsType[*LockedError](err)
	if !ok || locked.Dir != dir || locked.PID != holder.Process.Pid {
		t.Errorf("%v, want process %d", err, holder.Process.Pid)
	}
	if text := fmt.Sprint(err); !strings.Contains(text, dir) || !strings.Contains(text, fmt.Sprint(holder.Process.Pid)) {
		t.Errorf("%q does not name directory and process", text)
	}
	check(t, holder.Process.Kill())
	holder.Wait()
	store, err := Open(dir, nil)
	check(t, err)
	wantValue(t, store, "held", "held")
	check(t, store.Close())
}
