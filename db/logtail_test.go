package db

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/wal"
)

// newestLog is the path of the log segment that the store on disk wrote to last.
func newestLog(t *testing.T, disk FS) string {
	t.Helper()
	logs := files(t, disk, "store", withSuffix(".wal"))
	return filepath.Join("store", logs[len(logs)-1])
}

// TestTailOfAFormerLife writes short logs into a file whose old bytes go on behind them, as a disk may leave them, or a
// log that is used again: nothing of the former life comes back, wherever its records happen to be cut (WAL-02).
func TestTailOfAFormerLife(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	for i := range 60 {
		put(t, store, fmt.Sprintf("former%02d", i))
	}
	for i := range 60 {
		check(t, store.Delete(fmt.Appendf(nil, "former%02d", i), NoSync))
	}
	check(t, store.Sync())
	former := readFile(t, disk, newestLog(t, disk))
	flush(t, store)
	check(t, store.Close())

	sizes := 200
	if testing.Short() {
		sizes = 20
	}
	for size := 1; size <= sizes; size++ {
		image := disk.Clone()
		store := openStore(t, image)
		for i := range 3 {
			check(t, store.Put(fmt.Appendf(nil, "new%d", i), bytes.Repeat([]byte{'v'}, size)))
		}
		killed := image.Clone()
		check(t, store.Close())
		name := newestLog(t, killed)
		b := readFile(t, killed, name)
		if len(b) >= len(former) {
			t.Fatalf("size %d: %d bytes of log are none shorter than %d", size, len(b), len(former))
		}
		writeFile(t, killed, name, append(b, former[len(b):]...))
		store = openStore(t, killed)
		if got := fmt.Sprint(keysOf(t, store, Range{})); got != "[new0 new1 new2]" {
			t.Errorf("size %d: %s", size, got)
		}
		if dropped := store.Metrics().LogDropped; dropped != int64(len(former)-len(b)) {
			t.Errorf("size %d: %d bytes dropped", size, dropped)
		}
		check(t, store.Close())
	}
}

// logTails are what may stand behind the last record of a log, by name; first is the beginning of it.
func logTails(first []byte) map[string][]byte {
	rng := rand.NewChaCha8([32]byte{1})
	random := make([]byte, 1<<10)
	rng.Read(random)
	huge := binary.LittleEndian.AppendUint64(nil, 1<<62)
	return map[string][]byte{
		"nothing":            nil,
		"a zero":             make([]byte, 1),
		"1 KiB of zeros":     make([]byte, 1<<10),
		"4 KiB of zeros":     make([]byte, 4<<10),
		"1 KiB at random":    random,
		"an earlier record":  first,
		"half a record":      first[:len(first)/2],
		"a huge length":      append(bytes.Clone(huge), random...),
		"a length of all":    bytes.Repeat([]byte{0xff}, 64),
		"a record and zeros": append(bytes.Clone(first), make([]byte, 1<<10)...),
	}
}

// TestJunkBehindTheLog: whatever stands behind the last record, all records are there after the next open, without a
// flag, what was dropped is told to the byte, writes go on, and Repair finds nothing lost (WAL-03, WAL-09).
func TestJunkBehindTheLog(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	fill(t, store, 20, 50, "")
	check(t, store.Sync())
	killed := disk.Clone()
	want := content(t, store)
	check(t, store.Close())

	whole := readFile(t, killed, newestLog(t, killed))
	for ending, image := range map[string]*fsys.Mem{"killed": killed, "closed": disk} {
		name := newestLog(t, image)
		b := readFile(t, image, name)
		for what, tail := range logTails(b[wal.HeaderSize:min(len(b), wal.HeaderSize+100)]) {
			writeFile(t, image, name, append(bytes.Clone(b), tail...))
			goesOnBehind(t, ending+", "+what, image.Clone(), want, len(tail))
		}
	}
	if !testing.Short() {
		name := newestLog(t, killed)
		const zeros = 4 << 20
		writeFile(t, killed, name, append(whole, make([]byte, zeros)...))
		goesOnBehind(t, "4 MiB of zeros", killed, want, zeros)
	}
}

// goesOnBehind opens the store on disk, at the end of whose log so many bytes are none of its.
func goesOnBehind(t *testing.T, what string, disk *fsys.Mem, want map[string]string, dropped int) {
	t.Helper()
	repaired := disk.Clone()
	report, err := Repair(context.Background(), "store", small(repaired))
	check(t, err)
	if !report.Whole() {
		t.Errorf("%s: Repair says that something is lost: %+v", what, report)
	}
	if got := content(t, openStore(t, repaired)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s, repaired: %d keys, want %d", what, len(got), len(want))
	}
	store := openStore(t, disk)
	if got := content(t, store); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %d keys, want %d", what, len(got), len(want))
	}
	if n := store.Metrics().LogDropped; n != int64(dropped) {
		t.Errorf("%s: %d bytes dropped, want %d", what, n, dropped)
	}
	check(t, store.Put([]byte("after"), []byte("after")))
	check(t, store.Close())
	store = openStore(t, disk)
	wantValue(t, store, "after", "after")
	if got := content(t, store); len(got) != len(want)+1 {
		t.Errorf("%s: %d keys in the next life, want %d", what, len(got), len(want)+1)
	}
	check(t, store.Close())
}

