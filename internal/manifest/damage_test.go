package manifest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// read is the content of a file of the store.
func read(t testing.TB, disk fsys.FS, base string) []byte {
	t.Helper()
	f, err := disk.Open(filepath.Join(dir, base))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, info.Size())
	if _, err := f.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	return b
}

// put replaces a file of the store.
func put(t testing.TB, disk fsys.FS, base string, content []byte) {
	t.Helper()
	f, err := disk.Create(filepath.Join(dir, base))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(content) == 0 {
		return
	}
	if _, err := f.WriteAt(content, 0); err != nil {
		t.Fatal(err)
	}
}

// lived is a disk with a store after history, and the contents after each edit.
func lived(t testing.TB) (disk *fsys.Mem, contents []string) {
	t.Helper()
	disk = newDisk(t)
	s := mustCreate(t, disk)
	contents = []string{content(s)}
	for _, e := range history() {
		mustStore(t, s, e)
		contents = append(contents, content(s))
	}
	return disk, contents
}

// checkCorrupt fails unless err is corruption of a file of the store.
func checkCorrupt(t testing.TB, what string, err error, base string) {
	t.Helper()
	damage, ok := errors.AsType[*corrupt.Error](err)
	if !ok || damage.File != filepath.Join(dir, base) {
		t.Errorf("%s: error %v, want corruption of %s", what, err, base)
	}
}

func TestEveryFlippedBitIsNoticedOrHarmless(t *testing.T) {
	disk, contents := lived(t)
	want := contents[len(contents)-1]
	for _, base := range []string{CurrentName, "MANIFEST-000001"} {
		whole := read(t, disk, base)
		harmless := 0
		for at := range whole {
			for bit := range 8 {
				flipped := bytes.Clone(whole)
				flipped[at] ^= 1 << bit
				put(t, disk, base, flipped)
				s, err := Load(disk, dir)
				if err != nil {
					checkCorrupt(t, "a flipped bit", err, base)
					continue
				}
				harmless++
				if content(s) != want {
					t.Fatalf("%s, bit %d of byte %d: another content, report %+v", base, bit, at, s.Report())
				}
				if s.Report().TornAt < 0 {
					t.Errorf("%s, bit %d of byte %d: not noticed", base, bit, at)
				}
			}
		}
		if seal := record.HeaderSize + syncedSize; harmless > seal*8 {
			t.Errorf("%s: %d flipped bits were let pass, more than the last seal has", base, harmless)
		}
		put(t, disk, base, whole)
	}
}

func TestEveryTruncationIsNoticed(t *testing.T) {
	disk, contents := lived(t)
	whole := read(t, disk, "MANIFEST-000001")
	borders := map[int]bool{len(whole): true}
	for r, err := range Records(disk, dir, "MANIFEST-000001") {
		if err != nil {
			t.Fatal(err)
		}
		borders[int(r.Offset)] = true
	}
	for length := range whole {
		put(t, disk, "MANIFEST-000001", whole[:length])
		s, err := Load(disk, dir)
		if err != nil {
			checkCorrupt(t, "cut short", err, "MANIFEST-000001")
			if length > 200 {
				t.Errorf("cut to %d bytes, behind the snapshot: %v", length, err)
			}
			continue
		}
		// The edit number is what tells a cut between two records.
		if number := s.State().EditNumber; content(s) != contents[number] {
			t.Errorf("cut to %d bytes: not the content after edit %d", length, number)
		}
		torn := s.Report().TornAt >= 0
		if torn == borders[length] {
			t.Errorf("cut to %d bytes: torn %v", length, torn)
		}
		if torn && s.Report().TornAt+s.Report().Dropped != int64(length) {
			t.Errorf("cut to %d bytes: report %+v", length, s.Report())
		}
	}
}

