package sstable

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/cache"
	"siftdb/internal/fsys"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// failing is a file whose reads fail.
type failing struct {
	fsys.File
	err error
}

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// mending is a file whose reads fail until it is mended.
type mending struct {
	failing
	mended bool
}

func (m *mending) ReadAt(p []byte, offset int64) (int, error) {
	if m.mended {
		return m.File.ReadAt(p, offset)
	}
	return m.failing.ReadAt(p, offset)
}

// Opening is one read with the tail's size and two without; a look-up is one read, and none once cached; and the
// counts given to the caller are those of the file.
func TestReadsAreCounted(t *testing.T) {
	var c fsys.Counters
	f, p := write(t, filtered(), numbered(5000, 40))
	counted := fsys.Counted(f, &c)
	options := ReaderOptions{Name: "table", ID: 1, Cache: cache.New(1 << 20)}
	if _, err := Open(counted, p.FileSize, options); err != nil || c.Reads.Load() != 2 || c.BytesRead.Load() != p.TailSize {
		t.Fatalf("opening without the tail's size: %d reads, %d bytes, %v", c.Reads.Load(), c.BytesRead.Load(), err)
	}
	c.Reads.Store(0)
	c.BytesRead.Store(0)
	options.TailSize = p.TailSize
	r, err := Open(counted, p.FileSize, options)
	if err != nil || c.Reads.Load() != 1 || c.BytesRead.Load() != p.TailSize {
		t.Fatalf("opening: %d reads, %d bytes, %v", c.Reads.Load(), c.BytesRead.Load(), err)
	}
	c.Reads.Store(0)
	c.BytesRead.Store(0)
	var a Access
	get := func(mode Mode, user []byte, cached, read int) {
		t.Helper()
		a = Access{Mode: mode}
		before, bytes := c.Reads.Load(), c.BytesRead.Load()
		if _, _, _, err := r.Get(user, key.MaxSeq, &a); err != nil {
			t.Fatal(err)
		}
		if a.BlocksCached != cached || a.BlocksRead != read || int64(read) != c.Reads.Load()-before || a.BytesRead != c.BytesRead.Load()-bytes {
			t.Errorf("mode %d: %+v, %d reads of the file", mode, a, c.Reads.Load()-before)
		}
	}
	present, absent := numberedKey(4000).User, numberedKey(4001).User
	get(SkipCache, present, 0, 1)
	get(PeekCache, present, 0, 1)
	get(UseCache, present, 0, 1)
	get(UseCache, present, 1, 0)
	get(UseCache, absent, 1, 0)
	get(PeekCache, present, 1, 0)
	get(SkipCache, present, 0, 1)
	// A walk reads each block once, most of them together with others.
	c.Reads.Store(0)
	c.BytesRead.Store(0)
	a = Access{Mode: SkipCache}
	it := r.NewIter(&a)
	for ok := it.First(); ok; ok = it.Next() {
	}
	if reads, bytes := c.Reads.Load(), c.BytesRead.Load(); uint64(a.BlocksRead) != p.DataBlocks || a.BytesRead != int64(p.DataBytes) ||
		bytes != a.BytesRead || reads > 3+bytes/leastAhead {
		t.Errorf("a walk over %d blocks of %d bytes says %+v, and read %d bytes in %d times", p.DataBlocks, p.DataBytes, a, bytes, reads)
	}
}

// An absent key costs at most the one block it could be in, also at block boundaries.
func TestAbsentKeysReadOneBlock(t *testing.T) {
	o := filtered()
	o.BlockSize = 128
	entries := numbered(500, 10)
	r := build(t, o, entries)
	for i := range 1001 {
		a := Access{Mode: SkipCache}
		for _, user := range [][]byte{numberedKey(i).User, append(numberedKey(i).User, 0), numberedKey(i).User[:9]} {
			a.BlocksRead = 0
			if _, _, _, err := r.Get(user, key.MaxSeq, &a); err != nil || a.BlocksRead > 1 {
				t.Fatalf("%q: %d blocks, %v", user, a.BlocksRead, err)
			}
		}
	}
}

