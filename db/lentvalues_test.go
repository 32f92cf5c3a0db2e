package db

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"siftdb/internal/fsys"
)

const lentKeys = 3000

func lentKey(i int) string { return fmt.Sprintf("key%06d", i%lentKeys) }

// A value that GetFunc lends is as it was until the function returns, whatever the function and others read meanwhile
// through no cache, one that holds next to nothing, or one of compressed blocks.
func TestLentValuesStay(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, size := range []int64{-1, 8 << 10, 64 << 10} {
		store := openStore(t, fsys.NewMem(), func(o *Options) { o.CacheSize = size })
		fill(t, store, lentKeys, 100, "lent")
		flush(t, store)
		quiet(t, store)
		var readers sync.WaitGroup
		for g := range uint64(4) {
			readers.Go(func() {
				r := rand.New(rand.NewPCG(seed, g))
				for range 500 {
					if err := nestedReads(store, r, 3); err != nil {
						t.Errorf("cache of %d bytes: %v", size, err)
						return
					}
				}
			})
		}
		readers.Wait()
	}
}

// nestedReads looks at a lent value before and after it made other reads, some of them of lent values.
func nestedReads(store *DB, r *rand.Rand, depth int) error {
	if depth == 0 {
		return nil
	}
	key := lentKey(r.Int())
	want := filled(key, 100, "lent")
	return store.GetFunc([]byte(key), func(value []byte) error {
		if !bytes.Equal(value, want) {
			return fmt.Errorf("the value of %s is %q", key, value)
		}
		if _, err := store.Get([]byte(lentKey(r.Int()))); err != nil {
			return err
		}
		if _, err := store.Has([]byte(lentKey(r.Int()) + "x")); err != nil {
			return err
		}
		if err := nestedReads(store, r, depth-1); err != nil {
			return err
		}
		if !bytes.Equal(value, want) {
			return fmt.Errorf("the value of %s became %q", key, value)
		}
		return nil
	})
}

// A read of a block that the cache holds compressed does not allocate, and is no read of a file. That the store lent
// memory to a function which panicked makes no difference.
func TestCompressedHitsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("pools forget on purpose where races are looked for")
	}
	store := benchStore(t, Options{CacheSize: 3 << 20})
	before := store.Metrics()
	key, buf, i := benchKey(0), make([]byte, 0, 200), 0
	read := func() {
		i++
		binary.BigEndian.PutUint64(key[8:], uint64(2*(i*7919%benchKeys)))
		if err := store.GetFunc(key, func([]byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if _, err := store.AppendGet(buf, key); err != nil {
			t.Fatal(err)
		}
	}
	for range benchKeys {
		read()
	}
	func() {
		defer func() { _ = recover() }()
		_ = store.GetFunc(key, func([]byte) error { panic(errors.New("of the function")) })
	}()
	warm := store.Metrics()
	if got := testing.AllocsPerRun(benchKeys/10, read); got != 0 {
		t.Errorf("%v allocations for two reads", got)
	}
	m := store.Metrics()
	if m.CacheCompressed < m.CacheEntries/4 || m.CacheBytes > 3<<20 {
		t.Fatalf("%d of %d blocks are compressed, in %d bytes: the test says nothing", m.CacheCompressed, m.CacheEntries,
			m.CacheBytes)
	}
	if reads := m.TableReads - warm.TableReads; reads > benchKeys/100 {
		t.Errorf("%d reads of files while all blocks fit compressed; %d before", reads, warm.TableReads-before.TableReads)
	}
}
