package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

// grown is a store as a clean Close, or a kill, leaves it: tables in levels 0, 3 and 6, keys that were overwritten and
// deleted between them, and writes in the log. Want is its content.
func grown(t testing.TB, killed bool) (disk *fsys.Mem, want map[string]string) {
	t.Helper()
	disk = fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.NoCompaction = true })
	rng := rand.New(rand.NewPCG(7, 7))
	for round := range 5 {
		for range 250 {
			k := fmt.Appendf(nil, "key%03d", rng.IntN(300))
			if rng.IntN(5) == 0 {
				check(t, store.Delete(k, NoSync))
			} else {
				check(t, store.Put(k, filled(string(k), 100, fmt.Sprint(round)), NoSync))
			}
		}
		if round < 4 {
			flush(t, store)
		}
		if round == 1 {
			check(t, store.Compact(context.Background(), Range{}))
		}
		quiet(t, store)
	}
	check(t, store.Sync())
	want = content(t, store)
	left := disk.Clone()
	check(t, store.Close())
	if !killed {
		left = disk
	}
	s, err := manifest.Load(left, "store")
	check(t, err)
	young := s.Version().Levels[0]
	oldest := young[len(young)-1]
	_, err = s.Apply(&manifest.Edit{
		Removed: []manifest.Removal{{Level: 0, Number: oldest.Number}},
		Added:   []manifest.Addition{{Level: 3, Table: oldest}},
	})
	check(t, err)
	v := s.Version()
	if len(v.Levels[0]) == 0 || len(v.Levels[6]) == 0 {
		t.Fatalf("the store is not grown:\n%s", v)
	}
	check(t, s.Close())
	return left, want
}

func repaired(t testing.TB, disk FS) RepairReport {
	t.Helper()
	report, err := Repair(context.Background(), "store", small(disk))
	check(t, err)
	return report
}

// wantSound opens the store on disk, reads all of it and checks it. A second repair must find nothing to do.
func wantSound(t *testing.T, what string, disk FS) map[string]string {
	t.Helper()
	before := sums(t, disk, "store")
	if again := repaired(t, disk); !again.Sound() || len(again.SetAside) > 0 {
		t.Errorf("%s: not sound after a repair: %v", what, again.Problem)
	}
	if after := sums(t, disk, "store"); after != before {
		t.Errorf("%s: a second repair changed files from\n%sto\n%s", what, before, after)
	}
	store := openStore(t, disk)
	defer store.Close()
	for info, err := range store.Verify(context.Background()) {
		if err != nil {
			t.Errorf("%s: after the repair %s: %v", what, info.File, err)
		}
	}
	found := content(t, store)
	check(t, store.Put([]byte("new"), []byte("life")))
	wantValue(t, store, "new", "life")
	return found
}

func wantSame(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s: %s is %.30q, want %.30q", what, k, got[k], v)
		}
	}
	for k, v := range got {
		if _, there := want[k]; !there {
			t.Errorf("%s: %s is %.30q, it was deleted or never there", what, k, v)
		}
	}
}

// isLost says whether a report names a key among those that lost entries.
func isLost(report *RepairReport, k string) bool {
	for _, table := range report.Tables {
		for _, r := range table.Lost {
			if (r.Lower == nil || k >= string(r.Lower)) && (r.Upper == nil || k < string(r.Upper)) {
				return true
			}
		}
	}
	return false
}

// TestRepairSound leaves a sound store as it is, after a clean end, a kill, and a torn end of the log.
func TestRepairSound(t *testing.T) {
	for _, killed := range []bool{false, true} {
		disk, want := grown(t, killed)
		if killed {
			log := files(t, disk, "store", withSuffix(".wal"))
			name := filepath.Join("store", log[len(log)-1])
			writeFile(t, disk, name, append(readFile(t, disk, name), "torn"...))
		}
		before := sums(t, disk, "store")
		report := repaired(t, disk)
		if !report.Sound() || !report.Whole() || len(report.Tables)+len(report.Logs)+len(report.SetAside) > 0 {
			t.Errorf("killed %v: %+v", killed, report)
		}
		if after := sums(t, disk, "store"); after != before {
			t.Errorf("killed %v: files changed from\n%sto\n%s", killed, before, after)
		}
		wantSame(t, "sound", wantSound(t, "sound", disk), want)
	}
}

// manifestOf is the name of the manifest on a disk, with the directory.
func manifestOf(t testing.TB, disk FS) string {
	t.Helper()
	names := files(t, disk, "store", func(name string) bool { _, ok := manifest.ParseName(name); return ok })
	if len(names) != 1 {
		t.Fatalf("manifests %v", names)
	}
	return filepath.Join("store", names[0])
}

