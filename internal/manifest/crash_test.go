package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// life is a store that is made, gets edits, is closed and loaded, and outgrows its manifest.
type life struct {
	fs    fsys.FS
	store *Store
}

// steps are the life in order.
func (l *life) steps() []func() error {
	apply := func(e *Edit) func() error {
		return func() error { _, err := l.store.Apply(e); return err }
	}
	create := func() (err error) { l.store, err = Create(l.fs, dir, 1); return err }
	reload := func() error {
		if err := l.store.Close(); err != nil {
			return err
		}
		loaded, err := Load(l.fs, dir)
		if err == nil {
			l.store = loaded
		}
		return err
	}
	steps := []func() error{create}
	for _, e := range history() {
		steps = append(steps, apply(e))
	}
	outgrow := func() error {
		if l.store.file != nil {
			l.store.file.limit = 0
		}
		return nil
	}
	return append(steps, reload, apply(add(3, table(100, "a", "b", 1, 9))), outgrow, apply(&Edit{NextFile: 500}),
		apply(&Edit{Removed: []Removal{{3, 100}}}), reload, apply(&Edit{OldestLog: 450}))
}

// rehearse lives the life on a disk without trouble and returns the contents after each edit.
func rehearse(t *testing.T) []string {
	t.Helper()
	l := &life{fs: newDisk(t)}
	var contents []string
	rotations := map[uint64]bool{}
	for _, step := range l.steps() {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		if int(l.store.State().EditNumber) == len(contents) {
			contents = append(contents, content(l.store))
		}
		if l.store.file != nil {
			rotations[l.store.file.number] = true
		}
	}
	if len(rotations) != 4 {
		t.Fatalf("manifests %v, want the first, one after each loading, and one for growth", rotations)
	}
	return contents
}

// TestPowerCutBeforeEveryOperation is SYN-01 and SYN-03: whatever operation the power cut comes before, and whatever
// of the unsynced the disk keeps, the store loads with every acknowledged edit and at most the one in work.
func TestPowerCutBeforeEveryOperation(t *testing.T) {
	contents := rehearse(t)
	rng := seeded(t)
	disk := newDisk(t)
	fault := fsys.NewFault(disk)
	l := &life{fs: fault}
	acknowledged, operations := -1, 0
	look := func(op fsys.Op, name string) error {
		operations++
		for try := range 6 {
			var dice *rand.Rand
			if try > 0 {
				dice = rng
			}
			what := fmt.Sprintf("power cut %d before %v of %s", try, op, name)
			survives(t, what, disk.CrashClone(dice), contents, acknowledged, acknowledged+1)
		}
		survives(t, fmt.Sprintf("killed before %v of %s", op, name), disk.Clone(), contents, acknowledged, acknowledged+1)
		return nil
	}
	fault.SetHook(look)
	for _, step := range l.steps() {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		acknowledged = int(l.store.State().EditNumber)
	}
	look(fsys.OpClose, "the end")
	if operations < 80 {
		t.Errorf("only %d operations", operations)
	}
}

