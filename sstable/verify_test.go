package sstable

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/cache"
	"siftdb/internal/corrupt"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// forgery is a table whose checksums are right whatever is wrong with it otherwise.
type forgery struct {
	blocks     [][]check.Entry
	separators []string
	restarts   func(restarts []uint32) // changes those of the first block
	props      func(p *Properties)
	filtered   []string // what the filter is built from; nil: the keys
}

func (g forgery) open(t *testing.T) *Reader {
	t.Helper()
	var data []byte
	var w indexWriter
	var p Properties
	raw := sealer{compression: NoCompression}
	builder := tenBits.Builder(bloom.Place{})
	for i, entries := range g.blocks {
		var b blockWriter
		for j, e := range entries {
			b.add(e.Key, 0, e.Value)
			p.count(e.Key, e.Value, j > 0 && bytes.Equal(e.Key.User, entries[j-1].Key.User))
			p.Largest = e.Key
			if g.filtered == nil {
				builder.Add(bloom.Sum(e.Key.User))
			}
		}
		if i == 0 && g.restarts != nil {
			g.restarts(b.restarts)
		}
		stored := raw.seal(b.finish(), int64(len(data)))
		data = append(data, stored...)
		w.addBlock(int64(len(stored)))
		if i < len(g.separators) {
			if err := w.addSeparator([]byte(g.separators[i]), []byte(g.separators[i])); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, user := range g.filtered {
		builder.Add(bloom.Sum([]byte(user)))
	}
	filter, err := builder.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.DataBlocks, p.FilterFamily, p.filterSum = uint64(len(g.blocks)), "any", filterSum(filter)
	if g.props != nil {
		g.props(&p)
	}
	file := assemble(data, filter, w.append(nil), p.append(nil))
	r, err := Open(fileOf(t, file), int64(len(file)), ReaderOptions{Name: "table"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// letters makes one entry of each letter.
func letters(s string) []check.Entry {
	var entries []check.Entry
	for i := range s {
		entries = append(entries, check.Entry{Key: key.Make([]byte(s[i:i+1]), 5, key.KindSet), Value: []byte("v")})
	}
	return entries
}

// What checksums cannot notice, a wrong program, Verify does.
func TestVerifyFindsWrongMeanings(t *testing.T) {
	good := forgery{blocks: [][]check.Entry{letters("abc"), letters("efg")}, separators: []string{"d"}}
	if err := good.open(t).Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(g *forgery){
		"order in a block":    func(g *forgery) { g.blocks[0] = letters("acb") },
		"a key twice":         func(g *forgery) { g.blocks[0] = letters("abb") },
		"order across blocks": func(g *forgery) { g.blocks[1] = letters("bfg") },
		"separator too small": func(g *forgery) { g.separators[0] = "bz" },
		"separator too large": func(g *forgery) { g.separators[0] = "e" },
		"restart in an entry": func(g *forgery) {
			g.blocks[0] = letters("abcdefghijklmnopqrst")
			g.restarts = func(r []uint32) { r[1]++ }
		},
		"restart before another": func(g *forgery) {
			g.blocks[0] = letters("abcdefghijklmnopqrst")
			g.restarts = func(r []uint32) { r[1] = 0 }
		},
		"filter of other keys": func(g *forgery) { g.filtered = []string{"0", "1", "2", "3", "4", "5"} },
		"entries":              func(g *forgery) { g.props = func(p *Properties) { p.Entries++ } },
		"keys":                 func(g *forgery) { g.props = func(p *Properties) { p.Keys--; p.FilterFamily = "" } },
		"deletions":            func(g *forgery) { g.props = func(p *Properties) { p.Deletions++ } },
		"bytes of keys":        func(g *forgery) { g.props = func(p *Properties) { p.RawKeyBytes++ } },
		"bytes of values":      func(g *forgery) { g.props = func(p *Properties) { p.RawValueBytes++ } },
		"smallest seq":         func(g *forgery) { g.props = func(p *Properties) { p.SmallestSeq-- } },
		"largest seq":          func(g *forgery) { g.props = func(p *Properties) { p.LargestSeq++ } },
		"smallest key":         func(g *forgery) { g.props = func(p *Properties) { p.Smallest.User = []byte("A") } },
		"largest key":          func(g *forgery) { g.props = func(p *Properties) { p.Largest.User = []byte("z") } },
	} {
		g := forgery{blocks: [][]check.Entry{letters("abc"), letters("efg")}, separators: []string{"d"}}
		change(&g)
		if len(g.blocks[0]) > 3 {
			g.blocks, g.separators = g.blocks[:1], nil
		}
		if err := g.open(t).Verify(t.Context()); !errors.Is(err, corrupt.ErrCorrupt) {
			t.Errorf("%s: Verify says %v", name, err)
		}
	}
}

// Restart points in any order do not send a walk backwards in circles.
func TestWalkBackwardsEnds(t *testing.T) {
	r := newRand(t)
	for range 200 {
		g := forgery{blocks: [][]check.Entry{letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")}}
		g.restarts = func(restarts []uint32) {
			for i := range restarts[1:] {
				restarts[i+1] = restarts[r.IntN(len(restarts))]
			}
		}
		it := g.open(t).NewIter(&Access{})
		steps := 0
		for ok := it.Last(); ok; ok = it.Prev() {
			if steps++; steps > 52 {
				t.Fatal("it does not end")
			}
		}
	}
}

func TestContradictoryProperties(t *testing.T) {
	_, good := write(t, filtered(), numbered(10, 1))
	if _, _, err := parseProperties(good.append(nil)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(p *Properties){
		"more keys than entries":      func(p *Properties) { p.Keys = 11 },
		"more deletions than entries": func(p *Properties) { p.Deletions = 11 },
		"no keys":                     func(p *Properties) { p.Keys = 0 },
		"no blocks":                   func(p *Properties) { p.DataBlocks = 0 },
		"more blocks than entries":    func(p *Properties) { p.DataBlocks = 11 },
		"sequence numbers":            func(p *Properties) { p.SmallestSeq = p.LargestSeq + 1 },
		"too large a sequence number": func(p *Properties) { p.LargestSeq = key.MaxSeq + 1 },
		"bounds":                      func(p *Properties) { p.Smallest, p.Largest = p.Largest, p.Smallest },
		"bounds of one key":           func(p *Properties) { p.Largest = key.Make(p.Smallest.User, 0, key.KindSet) },
		"bits per key NaN":            func(p *Properties) { p.AskedBits = math.NaN() },
		"bits per key infinite":       func(p *Properties) { p.AskedBits = math.Inf(1) },
		"bits per key negative":       func(p *Properties) { p.AskedBits = -1 },
		"compression":                 func(p *Properties) { p.Compression = 9 },
		"kind of a bound":             func(p *Properties) { p.Largest.Trailer |= 7 },
	} {
		p := good
		change(&p)
		if _, _, err := parseProperties(p.append(nil)); err == nil {
			t.Errorf("%s: %+v was accepted", name, p)
		}
	}
	unknown := append(good.append(nil), 200, 2, 1, 1)
	if p, _, err := parseProperties(unknown); err != nil || p.Entries != 10 {
		t.Errorf("an unknown property: %+v, %v", p, err)
	}
}

// A few bytes that claim to be a gigabyte are refused before memory is taken for them.
func TestSnappyBomb(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := unpack(nil, []byte{0x80, 0x80, 0x80, 0x80, 0x04, 0, 'a'}); err == nil {
		t.Error("it was unpacked")
	}
	if _, err := unpack(nil, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}); err == nil {
		t.Error("a length beyond 64 bits was unpacked")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// Seeks read the one block that has the answer, two where it is behind a boundary.
func TestSeeksReadFewBlocks(t *testing.T) {
	o := WriterOptions{BlockSize: 128}
	entries := numbered(300, 10)
	f, p := write(t, o, entries)
	r, err := Open(f, p.FileSize, ReaderOptions{Name: "table", Cache: cache.New(0)})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for i := range 2 * len(entries) {
		var a Access
		it := r.NewIter(&a)
		it.SeekLT(key.Lookup(numberedKey(i).User, key.MaxSeq))
		if it.Err() != nil || a.BlocksRead > 2 {
			t.Fatalf("SeekLT(%s) read %d blocks, %v", numberedKey(i), a.BlocksRead, it.Err())
		}
		total += a.BlocksRead
	}
	// Of the keys sought only those that begin a block have to look at the block before it too.
	if most := 2*len(entries) + int(p.DataBlocks); total > most {
		t.Errorf("%d seeks read %d blocks, want at most %d", 2*len(entries), total, most)
	}
}
