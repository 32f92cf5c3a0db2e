package main

import (
	"context"
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

type pebbleEngine struct {
	store *pebble.DB
	cache *pebble.Cache
	write *pebble.WriteOptions
}

// openPebble leaves all at Pebble's defaults but for the equal sizes, and has filters at every level. Pebble takes what
// its memtables hold out of the cache: the one that is written to, and the one before it, whose memory it keeps. So
// that blocks have as much as with the others, the cache is that much larger.
func openPebble(dir string, s Settings) (Engine, error) {
	o := &pebble.Options{
		Cache:              pebble.NewCache(s.BlockCache + 2*s.MemTable),
		MemTableSize:       uint64(s.MemTable),
		FormatMajorVersion: pebble.FormatNewest,
		Logger:             quietPebble{},
	}
	o.EnsureDefaults()
	for i := range o.Levels {
		o.Levels[i].BlockSize = s.Block
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(s.FilterBits)
	}
	store, err := pebble.Open(dir, o)
	write := pebble.NoSync
	if s.Sync {
		write = pebble.Sync
	}
	return pebbleEngine{store, o.Cache, write}, err
}

// quietPebble keeps Pebble from writing a line for each flush.
type quietPebble struct{}

func (quietPebble) Infof(string, ...any)           {}
func (quietPebble) Errorf(string, ...any)          {}
func (quietPebble) Fatalf(format string, a ...any) { pebble.DefaultLogger.Fatalf(format, a...) }

func (e pebbleEngine) Put(key, value []byte) error { return e.store.Set(key, value, e.write) }
func (e pebbleEngine) Delete(key []byte) error     { return e.store.Delete(key, e.write) }

func (e pebbleEngine) PutAll(pairs []Pair) error {
	b := e.store.NewBatch()
	defer b.Close()
	for _, p := range pairs {
		if err := b.Set(p.Key, p.Value, nil); err != nil {
			return err
		}
	}
	return b.Commit(e.write)
}

func (e pebbleEngine) AppendGet(dst, key []byte) ([]byte, bool, error) {
	value, closer, err := e.store.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return dst, false, nil
	}
	if err != nil {
		return dst, false, err
	}
	return append(dst, value...), true, closer.Close()
}

func (e pebbleEngine) Scan(start []byte, limit int, fn func(key, value []byte)) (n int, err error) {
	it, err := e.store.NewIter(&pebble.IterOptions{LowerBound: start})
	if err != nil {
		return 0, err
	}
	for ok := it.First(); ok && n < limit; ok = it.Next() {
		fn(it.Key(), it.Value())
		n++
	}
	return n, it.Close()
}

func (e pebbleEngine) Settle() error {
	if err := e.store.Flush(); err != nil {
		return err
	}
	return untilSteady(func() bool {
		m := e.store.Metrics()
		return m.Compact.NumInProgress == 0 && m.Flush.NumInProgress == 0
	})
}

func (e pebbleEngine) Compact() error {
	// Compact wants an end behind the last key; keys here are digits.
	if err := e.store.Compact(context.Background(), []byte{}, []byte{0xff}, true); err != nil {
		return err
	}
	return e.Settle()
}

func (e pebbleEngine) Close() error {
	err := e.store.Close()
	e.cache.Unref()
	return err
}

var errNeverSteady = errors.New("the store did not come to rest within ten minutes")

// untilSteady waits until at rest holds for a second on end.
func untilSteady(atRest func() bool) error {
	since := time.Now()
	for deadline := time.Now().Add(10 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		switch {
		case !atRest():
			since = time.Now()
		case time.Since(since) > time.Second:
			return nil
		}
	}
	return errNeverSteady
}
