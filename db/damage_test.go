package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/internal/fsys"
)

// history is a small store's life: its disk at the end, and its content after each write.
type history struct {
	disk   *fsys.Mem
	states []map[string]string
}

// lived makes a store with two tables, in level 0 and in the last level, and some writes in the log, each synced.
// It ends by Close, or as if it had been killed.
func lived(t *testing.T, killed bool) history {
	t.Helper()
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.NoCompaction = true })
	h := history{disk: disk, states: []map[string]string{{}}}
	write := func(from, to int) {
		for i := from; i < to; i++ {
			k, v := fmt.Sprintf("k%02d", i%20), fmt.Sprintf("v%d", i)
			check(t, store.Put([]byte(k), []byte(v)))
			h.states = append(h.states, content(t, store))
		}
	}
	write(0, 12)
	check(t, store.Compact(context.Background(), Range{}))
	write(12, 24)
	flush(t, store)
	write(24, 30)
	quiet(t, store) // the files that are no longer needed are gone
	if killed {
		h.disk = disk.Clone()
	}
	check(t, store.Close())
	if !killed {
		h.disk = disk
	}
	return h
}

func (h history) last() map[string]string { return h.states[len(h.states)-1] }

// isPrefix says whether m is the content after one of the writes.
func (h history) isPrefix(m map[string]string) bool {
	for _, s := range h.states {
		if fmt.Sprint(s) == fmt.Sprint(m) {
			return true
		}
	}
	return false
}

// sight is what a user sees of a store that may be damaged.
type sight struct {
	open, scan, verify error
	content            map[string]string // nil when it could not be read whole
	metrics            Metrics
	log                *lines
}

// look opens the store on disk, reads all of it in all ways, and closes it. Whatever is read must be right: h's
// last state, or an earlier one if the end of the log is lost, or an error that tells of damage. Damage that keeps
// the store from being opened must leave the files as they are.
func look(t *testing.T, what string, disk FS, h history) (s sight) {
	t.Helper()
	before := sums(t, disk, "store")
	s.log = new(lines)
	o := small(disk)
	o.NoCompaction = true
	logged(s.log)(o)
	store, err := Open("store", o)
	if s.open = err; err != nil {
		wantDamage(t, what, err)
		if after := sums(t, disk, "store"); after != before {
			t.Errorf("%s: Open failed and changed files from\n%sto\n%s", what, before, after)
		}
		return s
	}
	defer store.Close()
	found := make(map[string]string)
	for e, err := range store.Scan(Range{}) {
		if s.scan = err; err != nil {
			wantDamage(t, what, err)
			found = nil
			break
		}
		found[string(e.Key)] = string(e.Value)
	}
	if s.content = found; found != nil && !h.isPrefix(found) {
		t.Errorf("%s: a scan gives %v, which never was", what, found)
	}
	for i := range 25 {
		lookAt(t, what, store, h, fmt.Sprintf("k%02d", i), found)
	}
	for _, err := range store.Verify(context.Background()) {
		if err != nil {
			s.verify = err
			wantDamage(t, what, err)
		}
	}
	s.metrics = store.Metrics()
	return s
}

// lookAt reads one key in both ways, which must agree with what a scan found, or is told to be damaged.
func lookAt(t *testing.T, what string, store *DB, h history, k string, found map[string]string) {
	t.Helper()
	with, errWith := store.Get([]byte(k))
	without, errWithout := store.Get([]byte(k), IgnoreFilters)
	for _, got := range []struct {
		v   []byte
		err error
	}{{with, errWith}, {without, errWithout}} {
		if got.err != nil && got.err != ErrNotFound {
			wantDamage(t, what, got.err)
			continue
		}
		want, there := h.last()[k]
		if found != nil {
			want, there = found[k]
		}
		if (got.err == nil) != there || string(got.v) != want {
			t.Errorf("%s: %s is %q, %v, want %q", what, k, got.v, got.err, want)
		}
	}
}

