package sstable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/cache"
	"siftdb/internal/fsys"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// benchEntries are 100,000 entries of 16 byte keys in random steps and 100 byte values, half of them compressible.
func benchEntries() []check.Entry {
	r := rand.New(rand.NewPCG(1, 1))
	entries := make([]check.Entry, 100_000)
	n := uint64(0)
	for i := range entries {
		n += 1 + r.Uint64N(1000)
		value := make([]byte, 100)
		for j := range value[:50] {
			value[j] = byte(r.Uint32())
		}
		entries[i] = check.Entry{Key: key.Make(fmt.Appendf(nil, "user%012d", n), key.Seq(i+1), key.KindSet), Value: value}
	}
	return entries
}

// benchTable is a table of them, wholly cached once read.
func benchTable(b *testing.B, entries []check.Entry, c Compression) *Reader {
	o := filtered()
	o.Compression = c
	f, p := write(b, o, entries)
	r, err := Open(f, p.FileSize, ReaderOptions{Name: "table", Cache: cache.New(64 << 20), TailSize: p.TailSize})
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// shuffled is keys in random order, each followed by suffix.
func shuffled(entries []check.Entry, suffix string) [][]byte {
	keys := make([][]byte, len(entries))
	for i, j := range rand.New(rand.NewPCG(2, 2)).Perm(len(entries)) {
		keys[i] = append([]byte(string(entries[j].Key.User)), suffix...)
	}
	return keys
}

// benchGet looks up the first n keys of the table, each with suffix, in random order.
func benchGet(b *testing.B, n int, suffix string, want Outcome, mode Mode) {
	entries := benchEntries()[:n]
	r, keys := benchTable(b, entries, Snappy), shuffled(entries, suffix)
	a := Access{Mode: mode}
	for _, k := range keys {
		r.Get(k, key.MaxSeq, &a)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, _, o, err := r.Get(keys[i], key.MaxSeq, &a); o != want || err != nil {
			b.Fatal(o, err)
		}
		if i++; i == len(keys) {
			i = 0
		}
	}
}

func BenchmarkGetHitCached(b *testing.B)    { benchGet(b, 100_000, "", Found, UseCache) }
func BenchmarkGetAbsentCached(b *testing.B) { benchGet(b, 100_000, "x", Absent, UseCache) }
func BenchmarkGetHitRead(b *testing.B)      { benchGet(b, 100_000, "", Found, SkipCache) }

// BenchmarkGetHitHot is of a table that fits the processor's cache: the work without waiting for memory.
func BenchmarkGetHitHot(b *testing.B) { benchGet(b, 1000, "", Found, UseCache) }

// BenchmarkGetAbsentFiltered is what a false key costs with the filter asked first.
func BenchmarkGetAbsentFiltered(b *testing.B) {
	entries := benchEntries()
	r, keys := benchTable(b, entries, Snappy), shuffled(entries, "x")
	b.ReportAllocs()
	var a Access
	i, filter := 0, filterOf(r)
	for b.Loop() {
		if filter.MayContain(bloom.Sum(keys[i])) {
			r.Get(keys[i], key.MaxSeq, &a)
		}
		if i++; i == len(keys) {
			i = 0
		}
	}
}

func BenchmarkIndexSearch(b *testing.B) {
	entries := benchEntries()
	r, keys := benchTable(b, entries, Snappy), shuffled(entries, "")
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		r.index.search(keys[i])
		if i++; i == len(keys) {
			i = 0
		}
	}
}

// The walks report the time of one entry.
func benchWalk(b *testing.B, start, step func(*Iter) bool, mode Mode) {
	r := benchTable(b, benchEntries(), Snappy)
	a := Access{Mode: mode}
	it := r.NewIter(&a)
	b.ReportAllocs()
	ok := false
	for b.Loop() {
		if ok {
			ok = step(it)
		} else {
			ok = start(it)
		}
	}
	if it.Err() != nil {
		b.Fatal(it.Err())
	}
}

func BenchmarkNextCached(b *testing.B) { benchWalk(b, (*Iter).First, (*Iter).Next, UseCache) }
func BenchmarkPrevCached(b *testing.B) { benchWalk(b, (*Iter).Last, (*Iter).Prev, UseCache) }
func BenchmarkNextRead(b *testing.B)   { benchWalk(b, (*Iter).First, (*Iter).Next, SkipCache) }

// BenchmarkBuild builds whole tables of 100,000 entries, 11.6 MB raw.
func BenchmarkBuild(b *testing.B) {
	entries := benchEntries()
	for _, c := range []Compression{Snappy, NoCompression} {
		for _, name := range []string{"filter", "no filter"} {
			b.Run(c.String()+"/"+name, func(b *testing.B) {
				disk := fsys.NewMem()
				b.SetBytes(116 * int64(len(entries)))
				b.ReportAllocs()
				for b.Loop() {
					var o WriterOptions
					if name == "filter" {
						o = filtered()
					}
					o.Compression = c
					f, err := disk.Create("table")
					if err != nil {
						b.Fatal(err)
					}
					w := NewWriter(f, "table", o)
					for _, e := range entries {
						w.Add(e.Key, e.Value)
					}
					if _, err := w.Finish(); err != nil {
						b.Fatal(err)
					}
					f.Close()
				}
			})
		}
	}
}

// BenchmarkFilterCheck is the part of a build in which the finished filter is asked for each of 100,000 keys.
func BenchmarkFilterCheck(b *testing.B) {
	entries := benchEntries()
	w := filterWriter{builder: tenBits.Builder(bloom.Place{})}
	defer w.hashes.release()
	for _, e := range entries {
		w.add(e.Key.User)
	}
	w.handOver()
	bytes, err := w.builder.Append(nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if filter, err := bloom.Parse(bytes); err != nil || !w.knownTo(filter) {
			b.Fatal("the filter denies a key", err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	f, p := write(b, filtered(), benchEntries())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(f, p.FileSize, ReaderOptions{Name: "table", TailSize: p.TailSize}); err != nil {
			b.Fatal(err)
		}
	}
}