// survives loads what is left and goes on with it. The edit number must lie between least and most; -1 is no store.
func survives(t *testing.T, what string, disk *fsys.Mem, contents []string, least, most int) {
	t.Helper()
	s, err := Load(disk, dir)
	if errors.Is(err, ErrNoStore) && least < 0 {
		if s, err = Create(disk, dir, 1); err != nil {
			t.Fatalf("%s: a new store in what is left: %v", what, err)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	number := int(s.State().EditNumber)
	if number < least || number > most {
		t.Fatalf("%s: edit %d, want %d to %d", what, number, least, most)
	}
	if content(s) != contents[number] {
		t.Fatalf("%s: not the content after edit %d", what, number)
	}
	if _, err := s.Apply(&Edit{NextFile: 10_000}); err != nil {
		t.Fatalf("%s: an edit in what is left: %v", what, err)
	}
	if again, err := Load(disk, dir); err != nil || content(again) != content(s) {
		t.Fatalf("%s: loaded again: %v", what, err)
	}
}

// TestFailureOfEveryOperation fails the n-th operation, for every n: once, and from then on for a while. What is
// refused is not in force; what was acknowledged survives a power cut at any time; the store comes back by itself.
func TestFailureOfEveryOperation(t *testing.T) {
	contents := rehearse(t)
	for _, cause := range []error{syscall.EIO, syscall.ENOSPC} {
		for lasting := range 2 {
			for n := int64(1); failAt(t, contents, n, cause, lasting == 1); n++ {
				if t.Failed() {
					t.Fatalf("operation %d fails with %v, lasting %d", n, cause, lasting)
				}
			}
		}
	}
}

// failAt lives the life with a failure of the n-th operation and reports whether there was one.
func failAt(t *testing.T, contents []string, n int64, cause error, lasting bool) bool {
	t.Helper()
	disk := newDisk(t)
	fault := fsys.NewFault(disk)
	failed, recovered := false, false
	spoilt := map[string]bool{} // files of which a write or a sync has failed
	count := int64(0)
	fault.SetHook(func(op fsys.Op, name string) error {
		if spoilt[name] && (op == fsys.OpWriteAt || op == fsys.OpSync) {
			t.Errorf("%v of %s after one had failed", op, name)
		}
		if op == fsys.OpCreate {
			delete(spoilt, name)
		}
		if count++; count < n || recovered || failed && !lasting {
			return nil
		}
		failed = true
		if op == fsys.OpWriteAt || op == fsys.OpSync {
			spoilt[name] = true
		}
		if op == fsys.OpSync {
			disk.ForgetUnsynced(name) // as systems do after a failed sync
		}
		return &fs.PathError{Op: op.String(), Path: name, Err: cause}
	})
	l := &life{fs: fault}
	acknowledged := -1
	for i, step := range l.steps() {
		err := step()
		if err != nil {
			if !errors.Is(err, cause) {
				t.Errorf("step %d: %v, want %v in it", i, err, cause)
			}
			refused(t, l, disk, contents, acknowledged, err)
			recovered = true
			if i == 0 && errors.Is(err, ErrUndetermined) { // made, but perhaps not for good
				disk.Remove(dir + "/" + CurrentName)
			}
			if err := step(); err != nil {
				t.Errorf("step %d, tried again: %v", i, err)
				return false
			}
		}
		acknowledged = int(l.store.State().EditNumber)
		if err != nil {
			survives(t, "after trying again", disk.CrashClone(nil), contents, acknowledged, acknowledged)
		}
	}
	if last := len(contents) - 1; acknowledged != last || content(l.store) != contents[last] {
		t.Errorf("edit %d in the end, want %d", acknowledged, last)
	}
	survives(t, "in the end", disk.CrashClone(nil), contents, acknowledged, acknowledged)
	return failed
}

// refused checks a store after an edit that failed: nothing changed in memory, and on disk the edit may only stand
// where the error says so.
func refused(t *testing.T, l *life, disk *fsys.Mem, contents []string, acknowledged int, err error) {
	t.Helper()
	if acknowledged >= 0 && content(l.store) != contents[acknowledged] {
		t.Errorf("a failed step has changed the store: %v", err)
	}
	most := acknowledged
	if errors.Is(err, ErrUndetermined) || acknowledged < 0 {
		most++
	}
	survives(t, "after a failure, "+err.Error(), disk.CrashClone(nil), contents, acknowledged, most)
	survives(t, "killed after a failure, "+err.Error(), disk.Clone(), contents, acknowledged, most)
}

// TestShortWrites cuts every write to its first byte, its first half and all but its last byte.
func TestShortWrites(t *testing.T) {
	contents := rehearse(t)
	for _, part := range []func(n int) int{
		func(int) int { return 1 },
		func(n int) int { return n / 2 },
		func(n int) int { return n - 1 },
	} {
		for n := 1; ; n++ {
			disk := newDisk(t)
			fault := fsys.NewFault(disk)
			count := 0
			fault.SetHook(func(op fsys.Op, _ string) error {
				if op != fsys.OpWriteAt {
					return nil
				}
				if count++; count == n {
					return &fsys.ShortWrite{N: part(55), Err: syscall.ENOSPC}
				}
				return nil
			})
			l := &life{fs: fault}
			for i, step := range l.steps() {
				if err := step(); err != nil {
					if err := step(); err != nil {
						t.Fatalf("write %d cut short, step %d tried again: %v", n, i, err)
					}
				}
			}
			if last := len(contents) - 1; content(l.store) != contents[last] {
				t.Fatalf("write %d cut short: not the content after edit %d", n, last)
			}
			survives(t, fmt.Sprintf("write %d cut short", n), disk.CrashClone(nil), contents, len(contents)-1, len(contents)-1)
			if count < n {
				break
			}
		}
	}
}