func wantDamage(t *testing.T, what string, err error) {
	t.Helper()
	damage, ok := errors.AsType[*CorruptionError](err)
	if !ok || !errors.Is(err, ErrCorrupt) || filepath.Dir(damage.File) != "store" || damage.Reason == "" || damage.Offset < -1 {
		t.Errorf("%s: %v tells of no damage", what, err)
	}
}

// damages are changes to a file of n bytes: one flipped bit in each byte, or a cut at each length. With -short,
// some of them.
func damages(n int) map[string]func(b []byte) []byte {
	step := 1
	if testing.Short() {
		step = 5
	}
	all := make(map[string]func(b []byte) []byte)
	for i := 0; i < n; i += step {
		all[fmt.Sprintf("byte %d of %d flipped", i, n)] = func(b []byte) []byte {
			b[i] ^= 1 << (i % 8)
			return b
		}
		all[fmt.Sprintf("cut to %d of %d bytes", i, n)] = func(b []byte) []byte { return b[:i] }
	}
	return all
}

// eachDamage calls fn with a disk for each damage to each file that passes.
func eachDamage(t *testing.T, h history, pass func(name string) bool, fn func(what string, disk *fsys.Mem)) {
	t.Helper()
	for _, file := range files(t, h.disk, "store", pass) {
		name := filepath.Join("store", file)
		whole := readFile(t, h.disk, name)
		for what, change := range damages(len(whole)) {
			disk := h.disk.Clone()
			writeFile(t, disk, name, change(append([]byte{}, whole...)))
			fn(file+": "+what, disk)
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// TestDamagedTable: every flipped bit and every cut is noticed by Verify; reads give right answers or tell (COR-01,
// COR-02). Damage to the filter spoils no answer: it is counted and logged once (FLT-11).
func TestDamagedTable(t *testing.T) {
	h := lived(t, false)
	inFilter := 0
	eachDamage(t, h, withSuffix(".sst"), func(what string, disk *fsys.Mem) {
		s := look(t, what, disk, h)
		if s.verify == nil {
			t.Errorf("%s: not noticed by Verify", what)
		}
		if s.metrics.UnusableFilters > 0 {
			inFilter++
			if s.metrics.UnusableFilters != 1 || s.scan != nil || fmt.Sprint(s.content) != fmt.Sprint(h.last()) {
				t.Errorf("%s: %d filters are not usable, scan %v", what, s.metrics.UnusableFilters, s.scan)
			}
			s.log.want(t, 1, "filter not usable", "table", "err")
			s.log.want(t, 0, "damage found")
		} else {
			s.log.want(t, 1, "damage found", "file", "offset", "reason")
		}
	})
	if inFilter < 20 {
		t.Errorf("only %d damages met a filter", inFilter)
	}
}

// TestDamagedLog: after a clean Close, or where later records tell that the damaged one had been synced, damage is
// an error. At the end of what a killed process wrote it is a torn end: what is before it is there (WAL-01).
func TestDamagedLog(t *testing.T) {
	for _, killed := range []bool{false, true} {
		h := lived(t, killed)
		lost, refused := 0, 0
		eachDamage(t, h, withSuffix(".wal"), func(what string, disk *fsys.Mem) {
			s := look(t, what, disk, h)
			switch {
			case s.open != nil:
				refused++
			case fmt.Sprint(s.content) != fmt.Sprint(h.last()):
				lost++
				if strings.Contains(what, "flipped") && !killed {
					t.Errorf("%s: writes that a clean Close had kept are lost unnoticed", what)
				}
				if strings.Contains(what, "flipped") && fmt.Sprint(s.content) != fmt.Sprint(h.states[len(h.states)-2]) {
					t.Errorf("%s: more than the last write is lost", what)
				}
			}
			if strings.Contains(what, "flipped") && s.open == nil && len(s.log.with("torn end of log dropped")) != 1 {
				t.Errorf("%s: not told", what)
			}
		})
		if refused == 0 || killed && lost == 0 {
			t.Errorf("killed %v: %d damages refused, %d with a loss", killed, refused, lost)
		}
	}
}

// TestDamagedManifest: the content is whole or the store is refused, whatever bit is flipped, wherever it is cut.
func TestDamagedManifest(t *testing.T) {
	for _, killed := range []bool{false, true} {
		h := lived(t, killed)
		isManifest := func(name string) bool { return strings.HasPrefix(name, "MANIFEST-") }
		eachDamage(t, h, isManifest, func(what string, disk *fsys.Mem) {
			if s := look(t, what, disk, h); s.open == nil && fmt.Sprint(s.content) != fmt.Sprint(h.last()) {
				t.Errorf("%s: opened with %v", what, s.content)
			}
		})
	}
}

// TestDamagedCurrent: any change of the file that names the manifest is an error that names it, and no new store
// (SYN-02).
func TestDamagedCurrent(t *testing.T) {
	h := lived(t, false)
	isCurrent := func(name string) bool { return name == "CURRENT" }
	refused := func(what string, disk *fsys.Mem) {
		t.Helper()
		s := look(t, what, disk, h)
		if damage, ok := errors.AsType[*CorruptionError](s.open); !ok || filepath.Base(damage.File) != "CURRENT" {
			t.Errorf("%s: %v", what, s.open)
		}
	}
	eachDamage(t, h, isCurrent, refused)
	line := readFile(t, h.disk, "store/CURRENT")
	for _, text := range []string{
		"", strings.Repeat("\x00", 16), strings.Repeat("\x00", 1000),
		strings.TrimSuffix(string(line), "\n"), string(line) + "\n", "MANIFEST-000001\n", "../CURRENT\n",
	} {
		disk := h.disk.Clone()
		writeFile(t, disk, "store/CURRENT", []byte(text))
		refused(fmt.Sprintf("%.20q", text), disk)
	}
}

// TestMissingFiles: a file of the store that is gone is damage that names it; nothing is made in its place
// (COR-03).
func TestMissingFiles(t *testing.T) {
	for _, killed := range []bool{false, true} {
		h := lived(t, killed)
		for _, file := range files(t, h.disk, "store", nil) {
			if file == lockName {
				continue
			}
			for name, change := range map[string]func(o *Options){
				"writing": func(*Options) {}, "read-only": readOnly, "MustExist": func(o *Options) { o.MustExist = true },
			} {
				disk := h.disk.Clone()
				check(t, disk.Remove(filepath.Join("store", file)))
				before := sums(t, disk, "store")
				o := small(disk)
				change(o)
				store, err := Open("store", o)
				if err == nil {
					store.Close()
				}
				damage, ok := errors.AsType[*CorruptionError](err)
				if !ok || damage.File != filepath.Join("store", file) || damage.Offset != -1 {
					t.Errorf("killed %v, without %s, %s: %v", killed, file, name, err)
				}
				if after := sums(t, disk, "store"); after != before {
					t.Errorf("killed %v, without %s, %s: files changed from\n%sto\n%s", killed, file, name, before, after)
				}
			}
		}
	}
}

// TestDirectoryIsAFile: the error says so and names it.
func TestDirectoryIsAFile(t *testing.T) {
	for name, disk := range map[string]FS{"memory": fsys.NewMem(), "disk": OSFiles()} {
		dir := t.TempDir()
		check(t, disk.MkdirAll(dir))
		file := filepath.Join(dir, "file")
		writeFile(t, disk, file, []byte("mine"))
		for _, readOnly := range []bool{false, true} {
			for _, path := range []string{file, filepath.Join(file, "below")} {
				_, err := Open(path, &Options{FS: disk, ReadOnly: readOnly})
				if err == nil || !strings.HasPrefix(err.Error(), "siftdb: ") || !strings.Contains(err.Error(), file) {
					t.Errorf("%s, read-only %v: %v", name, readOnly, err)
				}
			}
		}
		if got := readFile(t, disk, file); string(got) != "mine" {
			t.Errorf("%s: the file holds %q", name, got)
		}
	}
}