// Versions of one key over many blocks: every sequence number finds its own, Hidden tells from Absent.
func TestVersionsOverManyBlocks(t *testing.T) {
	var entries []check.Entry
	add := func(user string, from, to key.Seq) {
		for seq := from; seq >= to; seq-- {
			entries = append(entries, check.Entry{Key: key.Make([]byte(user), 2*seq, key.KindSet), Value: fmt.Append(nil, seq)})
		}
	}
	add("a", 50, 50)
	add("b", 300, 100)
	add("bb", 7, 3)
	add("c", 90, 90)
	for _, size := range []int{64, 100, 1000, 4096} {
		o := filtered()
		o.BlockSize = size
		r := build(t, o, entries)
		var a Access
		for _, user := range []string{"", "a", "aa", "b", "ba", "bb", "bba", "c", "d"} {
			for seq := range key.Seq(610) {
				checkGet(t, r, &a, entries, []byte(user), seq)
			}
		}
		it := r.NewIter(&a)
		for i, e := range entries {
			if !it.SeekGE(e.Key) || key.Compare(it.Key(), e.Key) != 0 {
				t.Fatalf("SeekGE(%s) is at %s", e.Key, it.Key())
			}
			if it.SeekLT(e.Key) != (i > 0) || i > 0 && key.Compare(it.Key(), entries[i-1].Key) != 0 {
				t.Fatalf("SeekLT(%s) is at %s", e.Key, it.Key())
			}
		}
	}
}

// Nothing is allocated when the block is in the cache, whatever the answer.
func TestGetDoesNotAllocate(t *testing.T) {
	for _, c := range []Compression{Snappy, NoCompression} {
		o := filtered()
		o.Compression = c
		r := build(t, o, numbered(2000, 30))
		filter := filterOf(r)
		var a Access
		for _, user := range [][]byte{numberedKey(500).User, numberedKey(501).User} {
			get := func() {
				filter.MayContain(bloom.Sum(user))
				if _, _, _, err := r.Get(user, key.MaxSeq, &a); err != nil {
					t.Fatal(err)
				}
			}
			get()
			if n := testing.AllocsPerRun(100, get); n != 0 {
				t.Errorf("%s, %q: %v allocations", c, user, n)
			}
		}
	}
}

// A value that Get found is there until the Access is used again, whatever others do meanwhile with a cache that holds
// nearly nothing. What an iterator gave stays until it moves on, whatever others read.
func TestValuesStay(t *testing.T) {
	r := newRand(t)
	entries := numbered(2000, 200)
	for i := range entries[1000:] { // so that there are blocks that do not compress
		for j := range entries[i].Value {
			entries[i].Value[j] = byte(r.Uint32())
		}
	}
	f, p := write(t, filtered(), entries)
	table, err := Open(f, p.FileSize, ReaderOptions{Name: "table", Cache: cache.New(20 << 10)})
	if err != nil {
		t.Fatal(err)
	}
	accesses, found := make([]Access, 5), make([]int, 5)
	values := make([][]byte, len(accesses))
	check := func() {
		for j, value := range values {
			if value != nil && string(value) != string(entries[found[j]].Value) {
				t.Fatalf("value %d became %q", found[j], value)
			}
		}
	}
	var walk Access
	it := table.NewIter(&walk)
	at := 0
	for ok := it.First(); ok; ok = it.Next() {
		walked := it.Value()
		j, i := r.IntN(len(accesses)), r.IntN(len(entries))
		values[j] = nil
		if r.IntN(4) == 0 {
			accesses[j].Release()
		} else if values[j], _, _, err = table.Get(entries[i].Key.User, key.MaxSeq, &accesses[j]); err != nil {
			t.Fatal(err)
		}
		found[j] = i
		check()
		if string(walked) != string(entries[at].Value) {
			t.Fatalf("value %d of the walk became %q", at, walked)
		}
		at++
	}
	if at != len(entries) {
		t.Fatalf("the walk ended after %d of %d entries", at, len(entries))
	}
}

func TestManyReaders(t *testing.T) {
	entries := numbered(3000, 30)
	f, p := write(t, filtered(), entries)
	r, err := Open(f, p.FileSize, ReaderOptions{Name: "table", Cache: cache.New(64 << 10)})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			a := Access{Mode: Mode(g % 3)}
			for i := g; i < 6000; i += 7 {
				value, _, o, err := r.Get(numberedKey(i).User, key.MaxSeq, &a)
				if err != nil || (o == Found) != (i%2 == 0) || o == Found && string(value) != string(entries[i/2].Value) {
					t.Errorf("%d: %q, %s, %v", i, value, o, err)
				}
			}
			it := r.NewIter(&a)
			for ok := it.SeekGE(numberedKey(500 * g)); ok; ok = it.Next() {
			}
		})
	}
	wg.Wait()
}

func TestVerifyEndsWithItsContext(t *testing.T) {
	r := build(t, filtered(), numbered(10, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Verify(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
