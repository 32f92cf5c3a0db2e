package main

import (
	"errors"
	"sync"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"
)

type goleveldbEngine struct {
	store   *leveldb.DB
	dir     string
	options *opt.Options
	write   *opt.WriteOptions
	batches sync.Pool
}

// openGoleveldb leaves all at goleveldb's defaults but for the equal sizes and the tables that it holds open: as many
// as siftdb does, or else its tables of 2 MiB would be opened again and again in a large store.
func openGoleveldb(dir string, s Settings) (Engine, error) {
	e := &goleveldbEngine{
		dir: dir,
		options: &opt.Options{
			WriteBuffer:            int(s.MemTable),
			BlockCacheCapacity:     int(s.BlockCache),
			BlockSize:              s.Block,
			Filter:                 filter.NewBloomFilter(s.FilterBits),
			Compression:            opt.SnappyCompression,
			OpenFilesCacheCapacity: 1000,
		},
		write: &opt.WriteOptions{Sync: s.Sync},
	}
	e.batches.New = func() any { return new(leveldb.Batch) }
	return e, e.open()
}

func (e *goleveldbEngine) open() (err error) {
	e.store, err = leveldb.OpenFile(e.dir, e.options)
	return err
}

func (e *goleveldbEngine) Put(key, value []byte) error { return e.store.Put(key, value, e.write) }
func (e *goleveldbEngine) Delete(key []byte) error     { return e.store.Delete(key, e.write) }

func (e *goleveldbEngine) PutAll(pairs []Pair) error {
	b := e.batches.Get().(*leveldb.Batch)
	defer e.batches.Put(b)
	b.Reset()
	for _, p := range pairs {
		b.Put(p.Key, p.Value)
	}
	return e.store.Write(b, e.write)
}

func (e *goleveldbEngine) AppendGet(dst, key []byte) ([]byte, bool, error) {
	value, err := e.store.Get(key, nil)
	if errors.Is(err, leveldb.ErrNotFound) {
		return dst, false, nil
	}
	return append(dst, value...), err == nil, err
}

func (e *goleveldbEngine) Scan(start []byte, limit int, fn func(key, value []byte)) (n int, err error) {
	it := e.store.NewIterator(&util.Range{Start: start}, nil)
	defer it.Release()
	for ok := it.First(); ok && n < limit; ok = it.Next() {
		fn(it.Key(), it.Value())
		n++
	}
	return n, it.Error()
}

// Settle closes the store and opens it again: there is no other way to have it flush what is in memory. It then goes by
// the compactions that the store has counted, since it does not say which are running.
func (e *goleveldbEngine) Settle() error {
	if err := errors.Join(e.store.Close(), e.open()); err != nil {
		return err
	}
	return e.rest()
}

func (e *goleveldbEngine) rest() error {
	var last leveldb.DBStats
	return untilSteady(func() bool {
		var now leveldb.DBStats
		if e.store.Stats(&now) != nil {
			return true // closed; what comes next says so
		}
		same := now.IOWrite == last.IOWrite && now.MemComp == last.MemComp && now.Level0Comp == last.Level0Comp &&
			now.NonLevel0Comp == last.NonLevel0Comp && now.SeekComp == last.SeekComp
		last = now
		return same
	})
}

func (e *goleveldbEngine) Compact() error {
	if err := e.store.CompactRange(util.Range{}); err != nil {
		return err
	}
	return e.rest()
}

func (e *goleveldbEngine) Close() error { return e.store.Close() }
