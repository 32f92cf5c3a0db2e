package sstable

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

var update = flag.Bool("update", false, "write the golden files anew; only a change of format is a reason to")

// goldenEntries never change: keys with high bytes at their ends (FLT-01), versions, deletions, and values that
// compress or do not.
func goldenEntries() []check.Entry {
	var entries []check.Entry
	add := func(user []byte, seq key.Seq, kind key.Kind, value []byte) {
		entries = append(entries, check.Entry{Key: key.Make(user, seq, kind), Value: value})
	}
	add(nil, 9, key.KindSet, []byte("the empty key"))
	for i := range 60 {
		user := fmt.Appendf(nil, "key%03d", i*i)
		switch {
		case i%10 == 3:
			for seq := key.Seq(1000); seq > 950; seq -= 7 {
				add(user, seq, key.KindSet, bytes.Repeat([]byte{byte(seq)}, 20))
			}
		case i%10 == 7:
			add(user, key.Seq(1<<40)+key.Seq(i), key.KindDelete, nil)
		default:
			value := make([]byte, i)
			for j := range value {
				value[j] = byte(j * j * (i + 7) >> 3)
			}
			add(user, key.Seq(i), key.KindSet, value)
		}
	}
	for length := range 20 {
		for _, last := range []byte{0x7f, 0x80, 0xff} {
			add(bytes.Repeat([]byte{last}, length+1), key.MaxSeq, key.KindSet, []byte{last})
		}
	}
	check.Sort(entries)
	return entries
}

// goldenTables are one file for each codec and family.
var goldenTables = map[string]struct {
	policy      bloom.Policy
	compression Compression
}{
	"classic-snappy.sst": {bloom.Classic(10), Snappy},
	"blocked-none.sst":   {bloom.Blocked(12.5), NoCompression},
	"no-filter.sst":      {bloom.None, Snappy},
}

// Files written by the first version of the format are read, and today's writer makes the same bytes, on every
// machine (FLT-01, FLT-17).
func TestGoldenTables(t *testing.T) {
	entries := goldenEntries()
	for name, g := range goldenTables {
		t.Run(name, func(t *testing.T) {
			o := WriterOptions{BlockSize: 512, Compression: g.compression, FilterName: g.policy.String(), AskedBits: g.policy.AskedBits()}
			if b := g.policy.Builder(bloom.Place{}); b != nil {
				o.Filter = b
			}
			f, _ := write(t, o, entries)
			written := contents(t, f)
			path := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(path, written, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := commonPrefix(golden, written); n != len(golden) || n != len(written) {
				t.Errorf("the writer's %d bytes differ from the golden %d at offset %d", len(written), len(golden), n)
			}
			r := open(t, fileOf(t, golden), int64(len(golden)), 0)
			if err := r.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			if failed := readAll(t, r, entries); failed != nil {
				t.Error(failed)
			}
			if p := r.Properties(); p.Entries != uint64(len(entries)) || p.Filter != g.policy.String() || p.AskedBits != g.policy.AskedBits() {
				t.Errorf("properties %+v", p)
			}
		})
	}
}
