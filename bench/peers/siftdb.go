package main

import (
	"context"
	"errors"
	"sync"

	"siftdb/bloom"
	"siftdb/db"
)

type siftdbEngine struct {
	store   *db.DB
	batches sync.Pool
}

func openSiftdb(dir string, s Settings) (Engine, error) {
	return openSiftdbWith(db.Options{}, dir, s)
}

// openSiftdbIn opens with a style of compaction, whatever the default is.
func openSiftdbIn(style db.CompactionStyle) func(dir string, s Settings) (Engine, error) {
	return func(dir string, s Settings) (Engine, error) {
		return openSiftdbWith(db.Options{Compaction: style}, dir, s)
	}
}

// openSiftdbWith opens with o and the equal sizes.
func openSiftdbWith(o db.Options, dir string, s Settings) (Engine, error) {
	o.NoSync = !s.Sync
	o.MemTableSize, o.CacheSize, o.BlockSize = s.MemTable, s.BlockCache, s.Block
	o.Filter = bloom.BitsPerKey(float64(s.FilterBits))
	store, err := db.Open(dir, &o)
	e := &siftdbEngine{store: store}
	e.batches.New = func() any { return new(db.Batch) }
	return e, err
}

func (e *siftdbEngine) Put(key, value []byte) error { return e.store.Put(key, value) }
func (e *siftdbEngine) Delete(key []byte) error     { return e.store.Delete(key) }

func (e *siftdbEngine) PutAll(pairs []Pair) error {
	b := e.batches.Get().(*db.Batch)
	defer e.batches.Put(b)
	b.Reset()
	for _, p := range pairs {
		b.Put(p.Key, p.Value)
	}
	return e.store.Apply(b)
}

func (e *siftdbEngine) AppendGet(dst, key []byte) ([]byte, bool, error) {
	value, err := e.store.AppendGet(dst, key)
	if errors.Is(err, db.ErrNotFound) {
		return dst, false, nil
	}
	return value, err == nil, err
}

func (e *siftdbEngine) Scan(start []byte, limit int, fn func(key, value []byte)) (n int, err error) {
	it := e.store.NewIter(db.Range{Lower: start})
	for ok := it.First(); ok && n < limit; ok = it.Next() {
		fn(it.Key(), it.Value())
		n++
	}
	return n, it.Close()
}

func (e *siftdbEngine) Settle() error {
	if err := e.store.Flush(context.Background()); err != nil {
		return err
	}
	return e.store.WaitQuiet(context.Background())
}

func (e *siftdbEngine) Compact() error {
	if err := e.store.Compact(context.Background(), db.Range{}); err != nil {
		return err
	}
	return e.Settle()
}

func (e *siftdbEngine) Close() error { return e.store.Close() }
