package bloom

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write golden files and rates.md anew")

// golden compares got with a file, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s would be written differently now; if that is meant, run the test with -update", name)
	}
}

// goldenKeys are those of recipe FLT-01: lengths 0 to 40, tails with the high bit set, where hashes that take bytes for
// signed numbers differ.
func goldenKeys() [][]byte {
	keys := [][]byte{nil}
	for length := 1; length <= 40; length++ {
		for _, tail := range []byte{0x80, 0xff, 0x7f} {
			for tails := 1; tails <= min(3, length); tails++ {
				key := bytes.Repeat([]byte{'k'}, length)
				for i := range tails {
					key[length-1-i] = tail
				}
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func TestGoldenFilters(t *testing.T) {
	for name, policy := range map[string]Policy{"classic": Classic(10), "blocked": Blocked(16)} {
		checkGolden(t, name, policy, goldenKeys())
	}
	for name, policy := range map[string]Policy{"fuse": Fuse(11), "cuckoo": Cuckoo(13)} {
		checkGolden(t, name, policy, manyGoldenKeys())
	}
}

func checkGolden(t *testing.T, name string, policy Policy, keys [][]byte) {
	t.Helper()
	b := policy.Builder(Place{})
	for _, key := range keys {
		b.Add(Sum(key))
	}
	written, err := b.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name+".filter")
	golden(t, file, written)
	f := parse(t, read(t, file))
	for _, key := range keys {
		if !f.MayContain(Sum(key)) {
			t.Errorf("%s denies %x", file, key)
		}
	}
	if f.Keys() != uint64(len(keys)) || f.Family().String() != name {
		t.Errorf("%s: %v of %d keys", file, f.Family(), f.Keys())
	}
	denied := 0
	for _, key := range keys {
		if !f.MayContain(Sum(append([]byte("absent"), key...))) {
			denied++
		}
	}
	if denied < len(keys)*9/10 {
		t.Errorf("%s denies %d of %d absent keys", file, denied, len(keys))
	}
	golden(t, filepath.Join("testdata", name+"-empty.filter"), build(t, policy, nil))
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