// spoil changes bytes of a file.
func spoil(t testing.TB, disk FS, name string, change func(b []byte) []byte) {
	t.Helper()
	writeFile(t, disk, name, change(readFile(t, disk, name)))
}

func flipAt(at int) func(b []byte) []byte {
	return func(b []byte) []byte {
		b[(at+len(b))%len(b)] ^= 0x20
		return b
	}
}

// TestRepairManifest: without CURRENT, without a manifest, or with damaged ones, all tables and logs are found, and the
// levels that they belong to (SYN-02).
func TestRepairManifest(t *testing.T) {
	current := "store/CURRENT"
	for name, harm := range map[string]func(disk *fsys.Mem){
		"CURRENT missing":       func(disk *fsys.Mem) { check(t, disk.Remove(current)) },
		"CURRENT empty":         func(disk *fsys.Mem) { writeFile(t, disk, current, nil) },
		"CURRENT of zeros":      func(disk *fsys.Mem) { writeFile(t, disk, current, make([]byte, 40)) },
		"CURRENT flipped":       func(disk *fsys.Mem) { spoil(t, disk, current, flipAt(9)) },
		"manifest missing":      func(disk *fsys.Mem) { check(t, disk.Remove(manifestOf(t, disk))) },
		"manifest empty":        func(disk *fsys.Mem) { writeFile(t, disk, manifestOf(t, disk), nil) },
		"manifest's header":     func(disk *fsys.Mem) { spoil(t, disk, manifestOf(t, disk), flipAt(10)) },
		"manifest's snapshot":   func(disk *fsys.Mem) { spoil(t, disk, manifestOf(t, disk), flipAt(60)) },
		"manifest's first edit": func(disk *fsys.Mem) { spoil(t, disk, manifestOf(t, disk), flipAt(150)) },
		"manifest's last bytes": func(disk *fsys.Mem) { spoil(t, disk, manifestOf(t, disk), flipAt(-30)) },
		"half the manifest": func(disk *fsys.Mem) {
			spoil(t, disk, manifestOf(t, disk), func(b []byte) []byte { return b[:len(b)/2] })
		},
		"CURRENT and the manifest": func(disk *fsys.Mem) {
			check(t, disk.Remove(manifestOf(t, disk)))
			check(t, disk.Remove(current))
		},
		"all but tables and logs": func(disk *fsys.Mem) {
			check(t, disk.Remove(manifestOf(t, disk)))
			check(t, disk.Remove(current))
			check(t, disk.Remove("store/LOCK"))
		},
	} {
		for _, killed := range []bool{false, true} {
			disk, want := grown(t, killed)
			tables := files(t, disk, "store", withSuffix(".sst"))
			harm(disk)
			what := fmt.Sprintf("%s, killed %v", name, killed)
			report := repaired(t, disk)
			if report.Sound() || !report.Whole() {
				t.Errorf("%s: sound %v, whole %v: %+v", what, report.Sound(), report.Whole(), report)
			}
			left := files(t, disk, "store", withSuffix(".sst"))
			for _, table := range tables {
				if !strings.Contains(fmt.Sprint(left), table) {
					t.Errorf("%s: the sound table %s is gone from %v: %+v", what, table, left, report.Tables)
				}
			}
			wantSame(t, what, wantSound(t, what, disk), want)
		}
	}
}

