package db

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

// faulty are the tables that Verify complains of, with the complaints.
func faulty(t *testing.T, store *DB) map[string]*CorruptionError {
	t.Helper()
	found := make(map[string]*CorruptionError)
	for info, err := range store.Verify(context.Background()) {
		if err == nil {
			continue
		}
		damage, ok := errors.AsType[*CorruptionError](err)
		if !ok || filepath.Base(damage.File) != info.File {
			t.Errorf("%s: %v", info.File, err)
		}
		found[info.File] = damage
	}
	return found
}

// TestVerifyReadsAnew: damage to a table that the store has read before, and of which it has the index in memory, is
// noticed in the one table that has it, wherever it is.
func TestVerifyReadsAnew(t *testing.T) {
	whole, _ := grown(t, false)
	store := openStore(t, whole, readOnly)
	content(t, store)
	if found := faulty(t, store); len(found) > 0 {
		t.Fatalf("a sound store: %v", found)
	}
	for _, file := range files(t, whole, "store", withSuffix(".sst")) {
		name := filepath.Join("store", file)
		good := readFile(t, whole, name)
		filter := int(filterSpan(t, whole, file).offset)
		for what, harm := range map[string]func(b []byte) []byte{
			"data": flipAt(5), "filter": flipAt(filter + 20), "footer": flipAt(-20), "magic": flipAt(-1),
			"properties": flipAt(-60), "index": flipAt(len(good) - indexEnd(t, whole, name)),
			"cut by a byte": func(b []byte) []byte { return b[:len(b)-1] },
			"cut to half":   func(b []byte) []byte { return b[:len(b)/2] },
			"a byte more":   func(b []byte) []byte { return append(b, 0) },
		} {
			spoil(t, whole, name, harm)
			if found := faulty(t, store); len(found) != 1 || found[file] == nil {
				t.Errorf("%s, %s: found %v", file, what, found)
			}
			writeFile(t, whole, name, good)
		}
		if found := faulty(t, store); len(found) > 0 {
			t.Fatalf("made good again: %v", found)
		}
	}
}

// TestVerifySequence: tables in the wrong order of levels, each of them sound, are noticed by what they hold.
func TestVerifySequence(t *testing.T) {
	disk, _ := grown(t, false)
	s, err := manifest.Load(disk, "store")
	check(t, err)
	for what, c := range map[string]struct {
		level  map[int]int
		faults int
	}{
		"as it was":         {map[int]int{0: 0, 3: 3, 6: 6}, 0},
		"moved down":        {map[int]int{0: 0, 3: 5, 6: 6}, 0},
		"3 and 6 exchanged": {map[int]int{0: 0, 3: 6, 6: 3}, 1},
		"6 above 3":         {map[int]int{0: 0, 3: 5, 6: 2}, 1},
	} {
		disk := disk.Clone()
		writeLevels(t, disk, s, func(level int) int { return c.level[level] })
		o := small(disk)
		readOnly(o)
		store, err := Open("store", o)
		check(t, err)
		if found := faulty(t, store); len(found) != c.faults {
			t.Errorf("%s: %v, want %d faults\n%s", what, found, c.faults, s.Version())
		}
		check(t, store.Close())
	}
}

// writeLevels puts the tables of s into other levels, by a manifest that CURRENT names.
func writeLevels(t *testing.T, disk *fsys.Mem, s *manifest.Store, level func(level int) int) {
	t.Helper()
	e := &manifest.Edit{NextFile: s.State().NextFile, LastSeq: s.State().LastSeq, OldestLog: s.State().OldestLog}
	for was, table := range s.Version().All() {
		e.Added = append(e.Added, manifest.Addition{Level: level(was), Table: table})
	}
	check(t, manifest.Write(disk, "store", 90, s.State().EditNumber, e))
	check(t, manifest.Choose(disk, "store", 90))
	check(t, disk.Remove(filepath.Join("store", manifest.Name(s.Report().Number))))
}
