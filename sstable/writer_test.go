package sstable

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
	"siftdb/internal/offheap"
)

func TestWriterRefusesDisorder(t *testing.T) {
	set := func(user string, seq key.Seq) key.Key { return key.Make([]byte(user), seq, key.KindSet) }
	for _, pair := range [][2]key.Key{
		{set("b", 1), set("a", 1)},
		{set("ab", 1), set("a", 2)},
		{set("a", 5), set("a", 5)},
		{set("a", 5), set("a", 6)},
		{set("a", 5), key.Make([]byte("a"), 5, key.KindMax)},
		{set("", 1), set("", 2)},
	} {
		w := NewWriter(memFile(t), "table", WriterOptions{})
		if err := w.Add(pair[0], nil); err != nil {
			t.Fatal(err)
		}
		first := w.Add(pair[1], nil)
		if first == nil {
			t.Errorf("%s was taken after %s", pair[1], pair[0])
		}
		if err := w.Add(set("z", 1), nil); err != first {
			t.Errorf("after an error Add gives %v", err)
		}
		if _, err := w.Finish(); err != first {
			t.Errorf("after an error Finish gives %v", err)
		}
	}
	w := NewWriter(memFile(t), "table", WriterOptions{})
	if err := w.Add(key.Make(nil, 1, 7), nil); err == nil {
		t.Error("an unknown kind was taken")
	}
}

func TestWriterIsSpentByFinish(t *testing.T) {
	w := NewWriter(memFile(t), "table", WriterOptions{})
	if _, err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(key.Make(nil, 1, key.KindSet), nil); err == nil {
		t.Error("Add after Finish")
	}
	if _, err := w.Finish(); err == nil {
		t.Error("a second Finish")
	}
}

// The writer keeps nothing of what it is given (ITR-05).
func TestWriterCopies(t *testing.T) {
	f := memFile(t)
	w := NewWriter(f, "table", filtered())
	user, value := make([]byte, 8), make([]byte, 30)
	entries := numbered(500, 30)
	for _, e := range entries {
		user, value = append(user[:0], e.Key.User...), append(value[:0], e.Value...)
		if err := w.Add(key.Key{User: user, Trailer: e.Key.Trailer}, value); err != nil {
			t.Fatal(err)
		}
		for _, b := range [][]byte{user, value} {
			for i := range b {
				b[i] = 0xff
			}
		}
	}
	p, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if _, want := write(t, filtered(), entries); fmt.Sprint(p) != fmt.Sprint(want) {
		t.Errorf("properties %+v, want %+v", p, want)
	}
	r := open(t, f, p.FileSize, p.TailSize)
	for _, e := range entries {
		checkGet(t, r, &Access{}, entries, e.Key.User, key.MaxSeq)
	}
}

// Size leads to tables of the size that was wanted, filter and index included (LIM-03).
func TestSizeIsAboutTheFile(t *testing.T) {
	r := newRand(t)
	for range 100 {
		o := randomOptions(r)
		o.Compression = NoCompression
		w := NewWriter(memFile(t), "table", o)
		for _, e := range randomEntries(r) {
			if err := w.Add(e.Key, e.Value); err != nil {
				t.Fatal(err)
			}
		}
		said := w.Size() - int64(w.index.prefix*len(w.index.ends))
		p, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if diff := math.Abs(float64(said - p.FileSize)); diff > 500+0.2*float64(p.FileSize) {
			t.Errorf("Size said %d, the file has %d: %+v", said, p.FileSize, p)
		}
		if p.FileSize != p.TailSize+int64(p.DataBytes+p.FilterBytes) {
			t.Errorf("file %d, tail %d, data %d", p.FileSize, p.TailSize, p.DataBytes)
		}
	}
}