func TestWhatStandsBehindTheLastRecordIsDropped(t *testing.T) {
	disk, contents := lived(t)
	whole := read(t, disk, "MANIFEST-000001")
	rng := seeded(t)
	junk := make([]byte, 1024)
	for i := range junk {
		junk[i] = byte(rng.Uint32())
	}
	for name, tail := range map[string][]byte{
		"zeros":            make([]byte, 1024),
		"junk":             junk,
		"a copied record":  whole[87:142],
		"a copied seal":    whole[142:163],
		"a huge length":    append(binary.LittleEndian.AppendUint32(nil, 1), "\xff\xff\xff\xff\x02ABCDEFGH"...),
		"the same file":    whole,
		"another manifest": encodeHead(2, newSnapshot())[headerSize:],
		"a single byte":    {2},
	} {
		put(t, disk, "MANIFEST-000001", append(bytes.Clone(whole), tail...))
		s, err := Load(disk, dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if content(s) != contents[len(contents)-1] {
			t.Errorf("%s: another content", name)
		}
		if r := s.Report(); r.TornAt != int64(len(whole)) || r.Dropped != int64(len(tail)) || r.Reason == "" {
			t.Errorf("%s: report %+v", name, r)
		}
		mustStore(t, s, &Edit{NextFile: 1000})
		if again := mustLoad(t, disk); content(again) != content(s) || again.Report().TornAt >= 0 {
			t.Errorf("%s: after a further edit %+v, report %+v", name, again.State(), again.Report())
		}
		disk, _ = lived(t)
	}
}

// TestUnsyncedTailMayHaveHoles is a power cut after which the disk has an edit that was never acknowledged, but not
// the seal before it, since both were written after the last sync.
func TestUnsyncedTailMayHaveHoles(t *testing.T) {
	disk, contents := lived(t)
	whole := read(t, disk, "MANIFEST-000001")
	const seal, edit, nextSeal = 826, 847, 902
	holed := bytes.Clone(whole[:nextSeal])
	clear(holed[seal:edit])
	put(t, disk, "MANIFEST-000001", holed)
	s := mustLoad(t, disk)
	if r := s.Report(); content(s) != contents[5] || r.TornAt != seal || r.Dropped != nextSeal-seal {
		t.Errorf("edit %d, report %+v", s.State().EditNumber, r)
	}
	holed = bytes.Clone(whole)
	clear(holed[seal:edit])
	put(t, disk, "MANIFEST-000001", holed)
	_, err := Load(disk, dir)
	checkCorrupt(t, "a hole with a later seal", err, "MANIFEST-000001")
}

// TestPointerFileDamaged is SYN-02: whatever CURRENT holds after a power cut is no new store, and the manifest it
// named can still be read.
func TestPointerFileDamaged(t *testing.T) {
	disk, contents := lived(t)
	line := read(t, disk, CurrentName)
	for name, pointer := range map[string][]byte{
		"empty":                   {},
		"zeros":                   make([]byte, 16),
		"half a name":             []byte("MANIFEST-00"),
		"no checksum":             []byte("MANIFEST-000001\n"),
		"no line end":             line[:len(line)-1],
		"two lines":               append(bytes.Clone(line), line...),
		"zeros behind":            append(bytes.Clone(line), 0, 0),
		"a long line":             bytes.Repeat([]byte("M"), 5000),
		"another name's checksum": []byte(strings.Replace(string(line), "000001", "000002", 1)),
	} {
		put(t, disk, CurrentName, pointer)
		_, err := Load(disk, dir)
		checkCorrupt(t, name, err, CurrentName)
		if _, err := Create(disk, dir, 1); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: a new store over the old: %v", name, err)
		}
		s, err := LoadNumber(disk, dir, 1)
		if err != nil || content(s) != contents[len(contents)-1] {
			t.Errorf("%s: the manifest by its number: %v", name, err)
		}
	}
	put(t, disk, CurrentName, []byte(formatCurrent(9)))
	_, err := Load(disk, dir)
	checkCorrupt(t, "name of a missing file", err, "MANIFEST-000009")

	s, err := LoadNumber(disk, dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	mustStore(t, s, &Edit{}) // repairs the pointer
	if again := mustLoad(t, disk); again.Version().String() != s.Version().String() {
		t.Errorf("after an edit:\n%v", again.Version())
	}
}

// TestMissingFiles is COR-03: a store that lost a file is damaged, a place without a store is something else, and
// looking leaves no trace.
func TestMissingFiles(t *testing.T) {
	table := []byte("a table")
	for _, c := range []struct {
		name    string
		change  func(disk *fsys.Mem)
		damaged string // the file that the error names; empty: no store
	}{
		{"manifest missing", func(d *fsys.Mem) { d.Remove(filepath.Join(dir, "MANIFEST-000001")) }, "MANIFEST-000001"},
		{"pointer missing", func(d *fsys.Mem) { d.Remove(filepath.Join(dir, CurrentName)) }, CurrentName},
		{"both missing, a table there", func(d *fsys.Mem) {
			d.Remove(filepath.Join(dir, CurrentName))
			d.Remove(filepath.Join(dir, "MANIFEST-000001"))
			put(t, d, "000012.sst", table)
		}, CurrentName},
		{"both missing, a log there", func(d *fsys.Mem) {
			d.Remove(filepath.Join(dir, CurrentName))
			d.Remove(filepath.Join(dir, "MANIFEST-000001"))
			put(t, d, "000002.wal", table)
		}, CurrentName},
		{"empty directory", func(d *fsys.Mem) {
			d.Remove(filepath.Join(dir, CurrentName))
			d.Remove(filepath.Join(dir, "MANIFEST-000001"))
		}, ""},
		{"files of others", func(d *fsys.Mem) {
			d.Remove(filepath.Join(dir, CurrentName))
			d.Remove(filepath.Join(dir, "MANIFEST-000001"))
			put(t, d, "notes.wal", table)
			put(t, d, "MANIFEST", table)
			put(t, d, "12.sst", table)
			put(t, d, "CURRENT.tmp", table)
			d.MkdirAll(filepath.Join(dir, "000777.sst"))
			d.MkdirAll(filepath.Join(dir, "000777.wal"))
			d.MkdirAll(filepath.Join(dir, "MANIFEST-000777"))
		}, ""},
		{"missing directory", func(d *fsys.Mem) { d.Rename(dir, "elsewhere") }, ""},
	} {
		disk, _ := lived(t)
		c.change(disk)
		before, _ := disk.List("/")
		inside, _ := disk.List(dir)
		s, err := Load(readOnly(disk), dir)
		switch {
		case err == nil:
			t.Errorf("%s: loaded %+v", c.name, s.State())
		case c.damaged != "":
			checkCorrupt(t, c.name, err, c.damaged)
		case !errors.Is(err, ErrNoStore) || !errors.Is(err, fs.ErrNotExist):
			t.Errorf("%s: error %v", c.name, err)
		}
		after, _ := disk.List("/")
		insideAfter, _ := disk.List(dir)
		if len(after) != len(before) || len(insideAfter) != len(inside) {
			t.Errorf("%s: loading changed the files: %v %v", c.name, after, insideAfter)
		}
	}
}

// readOnly fails every operation that changes something.
func readOnly(disk fsys.FS) fsys.FS {
	f := fsys.NewFault(disk)
	f.SetHook(func(op fsys.Op, name string) error {
		switch op {
		case fsys.OpOpen, fsys.OpReadAt, fsys.OpClose, fsys.OpList, fsys.OpStat:
			return nil
		}
		return &fs.PathError{Op: op.String(), Path: name, Err: fs.ErrPermission}
	})
	return f
}

func TestLoadWritesNothing(t *testing.T) {
	disk, contents := lived(t)
	whole := read(t, disk, "MANIFEST-000001")
	for _, tail := range [][]byte{nil, {1, 2, 3}} {
		put(t, disk, "MANIFEST-000001", append(bytes.Clone(whole), tail...))
		s, err := Load(readOnly(disk), dir)
		if err != nil || content(s) != contents[len(contents)-1] {
			t.Errorf("tail %v: %v", tail, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("tail %v: %v", tail, err)
		}
	}
}

// TestRecordsThatMakeNoSense has sound records that no writer makes.
func TestRecordsThatMakeNoSense(t *testing.T) {
	head := encodeHead(1, newSnapshot())
	at := int64(len(head))
	edit := func(number uint64, e *Edit) []byte { return editRecord{number: number, edit: *e}.append(nil) }
	for name, tail := range map[string][]byte{
		"unknown kind":        record.Append(nil, recordFile(1), at, 9, synced(at)),
		"no payload":          record.Append(nil, recordFile(1), at, kindSeal),
		"a seal with content": record.Append(nil, recordFile(1), at, kindSeal, synced(at), []byte{1}),
		"synced to later":     record.Append(nil, recordFile(1), at, kindSeal, synced(at+1)),
		"an edit left out":    record.Append(nil, recordFile(1), at, kindEdit, synced(at), edit(2, &Edit{})),
		"a second snapshot":   record.Append(nil, recordFile(1), at, kindSnapshot, synced(at), edit(1, &Edit{})),
		"an edit cut short":   record.Append(nil, recordFile(1), at, kindEdit, synced(at), edit(1, &Edit{})[:20]),
		"an edit too long":    record.Append(nil, recordFile(1), at, kindEdit, synced(at), edit(1, &Edit{}), []byte{0}),
		"a removal of nothing": record.Append(nil, recordFile(1), at, kindEdit, synced(at),
			edit(1, &Edit{Removed: []Removal{{1, 5}}})),
	} {
		disk := newDisk(t)
		put(t, disk, "MANIFEST-000001", append(bytes.Clone(head), tail...))
		put(t, disk, CurrentName, []byte(formatCurrent(1)))
		_, err := Load(disk, dir)
		checkCorrupt(t, name, err, "MANIFEST-000001")
		if damage, ok := errors.AsType[*corrupt.Error](err); ok && damage.Offset != at {
			t.Errorf("%s: offset %d, want %d", name, damage.Offset, at)
		}
	}
	for name, whole := range map[string][]byte{
		"no snapshot":     head[:headerSize],
		"a seal at first": record.Append(bytes.Clone(head[:headerSize]), recordFile(1), headerSize, kindSeal, synced(0)),
		"another number":  encodeHead(2, newSnapshot()),
	} {
		disk := newDisk(t)
		put(t, disk, "MANIFEST-000001", whole)
		put(t, disk, CurrentName, []byte(formatCurrent(1)))
		_, err := Load(disk, dir)
		checkCorrupt(t, name, err, "MANIFEST-000001")
	}
}

func TestHeaderOfAnotherFormat(t *testing.T) {
	disk := newDisk(t)
	head := encodeHead(1, newSnapshot())
	for name, change := range map[string]func(b []byte){
		"magic":  func(b []byte) { copy(b, "goldfish") },
		"format": func(b []byte) { b[8] = 2 },
		"number": func(b []byte) { b[16] = 3 },
	} {
		changed := bytes.Clone(head)
		change(changed)
		binary.LittleEndian.PutUint32(changed[headerSum:], checksum(changed[:headerSum]))
		put(t, disk, "MANIFEST-000001", changed)
		put(t, disk, CurrentName, []byte(formatCurrent(1)))
		_, err := Load(disk, dir)
		checkCorrupt(t, name, err, "MANIFEST-000001")
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRandomDamage overwrites random parts; it fails by a panic, or by an error that is none of corruption.
func TestRandomDamage(t *testing.T) {
	rng := seeded(t)
	disk, contents := lived(t)
	whole := read(t, disk, "MANIFEST-000001")
	for range 2000 {
		damaged := damage(rng, bytes.Clone(whole))
		put(t, disk, "MANIFEST-000001", damaged)
		s, err := Load(disk, dir)
		if err != nil {
			checkCorrupt(t, "random damage", err, "MANIFEST-000001")
			continue
		}
		if number := s.State().EditNumber; content(s) != contents[number] {
			t.Fatalf("not the content after edit %d", number)
		}
	}
}

// damage cuts, clears, overwrites or moves a part of b.
func damage(rng *rand.Rand, b []byte) []byte {
	at := rng.IntN(len(b))
	part := b[at : at+rng.IntN(min(len(b)-at, 100)+1)]
	switch rng.IntN(4) {
	case 0:
		return b[:at]
	case 1:
		clear(part)
	case 2:
		for i := range part {
			part[i] = byte(rng.Uint32())
		}
	case 3:
		copy(b[rng.IntN(len(b)):], bytes.Clone(part))
	}
	return b
}