// TestRepairTable: of a table with one damaged spot everything is saved but a block, and what is lost is told.
func TestRepairTable(t *testing.T) {
	whole, want := grown(t, false)
	for _, file := range files(t, whole, "store", withSuffix(".sst")) {
		name := filepath.Join("store", file)
		size := len(readFile(t, whole, name))
		for _, c := range []struct {
			what string
			harm func(b []byte) []byte
			fate Fate
		}{
			{"first byte", flipAt(0), TableSalvaged},
			{"footer", flipAt(-20), TableRewritten},
			{"magic", flipAt(-1), TableRewritten},
			{"properties", flipAt(-60), TableRewritten},
			{"index", flipAt(size - indexEnd(t, whole, name)), TableRewritten},
			{"filter", flipAt(int(filterSpan(t, whole, file).offset) + 10), TableRewritten},
			{"nothing left", func([]byte) []byte { return nil }, TableLost},
			{"zeros", func(b []byte) []byte { return make([]byte, len(b)) }, TableLost},
			{"junk behind", func(b []byte) []byte { return append(b, make([]byte, 300)...) }, TableRewritten},
			{"cut short", func(b []byte) []byte { return b[:filterSpan(t, whole, file).offset*9/10] }, TableSalvaged},
		} {
			what := file + ", " + c.what
			disk := whole.Clone()
			spoil(t, disk, name, c.harm)
			harmed := readFile(t, disk, name)
			report := repaired(t, disk)
			fate := Fate(99)
			for _, table := range report.Tables {
				if table.File == file {
					fate = table.Fate
				} else if table.Fate != TableKept {
					t.Errorf("%s: %s was %v", what, table.File, table.Fate)
				}
			}
			if fate != c.fate || report.Whole() != (fate == TableRewritten) {
				t.Errorf("%s: %v, want %v; whole %v", what, fate, c.fate, report.Whole())
			}
			if kept := readFile(t, disk, name+".aside"); !bytes.Equal(kept, harmed) {
				t.Errorf("%s: not put aside as it was", what)
			}
			got := wantSound(t, what, disk)
			for k := range maps.Clone(want) {
				if isLost(&report, k) {
					delete(want, k)
					delete(got, k)
				}
			}
			for k := range got {
				if isLost(&report, k) {
					delete(got, k)
				}
			}
			wantSame(t, what, got, want)
			_, want = grown(t, false)
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// indexEnd is how many bytes before the end of a table its index ends.
func indexEnd(t testing.TB, disk FS, name string) int {
	t.Helper()
	b := readFile(t, disk, name)
	props := int(b[len(b)-24]) | int(b[len(b)-23])<<8
	return props + 48 + 10
}

// TestRepairMissingTable tells what is lost with a table that is gone, and keeps all else.
func TestRepairMissingTable(t *testing.T) {
	whole, want := grown(t, false)
	for _, file := range files(t, whole, "store", withSuffix(".sst")) {
		disk := whole.Clone()
		check(t, disk.Remove(filepath.Join("store", file)))
		report := repaired(t, disk)
		if report.Whole() || report.Manifest == "" {
			t.Errorf("%s gone: %+v", file, report)
		}
		got := wantSound(t, file, disk)
		for k, v := range want {
			if got[k] != v && !isLost(&report, k) {
				t.Errorf("%s gone: %s is %.20q, want %.20q", file, k, got[k], v)
			}
		}
	}
}

// TestRepairLevels: a manifest that puts tables into wrong levels is noticed, and mended by what is in the tables.
func TestRepairLevels(t *testing.T) {
	disk, want := grown(t, false)
	s, err := manifest.Load(disk, "store")
	check(t, err)
	for what, level := range map[string]func(level int) int{
		"3 and 6 exchanged": func(level int) int { return map[int]int{0: 0, 3: 6, 6: 3}[level] },
		"6 above all":       func(level int) int { return map[int]int{0: 0, 3: 3, 6: 1}[level] },
	} {
		disk := disk.Clone()
		writeLevels(t, disk, s, level)
		report := repaired(t, disk)
		if report.Sound() || !report.Whole() {
			t.Errorf("%s: not noticed, %+v\n%s", what, report, s.Version())
		}
		wantSame(t, what, wantSound(t, what, disk), want)
	}
}

// TestRepairRefuses what it cannot do, and leaves the directory as it is.
func TestRepairRefuses(t *testing.T) {
	disk, _ := grown(t, false)
	check(t, disk.Remove("store/CURRENT"))
	before := sums(t, disk, "store")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := small(disk)
	readOnly(o)
	_, err := Repair(context.Background(), "store", o)
	if fault, ok := errors.AsType[*OptionError](err); !ok || fault.Option != "ReadOnly" || !errors.Is(err, ErrReadOnly) {
		t.Errorf("read-only: %v", err)
	}
	_, err = Repair(ctx, "store", small(disk))
	wantErr(t, "cancelled", err, context.Canceled)
	lock, err := disk.Lock("store/LOCK", fsys.LockShared)
	check(t, err)
	_, err = Repair(context.Background(), "store", small(disk))
	wantErr(t, "locked", err, ErrLocked)
	check(t, lock.Close())
	if after := sums(t, disk, "store"); after != before {
		t.Errorf("files changed from\n%sto\n%s", before, after)
	}
	check(t, disk.MkdirAll("empty"))
	for _, dir := range []string{"empty", "nowhere"} {
		_, err = Repair(context.Background(), dir, small(disk))
		wantErr(t, dir, err, ErrNoStore)
		if names, err := disk.List(dir); len(names) > 0 {
			t.Errorf("%s holds %v, %v", dir, names, err)
		}
	}
}
