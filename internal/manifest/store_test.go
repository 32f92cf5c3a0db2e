package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/key"
)

const dir = "store"

// newDisk is a disk in memory that has the store's directory.
func newDisk(t testing.TB) *fsys.Mem {
	t.Helper()
	disk := fsys.NewMem()
	if err := disk.MkdirAll(dir); err != nil {
		t.Fatal(err)
	}
	return disk
}

func mustCreate(t testing.TB, disk fsys.FS) *Store {
	t.Helper()
	s, err := Create(disk, dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustLoad(t testing.TB, disk fsys.FS) *Store {
	t.Helper()
	s, err := Load(disk, dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustStore(t testing.TB, s *Store, edits ...*Edit) {
	t.Helper()
	for _, e := range edits {
		if _, err := s.Apply(e); err != nil {
			t.Fatalf("edit %v: %v", e, err)
		}
	}
}

// content is all that a store knows, as text.
func content(s *Store) string {
	snapshot := s.current.Load()
	r := snapshot.record()
	return string(r.append(nil)) + snapshot.version.String()
}

// history is a life in edits: flushes, a compaction, a move, logs given up.
func history() []*Edit {
	moved := table(3, "m", "z", 10, 19)
	return []*Edit{
		{OldestLog: 2, NextFile: 3},
		{Added: []Addition{{0, table(4, "a", "k", 1, 9)}, {0, moved}}, OldestLog: 5, NextFile: 6},
		{Removed: []Removal{{0, 3}}, Added: []Addition{{6, moved}}},
		{Added: []Addition{{0, table(7, "", "\x00\xff", 20, 29)}}, LastSeq: 40},
		{Removed: []Removal{{0, 4}, {0, 7}}, Added: []Addition{{6, table(8, "", "k", 1, 29)}}},
		{},
	}
}

func TestStoreIsTheSameAfterLoading(t *testing.T) {
	disk := newDisk(t)
	s := mustCreate(t, disk)
	for i, e := range history() {
		mustStore(t, s, e)
		loaded := mustLoad(t, disk)
		if content(loaded) != content(s) {
			t.Fatalf("after edit %d: %v, loaded %v", i+1, s.current.Load(), loaded.current.Load())
		}
		if r := loaded.Report(); r.TornAt != -1 || r.Edits != i+1 || r.Number != 1 {
			t.Errorf("after edit %d: report %+v", i+1, r)
		}
	}
	want := State{EditNumber: 6, NextFile: 9, LastSeq: 40, OldestLog: 5}
	if s.State() != want {
		t.Errorf("state %+v, want %+v", s.State(), want)
	}
	if got := s.Version().String(); got != "L6: 000008[\"\"..k] 000003[m..z]\n" {
		t.Errorf("version\n%s", got)
	}
}

func TestStateRisesOnly(t *testing.T) {
	s := mustCreate(t, newDisk(t))
	mustStore(t, s, &Edit{NextFile: 50, LastSeq: 60, OldestLog: 9}, &Edit{NextFile: 40, LastSeq: 30})
	if want := (State{EditNumber: 2, NextFile: 50, LastSeq: 60, OldestLog: 9}); s.State() != want {
		t.Errorf("state %+v, want %+v", s.State(), want)
	}
	mustStore(t, s, add(0, table(70, "a", "b", 80, 90)))
	if want := (State{EditNumber: 3, NextFile: 71, LastSeq: 90, OldestLog: 9}); s.State() != want {
		t.Errorf("state %+v after table 70 with sequence 90, want %+v", s.State(), want)
	}
	if _, err := s.Apply(&Edit{OldestLog: 8}); err == nil {
		t.Error("an edit brought back a log that was given up")
	}
}

func TestRefusedEditChangesNothing(t *testing.T) {
	disk := newDisk(t)
	s := mustCreate(t, disk)
	mustStore(t, s, history()...)
	before := content(s)
	if _, err := s.Apply(&Edit{Removed: []Removal{{0, 99}}, NextFile: 1000}); err == nil || errors.Is(err, ErrUndetermined) {
		t.Errorf("error %v", err)
	}
	if content(s) != before || content(mustLoad(t, disk)) != before {
		t.Error("the refused edit has changed something")
	}
}

func TestLoadedStoreWritesANewManifestFirst(t *testing.T) {
	disk := newDisk(t)
	s := mustCreate(t, disk)
	mustStore(t, s, history()...)
	loaded := mustLoad(t, disk)
	mustStore(t, loaded, add(0, table(100, "a", "b", 100, 101)))
	if names, _ := disk.List(dir); !slices.Equal(names, []string{"CURRENT", "MANIFEST-000002"}) {
		t.Errorf("files %v", names)
	}
	again := mustLoad(t, disk)
	if content(again) != content(loaded) || again.State().EditNumber != 7 {
		t.Errorf("state %+v, want %+v", again.State(), loaded.State())
	}
}

// TestManifestIsReplacedWhenOutgrown makes many edits over few tables: the files must stay small, and loading
// right at any moment.
func TestManifestIsReplacedWhenOutgrown(t *testing.T) {
	disk := newDisk(t)
	s := mustCreate(t, disk)
	last := uint64(0)
	for i := uint64(1); i <= 3000; i++ {
		seq := key.Seq(i * 10)
		e := add(0, table(i, "a", "z", seq, seq+9))
		if i > 3 {
			e.Removed = []Removal{{0, i - 3}}
		}
		mustStore(t, s, e)
		if s.file.number != last {
			last = s.file.number
			if loaded := mustLoad(t, disk); content(loaded) != content(s) {
				t.Fatalf("after edit %d", i)
			}
		}
	}
	if last < 4 {
		t.Errorf("the manifest of 3000 edits has number %d", last)
	}
	if used := disk.Used(); used > 2*slackBytes {
		t.Errorf("%d bytes on disk for three tables", used)
	}
	names, _ := disk.List(dir)
	if !slices.Equal(names, []string{"CURRENT", Name(last)}) {
		t.Errorf("files %v", names)
	}
	if content(mustLoad(t, disk)) != content(s) {
		t.Error("not the same after loading")
	}
}

func TestCreateRefusesAStore(t *testing.T) {
	disk := newDisk(t)
	mustStore(t, mustCreate(t, disk), history()...)
	if _, err := Create(disk, dir, 5); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	mustLoad(t, disk)
}

func TestClosedStore(t *testing.T) {
	s := mustCreate(t, newDisk(t))
	mustStore(t, s, history()...)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Apply(&Edit{}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("an edit after Close: %v", err)
	}
	if s.Version().NumTables() != 2 {
		t.Errorf("version after Close:\n%v", s.Version())
	}
}

// TestEditsOfManyGoroutines has four writers that replace their own table over and over.
func TestEditsOfManyGoroutines(t *testing.T) {
	disk := newDisk(t)
	s := mustCreate(t, disk)
	var wg sync.WaitGroup
	for w := range uint64(4) {
		wg.Go(func() {
			user := pair(int(w))
			for i := range uint64(100) {
				number := 1 + w*1000 + i
				e := add(3, table(number, user, user, 1, 2))
				if i > 0 {
					e.Removed = []Removal{{3, number - 1}}
				}
				if _, err := s.Apply(e); err != nil {
					t.Error(err)
				}
				if v := s.Version(); len(v.Overlaps(3, []byte(user), []byte(user))) != 1 {
					t.Errorf("own table missing in\n%v", v)
				}
			}
		})
	}
	wg.Wait()
	if loaded := mustLoad(t, disk); content(loaded) != content(s) || s.State().EditNumber != 400 {
		t.Errorf("after 400 edits: %+v, loaded %+v", s.State(), loaded.State())
	}
}

func TestFullDiskNeedsNoReopening(t *testing.T) {
	disk := newDisk(t)
	s := mustCreate(t, disk)
	mustStore(t, s, history()...)
	before := content(s)
	disk.SetRoom(disk.Used() + 10)
	for range 5 {
		if _, err := s.Apply(add(0, table(100, "a", "b", 100, 101))); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("error %v", err)
		}
		if content(s) != before {
			t.Fatal("a failed edit is in force")
		}
	}
	if names, _ := disk.List(dir); !slices.Equal(names, []string{"CURRENT", "MANIFEST-000001"}) {
		t.Errorf("left over on the full disk: %v", names)
	}
	disk.SetRoom(-1)
	mustStore(t, s, add(0, table(100, "a", "b", 100, 101)))
	if loaded := mustLoad(t, disk); content(loaded) != content(s) {
		t.Errorf("%v, loaded %v", s.State(), loaded.State())
	}
}

// TestFailedRotationsLeaveNothing has a disk on which CURRENT cannot be replaced: manifests must not pile up.
func TestFailedRotationsLeaveNothing(t *testing.T) {
	disk := newDisk(t)
	mustStore(t, mustCreate(t, disk), history()...)
	fault := fsys.NewFault(disk)
	s := mustLoad(t, fault)
	fault.SetHook(fsys.FailFrom(1, syscall.ENOSPC, fsys.OpRename))
	for range 3 {
		if _, err := s.Apply(&Edit{}); !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrUndetermined) {
			t.Fatalf("error %v", err)
		}
	}
	if names, _ := disk.List(dir); !slices.Equal(names, []string{"CURRENT", "MANIFEST-000001"}) {
		t.Errorf("files %v", names)
	}
}

// TestOutgrownManifestGoesOnWithoutANewOne has a disk on which no file can be made: edits go into the old manifest,
// and not every one of them tries again.
func TestOutgrownManifestGoesOnWithoutANewOne(t *testing.T) {
	disk := newDisk(t)
	fault := fsys.NewFault(disk)
	s := mustCreate(t, fault)
	mustStore(t, s, history()...)
	tried := 0
	fault.SetHook(func(op fsys.Op, _ string) error {
		if op == fsys.OpCreate {
			tried++
			return syscall.ENOSPC
		}
		return nil
	})
	s.file.limit = s.file.size - 1
	mustStore(t, s, &Edit{}, &Edit{}, &Edit{})
	if tried != 1 || s.file.number != 1 {
		t.Errorf("%d attempts at a new manifest, the edits are in manifest %d", tried, s.file.number)
	}
	if loaded := mustLoad(t, disk); content(loaded) != content(s) {
		t.Errorf("%+v, loaded %+v", s.State(), loaded.State())
	}
}

// recordLine is a record on one line.
func recordLine(r Record) string {
	line := fmt.Sprintf("%8d %-8s %6d bytes synced to %d", r.Offset, r.Kind, r.Length, r.Synced)
	if r.Edit == nil {
		return line
	}
	return fmt.Sprintf("%s, edit %d: %v", line, r.EditNumber, r.Edit)
}

func TestRecordsForADump(t *testing.T) {
	disk := newDisk(t)
	s := mustCreate(t, disk)
	mustStore(t, s, history()...)
	var lines []string
	for r, err := range Records(disk, dir, "MANIFEST-000001") {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, recordLine(r))
	}
	want := `      32 snapshot     42 bytes synced to 0, edit 0: next file 1
      87 edit         42 bytes synced to 87, edit 1: oldest log 2 next file 3
     142 seal          8 bytes synced to 142
     163 edit        192 bytes synced to 142, edit 2: +L0 000004[a..k] +L0 000003[m..z] oldest log 5 next file 6
     368 seal          8 bytes synced to 368
     389 edit        119 bytes synced to 368, edit 3: -L0 000003 +L6 000003[m..z]
     521 seal          8 bytes synced to 521
     542 edit        117 bytes synced to 521, edit 4: +L0 000007["".."\x00\xff"] last seq 40
     672 seal          8 bytes synced to 672
     693 edit        120 bytes synced to 672, edit 5: -L0 000004 -L0 000007 +L6 000008[""..k]
     826 seal          8 bytes synced to 826
     847 edit         42 bytes synced to 826, edit 6: nothing
     902 seal          8 bytes synced to 902`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("records\n%s\nwant\n%s", got, want)
	}
	for _, err := range Records(disk, dir, "MANIFEST-1") {
		if err == nil {
			t.Error("a name that is none")
		}
	}
}