func TestEmptyTable(t *testing.T) {
	for _, o := range []WriterOptions{{}, filtered()} {
		f, p := write(t, o, nil)
		for _, tail := range []int64{0, p.TailSize} {
			r := open(t, f, p.FileSize, tail)
			if r.Properties().Entries != 0 || problemOf(r) != nil {
				t.Errorf("%+v, %v", r.Properties(), problemOf(r))
			}
			checkGet(t, r, &Access{}, nil, nil, key.MaxSeq)
			checkGet(t, r, &Access{}, nil, []byte("a"), key.MaxSeq)
			it := r.NewIter(&Access{})
			if it.First() || it.Last() || it.SeekGE(key.Lookup(nil, key.MaxSeq)) || it.SeekLT(key.Lookup([]byte("z"), 0)) || it.Err() != nil {
				t.Errorf("an iterator over nothing is somewhere, or has error %v", it.Err())
			}
			if err := r.Verify(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// Every number of entries around the restart interval, the block's and the filter's cuts (FLT-03).
func TestEveryCount(t *testing.T) {
	const cut = 3 * restartInterval
	for n := range 3 * cut {
		o := filtered()
		o.BlockSize = 512
		entries := numbered(n, 8)
		r := build(t, o, entries)
		if p := r.Properties(); p.Keys != uint64(n) || filterOf(r) == nil || filterOf(r).Keys() != uint64(n) {
			t.Fatalf("%d keys: properties %+v, filter %v", n, p, filterOf(r))
		}
		for i := range 2*n + 1 {
			checkGet(t, r, &Access{}, entries, numberedKey(i).User, key.MaxSeq)
		}
		if err := r.Verify(t.Context()); err != nil {
			t.Fatal(n, err)
		}
	}
}

// The empty key and the empty value are a key and a value (LIM-05).
func TestEmptyKeyAndValue(t *testing.T) {
	entries := []check.Entry{{Key: key.Make([]byte{}, 3, key.KindSet), Value: []byte("v")}, {Key: key.Make(nil, 2, key.KindSet)}, {Key: key.Make(nil, 1, key.KindDelete)}}
	for n := range entries {
		r := build(t, filtered(), entries[n:])
		for seq := range key.Seq(5) {
			checkGet(t, r, &Access{}, entries[n:], nil, seq)
			checkGet(t, r, &Access{}, entries[n:], []byte{}, seq)
			checkGet(t, r, &Access{}, entries[n:], []byte{0}, seq)
		}
		if err := r.Verify(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestLargeValues(t *testing.T) {
	sizes := []int{0, 1, 4090, 4096, 4097, writeChunk - 1, writeChunk, writeChunk + 1, 3 << 20}
	if !testing.Short() {
		sizes = append(sizes, maxCompressed+1)
	}
	for _, c := range []Compression{Snappy, NoCompression} {
		var entries []check.Entry
		for i, n := range sizes {
			e := numbered(i+1, 1)[i]
			e.Value = bytes.Repeat([]byte{byte(i), 1, 2, 3}, n/4+1)[:n]
			entries = append(entries, e)
		}
		r := build(t, WriterOptions{Compression: c}, entries)
		for _, e := range entries {
			checkGet(t, r, &Access{}, entries, e.Key.User, key.MaxSeq)
		}
		if err := r.Verify(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestTooLargeEntries(t *testing.T) {
	if testing.Short() || math.MaxInt == math.MaxInt32 {
		t.Skip("needs a gigabyte of address space")
	}
	value := make([]byte, MaxEntry+1) // never touched, so no memory behind it
	w := NewWriter(memFile(t), "table", WriterOptions{})
	if err := w.Add(key.Make(nil, 1, key.KindSet), value); !errors.Is(err, ErrTooLarge) || !strings.HasPrefix(err.Error(), "siftdb: ") {
		t.Errorf("a value of %d bytes: %v", len(value), err)
	}
	w = NewWriter(memFile(t), "table", WriterOptions{})
	if err := w.Add(key.Make([]byte("key"), 1, key.KindSet), value[:MaxEntry]); !errors.Is(err, ErrTooLarge) {
		t.Errorf("key and value of %d bytes: %v", MaxEntry+3, err)
	}
}

// A write that fails fails the table, with the cause.
func TestWriteErrors(t *testing.T) {
	entries := numbered(20_000, 60)
	for _, room := range []int64{0, 1, writeChunk - 1, writeChunk, 2*writeChunk + 1, 800_000} {
		disk := fsys.NewMem()
		disk.SetRoom(room)
		f, err := disk.Create("table")
		if err != nil {
			t.Fatal(err)
		}
		w := NewWriter(f, "table", WriterOptions{Compression: NoCompression})
		for _, e := range entries {
			if err = w.Add(e.Key, e.Value); err != nil {
				break
			}
		}
		_, finish := w.Finish()
		if !errors.Is(finish, syscall.ENOSPC) || err != nil && err != finish {
			t.Errorf("room for %d bytes: Add %v, Finish %v", room, err, finish)
		}
		f.Close()
	}
}

// TestWritersLeaveNoMemory: what is outside the heap goes with Finish, whether that works or not, and with the Writer
// where nobody calls it.
func TestWritersLeaveNoMemory(t *testing.T) {
	entries := numbered(20_000, 20)
	ends := map[string]func(w *Writer, disk *fsys.Fault) error{
		"finished": func(w *Writer, _ *fsys.Fault) error { _, err := w.Finish(); return err },
		"failed": func(w *Writer, disk *fsys.Fault) error {
			disk.SetHook(fsys.FailNth(1, syscall.EIO, fsys.OpWriteAt))
			_, err := w.Finish()
			return err
		},
		"in disorder": func(w *Writer, _ *fsys.Fault) error {
			err := w.Add(entries[0].Key, nil)
			w.Finish()
			return err
		},
		"given up": func(*Writer, *fsys.Fault) error { return errors.New("given up") },
	}
	for name, end := range ends {
		before := offheap.Held()
		disk := fsys.NewFault(fsys.NewMem())
		f, err := disk.Create("table")
		if err != nil {
			t.Fatal(err)
		}
		w := NewWriter(f, "table", filtered())
		for _, e := range entries {
			if err := w.Add(e.Key, e.Value); err != nil {
				t.Fatal(err)
			}
		}
		if least := int64(len(entries) * hashSize); offheap.Untouched && offheap.Held() < least {
			t.Errorf("%s: %d bytes are outside the heap, there are %d of hashes", name, offheap.Held(), least)
		}
		if err := end(w, disk); (err == nil) != (name == "finished") {
			t.Errorf("%s: %v", name, err)
		}
		if held := offheap.Held(); name != "given up" && held > before {
			t.Errorf("%s: %d bytes are outside the heap still", name, held-before)
		}
		w = nil
		for offheap.Held() > before { // the test's deadline is the limit
			runtime.GC()
		}
		f.Close()
	}
}