// TestDamageInMidLog flips a bit in the 50th of 100 synced writes: the store does not open, its files stay as they are,
// and Repair saves the 49 before it and says that the rest is lost (WAL-01).
func TestDamageInMidLog(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	var sizes []int
	for i := range 100 {
		check(t, store.Put(fmt.Appendf(nil, "key%06d", i), fmt.Append(nil, i)))
		sizes = append(sizes, len(readFile(t, disk, newestLog(t, disk))))
	}
	killed := disk.Clone()
	check(t, store.Close())
	name := newestLog(t, killed)
	b := readFile(t, killed, name)
	b[(sizes[48]+sizes[49])/2] ^= 4
	writeFile(t, killed, name, b)
	before := sums(t, killed, "store")
	_, err := Open("store", small(killed))
	damage, ok := errors.AsType[*CorruptionError](err)
	if !ok || damage.File != name || damage.Offset != int64(sizes[48]) {
		t.Errorf("Open: %v, want damage in %s at %d", err, name, sizes[48])
	}
	if after := sums(t, killed, "store"); after != before {
		t.Errorf("files were\n%sand are\n%s", before, after)
	}
	report, err := Repair(context.Background(), "store", small(killed))
	check(t, err)
	if n := len(report.Logs); n != 1 || report.Logs[0].Problem == nil || report.Logs[0].Groups != 49 ||
		report.Logs[0].DroppedBytes != int64(len(b)-sizes[48]) {
		t.Errorf("Repair says of the log %+v", report.Logs)
	}
	if got := len(keysOf(t, openStore(t, killed), Range{})); got != 49 {
		t.Errorf("%d keys are left, want 49", got)
	}
}

// TestLogWithoutRecords: the newest log may have got no further than its header, or not as far (WAL-09).
func TestLogWithoutRecords(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	fill(t, store, 20, 50, "")
	flush(t, store) // and a new log
	want := content(t, store)
	quiet(t, store)
	killed := disk.Clone()
	check(t, store.Close())
	name := newestLog(t, killed)
	b := readFile(t, killed, name)
	if len(b) != wal.HeaderSize {
		t.Fatalf("the new log has %d bytes", len(b))
	}
	for _, size := range []int{0, 1, wal.HeaderSize - 1, wal.HeaderSize} {
		writeFile(t, killed, name, b[:size])
		goesOnBehind(t, fmt.Sprintf("%d bytes", size), killed.Clone(), want, size%wal.HeaderSize)
	}
}

// TestLogsDoNotRunTogether cuts a log anywhere, while the next one holds records: its last half record is not joined
// with them, and the loss is told with the name of the log that has it (WAL-05).
func TestLogsDoNotRunTogether(t *testing.T) {
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	store := openStore(t, fault)
	fault.SetHook(failing(".sst", fsys.OpCreate)) // so that both logs are needed
	check(t, store.Put([]byte("first"), filled("first", 100, "")))
	first := newestLog(t, disk)
	check(t, store.alone(store.rotate))
	check(t, store.Put([]byte("second"), filled("second", 100, "")))
	killed := disk.Clone()
	second := newestLog(t, killed)
	whole := readFile(t, killed, first)
	if first == second {
		t.Fatal("there is one log only")
	}
	for size := range whole {
		image := killed.Clone()
		writeFile(t, image, first, whole[:size])
		_, err := Open("store", small(image))
		damage, ok := errors.AsType[*CorruptionError](err)
		if !ok || damage.File != first {
			t.Errorf("cut to %d of %d bytes: %v", size, len(whole), err)
		}
		groups := 0
		numbers := []uint64{numberOf(t, first), numberOf(t, second)}
		_, err = wal.Salvage(image, "store", numbers, func(segment uint64, group []byte) error {
			if groups++; segment != numbers[0] || !bytes.Contains(whole, group) {
				t.Errorf("cut to %d bytes: salvage gives a group of %d bytes from segment %d", size, len(group), segment)
			}
			return nil
		})
		check(t, err)
	}
	store = openStore(t, killed)
	wantValue(t, store, "first", string(filled("first", 100, "")))
	wantValue(t, store, "second", string(filled("second", 100, "")))
}

func numberOf(t *testing.T, log string) uint64 {
	t.Helper()
	number, ok := wal.ParseName(filepath.Base(log))
	if !ok {
		t.Fatalf("%s is no log", log)
	}
	return number
}

// TestDeletionsAreInTheLog: what was deleted and not flushed stays deleted when the process is killed or the power
// goes, and what was put since is there (WAL-07).
func TestDeletionsAreInTheLog(t *testing.T) {
	const keys = 1000
	for name, clear := range map[string]func(t *testing.T, store *DB){
		"one by one": func(t *testing.T, store *DB) {
			for i := range keys {
				check(t, store.Delete(fmt.Appendf(nil, "key%06d", i), NoSync))
			}
		},
		"in a batch": func(t *testing.T, store *DB) {
			var b Batch
			for i := range keys {
				b.Delete(fmt.Appendf(nil, "key%06d", i))
			}
			check(t, store.Apply(&b, NoSync))
		},
	} {
		for _, flushed := range []string{"put in memory", "put in a table"} {
			t.Run(name+", "+flushed, func(t *testing.T) {
				disk := fsys.NewMem()
				store := openStore(t, disk, func(o *Options) { o.MemTableSize = 1 << 20 })
				fill(t, store, keys, 20, "")
				if flushed == "put in a table" {
					flush(t, store)
				}
				clear(t, store)
				check(t, store.Sync())
				for _, left := range []*fsys.Mem{disk.Clone(), disk.CrashClone(nil)} {
					if got := keysOf(t, openStore(t, left), Range{}); len(got) != 0 {
						t.Errorf("%d keys came back", len(got))
					}
				}
				check(t, store.Put([]byte("key000007"), nil))
				for _, left := range []*fsys.Mem{disk.Clone(), disk.CrashClone(nil)} {
					if got := fmt.Sprint(keysOf(t, openStore(t, left), Range{})); got != "[key000007]" {
						t.Errorf("the keys are %s", got)
					}
				}
			})
		}
	}
}
