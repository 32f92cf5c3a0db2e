package db

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"siftdb/internal/fsys"
)

// generations is a store of several compactions of which each had the outputs of the one before as inputs, and what was
// on its disk before each: with keys that were overwritten and deleted in between. Want is its content.
func generations(t *testing.T) (disk *fsys.Mem, before []*fsys.Mem, want map[string]string) {
	t.Helper()
	disk = fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.NoCompaction, o.Compression = true, NoCompression })
	for round := range 3 {
		for i := range 120 - 40*round {
			k := fmt.Appendf(nil, "key%03d", i)
			if i%3 == round {
				check(t, store.Delete(k, NoSync))
			} else {
				check(t, store.Put(k, filled(string(k), 300, fmt.Sprint(round)), NoSync))
			}
		}
		flush(t, store)
		quiet(t, store) // what the compaction before replaced is gone
		before = append(before, disk.Clone())
		check(t, store.Compact(context.Background(), Range{}))
	}
	put(t, store, "last")
	flush(t, store)
	quiet(t, store)
	want = content(t, store)
	check(t, store.Close())
	return disk, before, want
}

// TestRepairDeadTables: tables that a compaction had replaced, and that a crash left, bring nothing back: the manifest
// tells of it, or, where that cannot be read, the tables that replaced them.
func TestRepairDeadTables(t *testing.T) {
	lived, before, want := generations(t)
	inForce := tableFilesOn(t, lived)
	dead := make(map[string][]byte)
	for _, disk := range before {
		for _, file := range tableFilesOn(t, disk) {
			if !slices.Contains(inForce, file) {
				dead[file] = readFile(t, disk, filepath.Join("store", file))
			}
		}
	}
	last := slices.DeleteFunc(tableFilesOn(t, before[2]), func(file string) bool { return dead[file] == nil })
	if len(inForce) < 2 || len(last) < 3 || len(dead) < 6 {
		t.Fatalf("tables %v; the last compaction had %v, all %d", inForce, last, len(dead))
	}
	for name, harm := range map[string]func(disk *fsys.Mem){
		"CURRENT missing": func(disk *fsys.Mem) { check(t, disk.Remove("store/CURRENT")) },
		"table damaged":   func(disk *fsys.Mem) { spoil(t, disk, filepath.Join("store", inForce[0]), flipAt(-20)) },
		"last edit":       func(disk *fsys.Mem) { spoil(t, disk, manifestOf(t, disk), flipAt(-100)) },
		"half a manifest": func(disk *fsys.Mem) {
			spoil(t, disk, manifestOf(t, disk), func(b []byte) []byte { return b[:len(b)/2] })
		},
		"no manifest": func(disk *fsys.Mem) { check(t, disk.Remove(manifestOf(t, disk))) },
	} {
		for what, left := range map[string][]string{
			"one of the last": last[:1], "another of the last": last[len(last)-1:],
			"all of the last but one": last[1:], "all of the last": last,
		} {
			disk := lived.Clone()
			for _, file := range left {
				writeFile(t, disk, filepath.Join("store", file), dead[file])
			}
			harm(disk)
			what := name + ", " + what
			report := repaired(t, disk)
			if !report.Whole() {
				t.Errorf("%s: %+v", what, report)
			}
			wantSame(t, what, wantSound(t, what, disk), want)
			if t.Failed() {
				t.Fatalf("%+v", report.Tables)
			}
		}
	}
}

// TestRepairAllGenerations: without a manifest, and with every table there that ever was, or all but the last that was
// flushed before the last compaction.
func TestRepairAllGenerations(t *testing.T) {
	lived, before, want := generations(t)
	check(t, lived.Remove(manifestOf(t, lived)))
	newest := ""
	for _, disk := range before {
		for _, file := range tableFilesOn(t, disk) {
			if !slices.Contains(tableFilesOn(t, lived), file) {
				writeFile(t, lived, filepath.Join("store", file), readFile(t, disk, filepath.Join("store", file)))
				newest = file
			}
		}
	}
	for _, gone := range []string{"", newest} {
		disk := lived.Clone()
		if gone != "" {
			check(t, disk.Remove(filepath.Join("store", gone)))
		}
		report := repaired(t, disk)
		wantSame(t, "without "+gone, wantSound(t, "without "+gone, disk), want)
		if t.Failed() {
			t.Fatalf("%+v", report.Tables)
		}
	}
}

// TestRepairUnfinished: outputs of a compaction that was cut off add nothing, and take nothing away, also where no
// manifest tells that it did not end.
func TestRepairUnfinished(t *testing.T) {
	lived, before, _ := generations(t)
	outputs := slices.DeleteFunc(tableFilesOn(t, lived), func(file string) bool {
		return slices.Contains(tableFilesOn(t, before[2]), file)
	})
	store := openStore(t, before[2].Clone(), readOnly)
	want := content(t, store)
	check(t, store.Close())
	for n := range outputs {
		disk := before[2].Clone()
		for i, file := range outputs[:n] {
			b := readFile(t, lived, filepath.Join("store", file))
			if i == n-1 {
				b = b[:len(b)*2/3]
			}
			writeFile(t, disk, filepath.Join("store", file), b)
		}
		check(t, disk.Remove(manifestOf(t, disk)))
		report := repaired(t, disk)
		what := fmt.Sprintf("%d outputs", n)
		wantSame(t, what, wantSound(t, what, disk), want)
		if t.Failed() {
			t.Fatalf("%+v", report.Tables)
		}
	}
}
