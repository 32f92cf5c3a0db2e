package fsys

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// holdLock names, in the environment, the lock file that a child process of the tests is to hold.
const holdLock = "FSYS_TEST_HOLD_LOCK"

func TestMain(m *testing.M) {
	if name := os.Getenv(holdLock); name != "" {
		if _, err := OS.Lock(name, LockExclusive); err != nil {
			panic(err)
		}
		os.Stdout.WriteString("held\n")
		os.Stdin.Read(make([]byte, 1)) // until the parent is done
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hold starts a process that holds a lock; kill ends it the hard way.
func hold(t *testing.T, name string) (pid int, kill func()) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holdLock+"="+name)
	in, err := child.StdinPipe()
	must(t, err)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the child said %q, %v", line, err)
	}
	return child.Process.Pid, func() {
		_ = child.Process.Kill()
		_ = child.Wait()
		_ = in.Close()
	}
}

// TestPLT01KilledProcess: another process's lock is an error that names it, and ends with it.
func TestPLT01KilledProcess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "LOCK")
	pid, kill := hold(t, name)
	for _, mode := range []LockMode{LockExclusive, LockShared} {
		_, err := OS.Lock(name, mode)
		var locked *LockError
		if !errors.As(err, &locked) || locked.PID != pid || locked.Name != name || !errors.Is(err, ErrLocked) {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
	kill()
	l, err := OS.Lock(name, LockExclusive)
	must(t, err)
	must(t, l.Close())
}

// Two locks in one process conflict, under whatever name.
func TestPLT01SameProcess(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	name := filepath.Join(dir, "LOCK")
	l, err := OS.Lock(name, LockExclusive)
	must(t, err)
	spellings := []string{name, "LOCK", "./LOCK", filepath.Join("..", filepath.Base(dir), "LOCK")}
	if runtime.GOOS != "windows" {
		must(t, os.Symlink(dir, filepath.Join(dir, "link")))
		must(t, os.Link(name, filepath.Join(dir, "hard")))
		spellings = append(spellings, "link/LOCK", "hard")
	}
	for _, other := range spellings {
		_, err := OS.Lock(other, LockExclusive)
		var locked *LockError
		if !errors.As(err, &locked) || locked.PID != os.Getpid() || !strings.Contains(err.Error(), "this process") {
			t.Errorf("%s: %v", other, err)
		}
	}
	must(t, l.Close())
	l, err = OS.Lock("LOCK", LockExclusive)
	must(t, err)
	must(t, l.Close())
}

func TestSharedLock(t *testing.T) {
	for what, disk := range systems(t) {
		name := filepath.Join(disk.dir, "LOCK")
		first, err := disk.Lock(name, LockExclusive)
		must(t, err)
		if _, err := disk.Lock(name, LockShared); !errors.Is(err, ErrLocked) {
			t.Errorf("%s: shared beside exclusive: %v", what, err)
		}
		must(t, first.Close())
		first, err = disk.Lock(name, LockShared)
		must(t, err)
		second, err := disk.Lock(name, LockShared)
		must(t, err)
		var locked *LockError
		if _, err := disk.Lock(name, LockExclusive); !errors.As(err, &locked) || locked.PID != 0 {
			t.Errorf("%s: exclusive beside shared: %v", what, err)
		}
		must(t, first.Close())
		if _, err := disk.Lock(name, LockExclusive); !errors.Is(err, ErrLocked) {
			t.Errorf("%s: exclusive beside one sharer: %v", what, err)
		}
		must(t, second.Close())
		first, err = disk.Lock(name, LockExclusive)
		must(t, err)
		must(t, first.Close())
	}
}

// A sharer changes nothing in the lock file.
func TestSharedLockWritesNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "LOCK")
	must(t, os.WriteFile(name, []byte("as it was"), 0o444))
	l, err := OS.Lock(name, LockShared)
	must(t, err)
	must(t, l.Close())
	if got, err := os.ReadFile(name); err != nil || string(got) != "as it was" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Where no lock file can be made, a sharer goes without; where there is no directory, there is nothing to lock.
func TestSharedLockWhereNoneCanBeMade(t *testing.T) {
	if _, err := OS.Lock(filepath.Join(t.TempDir(), "no", "LOCK"), LockShared); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a directory: %v", err)
	}
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind this user")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o555))
	defer os.Chmod(dir, 0o755)
	name := filepath.Join(dir, "LOCK")
	l, err := OS.Lock(name, LockShared)
	must(t, err)
	must(t, l.Close())
	if _, err := OS.Lock(name, LockExclusive); !errors.Is(err, os.ErrPermission) {
		t.Errorf("exclusively: %v", err)
	}
}

func TestLockErrorText(t *testing.T) {
	for text, e := range map[string]*LockError{
		"siftdb: d/LOCK is locked by another user of the store":                      {Name: "d/LOCK"},
		"siftdb: d/LOCK is locked by process 1":                                      {Name: "d/LOCK", PID: 1},
		"siftdb: d/LOCK is locked by this process, which has the store open already": {Name: "d/LOCK", PID: os.Getpid()},
	} {
		if e.Error() != text {
			t.Errorf("got %q", e.Error())
		}
	}
}
