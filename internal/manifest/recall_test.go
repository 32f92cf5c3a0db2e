package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
)

// remembered is a disk with a manifest of history, and the memory of it after each of its edits.
func remembered(t *testing.T) (disk *fsys.Mem, after []string) {
	t.Helper()
	disk = newDisk(t)
	s := mustCreate(t, disk)
	after = []string{memoryText(recall(t, disk, 1))}
	for _, e := range history() {
		mustStore(t, s, e)
		after = append(after, memoryText(recall(t, disk, 1)))
	}
	return disk, after
}

func recall(t *testing.T, disk fsys.FS, number uint64) *Memory {
	t.Helper()
	m, err := Recall(disk, dir, number)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// memoryText is a Memory as text, without its damage.
func memoryText(m *Memory) string {
	var tables, removed []string
	for n, a := range m.Tables {
		tables = append(tables, fmt.Sprintf("L%d %d %v", a.Level, n, a.Table))
	}
	for n := range m.Removed {
		removed = append(removed, fmt.Sprint(n))
	}
	slices.Sort(tables)
	slices.Sort(removed)
	return fmt.Sprintln(m.Begun, tables, removed, m.State)
}

// TestRecallIsWhatLoadReads of a manifest that is whole.
func TestRecallIsWhatLoadReads(t *testing.T) {
	disk, _ := remembered(t)
	m, s := recall(t, disk, 1), mustLoad(t, disk)
	e := &Edit{LastSeq: m.State.LastSeq, NextFile: m.State.NextFile, OldestLog: m.State.OldestLog}
	for _, a := range m.Tables {
		e.Added = append(e.Added, a)
	}
	v, err := new(Version).Apply(e)
	if err != nil || v.String() != s.Version().String() || m.State != s.State() || m.Damage != nil || !m.Begun {
		t.Errorf("%v\n%s%+v, damage %v; loaded\n%s%+v", err, v, m.State, m.Damage, s.Version(), s.State())
	}
	if want := map[uint64]bool{4: true, 7: true}; fmt.Sprint(m.Removed) != fmt.Sprint(want) {
		t.Errorf("removed %v, want %v", m.Removed, want)
	}
}

// TestRecallEveryFlip: no flipped byte makes it remember what was not; it says when an edit is missing that was
// durable, and only then.
func TestRecallEveryFlip(t *testing.T) {
	disk, after := remembered(t)
	whole := read(t, disk, Name(1))
	last := after[len(after)-1]
	silent, told := 0, 0
	for at := range whole {
		b := bytes.Clone(whole)
		b[at] ^= 1 << (at % 8)
		put(t, disk, Name(1), b)
		m := recall(t, disk, 1)
		same := memoryText(m) == last
		_, err := LoadNumber(disk, dir, 1)
		switch {
		case m.Damage != nil:
			told++
			if !errors.Is(m.Damage, corrupt.ErrCorrupt) {
				t.Errorf("byte %d flipped: damage %v", at, m.Damage)
			}
			if err == nil {
				t.Errorf("byte %d flipped: %v, which Load does not see", at, m.Damage)
			}
		case !same && memoryText(m) != after[len(after)-2]:
			t.Errorf("byte %d flipped: silent about the loss, remembers\n%s", at, memoryText(m))
		default:
			silent++
		}
	}
	if silent < 50 || told < 200 {
		t.Errorf("%d flips were told of, %d were not", told, silent)
	}
}

// TestRecallEveryCut: of a manifest cut short the edits before the cut are remembered.
func TestRecallEveryCut(t *testing.T) {
	disk, after := remembered(t)
	whole := read(t, disk, Name(1))
	for n := range whole {
		put(t, disk, Name(1), whole[:n])
		m := recall(t, disk, 1)
		if m.Begun != slices.Contains(after, memoryText(m)) || m.Begun == (m.Damage != nil) {
			t.Errorf("cut to %d of %d bytes: damage %v, remembers\n%s", n, len(whole), m.Damage, memoryText(m))
		}
	}
}

// TestRecallPastALostEdit: what later edits say is still known.
func TestRecallPastALostEdit(t *testing.T) {
	disk, _ := remembered(t)
	b := read(t, disk, Name(1))
	edits := 0
	for r, err := range Records(disk, dir, Name(1)) {
		if err != nil {
			t.Fatal(err)
		}
		if edits++; r.Kind == "edit" && r.EditNumber == 2 { // adds tables 3 and 4
			b[r.Offset+20] ^= 1
		}
	}
	put(t, disk, Name(1), b)
	m := recall(t, disk, 1)
	want := "true [L6 3 000003[m..z] L6 8 000008[\"\"..k]] [4 7] {6 9 40 2}\n"
	if got := memoryText(m); got != want || m.Damage == nil {
		t.Errorf("remembers %s, damage %v; want %s", got, m.Damage, want)
	}
}

func TestRecallMissing(t *testing.T) {
	disk := newDisk(t)
	if _, err := Recall(disk, dir, 3); !errors.Is(err, corrupt.ErrCorrupt) {
		t.Errorf("a manifest that is not there: %v", err)
	}
	if _, err := Chosen(disk, dir); !errors.Is(err, corrupt.ErrCorrupt) {
		t.Errorf("a CURRENT that is not there: %v", err)
	}
}

// TestWriteAndChoose makes a manifest that loads as what it was told to hold; before it is chosen nothing has changed.
func TestWriteAndChoose(t *testing.T) {
	disk, _ := remembered(t)
	before := content(mustLoad(t, disk))
	added := []Addition{{3, table(11, "a", "c", 3, 9)}, {0, table(10, "b", "z", 10, 12)}}
	e := &Edit{Added: added, NextFile: 20, LastSeq: 50}
	if err := Write(disk, dir, 5, 17, e); err != nil {
		t.Fatal(err)
	}
	if got := content(mustLoad(t, disk)); got != before {
		t.Error("written, and chosen unasked")
	}
	if err := Choose(disk, dir, 5); err != nil {
		t.Fatal(err)
	}
	number, err := Chosen(disk, dir)
	if err != nil || number != 5 {
		t.Errorf("chosen is %d, %v", number, err)
	}
	s := mustLoad(t, disk.CrashClone(nil))
	if want := (State{EditNumber: 17, NextFile: 20, LastSeq: 50}); s.State() != want {
		t.Errorf("state %+v, want %+v", s.State(), want)
	}
	if got := s.Version().String(); got != "L0: 000010[b..z]\nL3: 000011[a..c]\n" {
		t.Errorf("version\n%s", got)
	}
	if err := Write(disk, dir, 6, 18, &Edit{Added: []Addition{{9, table(1, "a", "b", 1, 1)}}}); err == nil {
		t.Error("a table in level 9")
	}
}
