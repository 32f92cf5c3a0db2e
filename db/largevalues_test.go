package db

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/bits"
	"path/filepath"
	"testing"
)

var largestValue = flag.Int("largevalues.mib", 0, "MiB in the value of TestLargeValues; 0: 8, or 2 with -short")

// TestLargeValues: a value far larger than memtables and blocks is read back by every way, from memory, the log and
// tables, and its neighbours with it (LIM-01). The limit itself: go test ./db -run TestLargeValues -largevalues.mib
// 1024
func TestLargeValues(t *testing.T) {
	largest := *largestValue
	switch {
	case largest != 0:
	case testing.Short() || bits.UintSize == 32:
		largest = 2
	default:
		largest = 8
	}
	dir := filepath.Join(t.TempDir(), "store")
	o := &Options{MemTableSize: 64 << 10, TableSize: 64 << 10, NoSync: true, CacheSize: 1 << 20}
	store, err := Open(dir, o)
	check(t, err)
	put(t, store, "a", "c")
	value := bytes.Repeat([]byte("0123456789abcdef"), largest<<16)
	check(t, store.Put([]byte("b"), value))
	if int64(len(value)) == MaxValueSize {
		wantErr(t, "a byte more", store.Put([]byte("b2"), append(value, 'x')), ErrTooLarge)
	}
	for _, step := range []func(){
		func() {},
		func() { flush(t, store) },
		func() { check(t, store.Compact(context.Background(), Range{})) },
		func() { check(t, store.Put([]byte("b"), value)) },
		func() { check(t, store.Close()); store, err = Open(dir, o); check(t, err) },
	} {
		step()
		err := store.GetFunc([]byte("b"), func(v []byte) error {
			if !bytes.Equal(v, value) {
				return fmt.Errorf("%d bytes came back of %d", len(v), len(value))
			}
			return nil
		})
		check(t, err)
		if got := fmt.Sprint(keysOf(t, store, Range{KeysOnly: true})); got != "[a b c]" {
			t.Errorf("the keys are %s", got)
		}
		it := store.NewIter(Range{})
		if !it.SeekGE([]byte("b")) || !bytes.Equal(it.Value(), value) {
			t.Errorf("an iterator is at %q, %d bytes", it.Key(), len(it.Value()))
		}
		if !it.Next() || string(it.Value()) != "c" || !it.Prev() || len(it.Value()) != len(value) {
			t.Errorf("an iterator went on to %q, %d bytes", it.Key(), len(it.Value()))
		}
		check(t, it.Close())
	}
	check(t, store.Close())
}
