package fsys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// systems are the file systems that the store may run on, each with a directory to work in.
func systems(t *testing.T) map[string]struct {
	FS
	dir string
} {
	type at = struct {
		FS
		dir string
	}
	return map[string]at{
		"os":    {OS, t.TempDir()},
		"mem":   {NewMem(), "/"},
		"fault": {NewFault(OS), t.TempDir()},
	}
}

// Every file system does the same.
func TestSystems(t *testing.T) {
	for what, disk := range systems(t) {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(disk.dir, "a", "b")
			must(t, disk.MkdirAll(dir))
			must(t, disk.MkdirAll(dir))
			f := create(t, disk, filepath.Join(dir, "f"))
			write(t, f, "hello", 3)
			write(t, f, "abc", 0)
			must(t, f.Sync())
			if info, err := f.Stat(); err != nil || info.Size() != 8 || info.Name() != "f" || info.IsDir() {
				t.Errorf("file is %v, %v", info, err)
			}
			p := make([]byte, 5)
			if n, err := f.ReadAt(p, 1); n != 5 || err != nil || string(p) != "bchel" {
				t.Errorf("read %q, %v", p[:n], err)
			}
			must(t, f.Close())
			if got := content(t, disk, filepath.Join(dir, "f")); got != "abchello" {
				t.Errorf("got %q", got)
			}

			must(t, create(t, disk, filepath.Join(dir, "g")).Close())
			if got := names(t, disk, dir); !slices.Equal(got, []string{"f", "g"}) {
				t.Errorf("names %q", got)
			}
			must(t, disk.Rename(filepath.Join(dir, "f"), filepath.Join(dir, "g")))
			if got := content(t, disk, filepath.Join(dir, "g")); got != "abchello" {
				t.Errorf("got %q", got)
			}
			must(t, create(t, disk, filepath.Join(dir, "g")).Close())
			if got := content(t, disk, filepath.Join(dir, "g")); got != "" {
				t.Errorf("after creation anew: %q", got)
			}
			must(t, disk.SyncDir(dir))
			must(t, disk.Remove(filepath.Join(dir, "g")))

			if info, err := disk.Stat(dir); err != nil || !info.IsDir() || info.Name() != "b" {
				t.Errorf("directory is %v, %v", info, err)
			}
			for op, err := range map[string]error{
				"open":   second(disk.Open(filepath.Join(dir, "no"))),
				"create": second(disk.Create(filepath.Join(dir, "no", "f"))),
				"stat":   second(disk.Stat(filepath.Join(dir, "no"))),
				"list":   second(disk.List(filepath.Join(dir, "no"))),
				"remove": disk.Remove(filepath.Join(dir, "no")),
				"rename": disk.Rename(filepath.Join(dir, "no"), filepath.Join(dir, "nor")),
				"sync":   disk.SyncDir(filepath.Join(dir, "no")),
			} {
				if !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s of what is not there: %v", op, err)
				}
			}
			must(t, create(t, disk, filepath.Join(dir, "file")).Close())
			if err := disk.MkdirAll(filepath.Join(dir, "file", "d")); err == nil {
				t.Error("a directory was made in a file")
			}
			if err := disk.MkdirAll(filepath.Join(dir, "file")); err == nil {
				t.Error("a directory was made over a file")
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

func TestMkdirAllRelative(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"x", "y/z", "./v/../w", "."} {
		must(t, OS.MkdirAll(dir))
		if info, err := os.Stat(filepath.Clean(dir)); err != nil || !info.IsDir() {
			t.Errorf("%s: %v, %v", dir, info, err)
		}
	}
}

// A store whose parent directory may not be written or read can be opened all the same.
func TestMkdirAllBelowClosedParent(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind this user")
	}
	parent := t.TempDir()
	must(t, OS.MkdirAll(filepath.Join(parent, "store")))
	must(t, os.Chmod(parent, 0o111))
	defer os.Chmod(parent, 0o755)
	must(t, OS.MkdirAll(filepath.Join(parent, "store")))
	if err := OS.MkdirAll(filepath.Join(parent, "other")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

// TestPLT03PassingErrors: an error that passes is waited out, another is not.
func TestPLT03PassingErrors(t *testing.T) {
	held, fatal := errors.New("held"), errors.New("fatal")
	passing := func(err error) bool { return err == held }
	for _, c := range []struct {
		errs  []error
		want  error
		calls int
	}{
		{nil, nil, 1},
		{[]error{held, held, held}, nil, 4},
		{[]error{fatal}, fatal, 1},
		{[]error{held, fatal}, fatal, 2},
		{slices.Repeat([]error{held}, 100), held, len(retryPauses) + 1},
	} {
		calls := 0
		err := retry(func() error {
			calls++
			if calls <= len(c.errs) {
				return c.errs[calls-1]
			}
			return nil
		}, passing)
		if err != c.want || calls != c.calls {
			t.Errorf("after %d calls: %v; want %v after %d", calls, err, c.want, c.calls)
		}
	}
}
