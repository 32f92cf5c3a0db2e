package sstable

import (
	"bytes"
	"errors"
	"testing"

	"siftdb/internal/cache"
	"siftdb/internal/corrupt"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// damageTable is a small table with everything in it: several blocks, versions, deletions, both kinds of blocks.
func damageTable(t *testing.T) ([]check.Entry, []byte, Properties) {
	entries := numbered(40, 3)
	for i := range entries {
		if i%5 == 0 {
			entries[i].Key.Trailer, entries[i].Value = key.MakeTrailer(key.Seq(i), key.KindDelete), nil
		}
		if i%7 == 0 {
			entries[i].Value = bytes.Repeat([]byte("z"), 100)
		}
	}
	o := filtered()
	o.BlockSize = 256
	f, p := write(t, o, entries)
	return entries, contents(t, f), p
}

// A flipped bit anywhere is an error that names the place, or hurts the filter only; never a wrong answer, and
// never unseen by Verify (COR-01, COR-02).
func TestEveryFlippedByte(t *testing.T) {
	entries, good, p := damageTable(t)
	flips := []byte{1, 0x80, 0xff}
	if testing.Short() {
		flips = flips[:1]
	}
	for at := range good {
		for _, flip := range flips {
			file := bytes.Clone(good)
			file[at] ^= flip
			tail := p.TailSize * int64(at%2)
			r, err := Open(fileOf(t, file), p.FileSize, ReaderOptions{Name: "table", TailSize: tail, Cache: cache.New(1 << 16)})
			inFilter := at >= int(p.DataBytes) && at < int(p.DataBytes+p.FilterBytes)
			inData := at < int(p.DataBytes)
			if err != nil {
				checkTyped(t, err, at)
				if inFilter || inData {
					t.Errorf("byte %d: the table does not open: %v", at, err)
				}
				continue
			}
			if inFilter != (problemOf(r) != nil) || !inFilter && !inData {
				t.Errorf("byte %d flipped: filter problem %v, filter is %v to %v", at, problemOf(r), p.DataBytes, p.DataBytes+p.FilterBytes)
			}
			checkTyped(t, r.Verify(t.Context()), at)
			failed := readAll(t, r, entries)
			if inData && failed == nil {
				t.Errorf("byte %d flipped: nothing noticed it", at)
			}
			if inFilter && failed != nil {
				t.Errorf("byte %d flipped in the filter: %v", at, failed)
			}
		}
	}
}

// checkTyped asserts a corruption error of the table, at or before the bad byte.
func checkTyped(t *testing.T, err error, at int) {
	t.Helper()
	bad, ok := errors.AsType[*corrupt.Error](err)
	if !ok || bad.File != "table" || bad.Offset < 0 {
		t.Errorf("byte %d: the error is %v", at, err)
	}
}

// readAll reads everything in every way and checks what is answered. The result is an error that came, if any.
func readAll(t *testing.T, r *Reader, entries []check.Entry) (failed error) {
	t.Helper()
	note := func(err error) {
		if !errors.Is(err, corrupt.ErrCorrupt) {
			t.Errorf("an error that is not a corruption: %v", err)
		}
		failed = err
	}
	for _, e := range entries {
		want, _ := newest(entries, e.Key.User, key.MaxSeq)
		value, kind, o, err := r.Get(e.Key.User, key.MaxSeq, &Access{})
		if err != nil {
			note(err)
		} else if o != Found || kind != want.Key.Kind() || !bytes.Equal(value, want.Value) {
			t.Errorf("Get(%q): %s %s %q, want %s", e.Key.User, o, kind, value, want)
		}
	}
	it := r.NewIter(&Access{Mode: SkipCache})
	i := 0
	for ok := it.First(); ok; ok = it.Next() {
		if i >= len(entries) || key.Compare(it.Key(), entries[i].Key) != 0 || !bytes.Equal(it.Value(), entries[i].Value) {
			t.Fatalf("entry %d is %s", i, it.Key())
		}
		i++
	}
	if it.Err() != nil {
		note(it.Err())
	} else if i != len(entries) {
		t.Errorf("%d of %d entries", i, len(entries))
	}
	i = len(entries)
	for ok := it.Last(); ok; ok = it.Prev() {
		if i--; i < 0 || key.Compare(it.Key(), entries[i].Key) != 0 {
			t.Fatalf("entry %d is %s", i, it.Key())
		}
	}
	if it.Err() != nil {
		note(it.Err())
	} else if i != 0 {
		t.Errorf("backwards %d entries are missing", i)
	}
	return failed
}

// A table that ends anywhere before its end is a typed error: when its true size is known and when the size that
// it should have is.
func TestEveryTruncation(t *testing.T) {
	_, good, p := damageTable(t)
	for n := range good {
		f := fileOf(t, good[:n])
		for _, size := range []int64{int64(n), p.FileSize} {
			for _, tail := range []int64{0, p.TailSize} {
				_, err := Open(f, size, ReaderOptions{Name: "table", TailSize: tail})
				checkTyped(t, err, n)
			}
		}
	}
	longer := append(bytes.Clone(good), make([]byte, 100)...)
	_, err := Open(fileOf(t, longer), int64(len(longer)), ReaderOptions{Name: "table"})
	checkTyped(t, err, len(good))
}

// Two good blocks that changed places are noticed, since a checksum holds its block's offset.
func TestBlocksInWrongPlaces(t *testing.T) {
	o := WriterOptions{BlockSize: 256, Compression: NoCompression}
	entries := numbered(100, 10)
	for i := range entries {
		entries[i].Key.Trailer = key.MakeTrailer(1, key.KindSet)
	}
	f, p := write(t, o, entries)
	file := contents(t, f)
	r := open(t, f, p.FileSize, p.TailSize)
	a, b := r.index.block(1), r.index.block(2)
	if a.length != b.length {
		t.Fatalf("blocks of %d and %d bytes", a.length, b.length)
	}
	first := bytes.Clone(file[a.offset:a.end()])
	copy(file[a.offset:], file[b.offset:b.end()])
	copy(file[b.offset:], first)
	checkTyped(t, open(t, fileOf(t, file), p.FileSize, 0).Verify(t.Context()), int(a.offset))
}

// The caller's idea of the tail's size has to agree with the file.
func TestWrongTailSize(t *testing.T) {
	_, good, p := damageTable(t)
	for _, tail := range []int64{-1, 1, footerSize - 1, footerSize, p.TailSize - 1, p.TailSize + 1, p.FileSize, p.FileSize + 1, 1 << 62} {
		_, err := Open(fileOf(t, good), p.FileSize, ReaderOptions{Name: "table", TailSize: tail})
		checkTyped(t, err, int(p.DataBytes))
	}
}

// A reading error that is not about the bytes stays what it is.
func TestReadErrorsKeepTheirCause(t *testing.T) {
	f, p := write(t, filtered(), numbered(100, 10))
	cause := errors.New("the disk is on fire")
	if _, err := Open(failing{f, cause}, p.FileSize, ReaderOptions{Name: "table"}); !errors.Is(err, cause) || errors.Is(err, corrupt.ErrCorrupt) {
		t.Error(err)
	}
	r := open(t, f, p.FileSize, 0)
	broken := &mending{failing: failing{f, cause}}
	r.source.file = broken
	if _, _, _, err := r.Get(numberedKey(0).User, key.MaxSeq, &Access{}); !errors.Is(err, cause) {
		t.Error(err)
	}
	it := r.NewIter(&Access{})
	if it.First() || !errors.Is(it.Err(), cause) || it.Valid() {
		t.Error(it.Err())
	}
	if err := r.Verify(t.Context()); !errors.Is(err, cause) {
		t.Error(err)
	}
	broken.mended = true
	if !it.First() || it.Err() != nil {
		t.Errorf("a positioning call after the error: %v", it.Err())
	}
}
