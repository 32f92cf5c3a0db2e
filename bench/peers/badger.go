package main

import (
	"errors"
	"math"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

type badgerEngine struct {
	store   *badger.DB
	options badger.Options
}

// openBadger leaves all at Badger's defaults but for the equal sizes. It looks for no conflicts between transactions:
// each write is one by itself, and no other store here looks for any.
func openBadger(dir string, s Settings) (Engine, error) {
	e := &badgerEngine{options: badger.DefaultOptions(dir).
		WithMemTableSize(s.MemTable).
		WithBlockCacheSize(s.BlockCache).
		WithBlockSize(s.Block).
		WithBloomFalsePositive(rateOf(s.FilterBits)).
		WithCompression(options.Snappy).
		WithSyncWrites(s.Sync).
		WithDetectConflicts(false).
		WithLogger(nil)}
	return e, e.open()
}

func (e *badgerEngine) open() (err error) {
	e.store, err = badger.Open(e.options)
	return err
}

// rateOf is the rate of a Bloom filter of that many bits a key at its best number of probes (Bloom, 1970): Badger is
// told the rate.
func rateOf(bits int) float64 { return math.Exp2(-float64(bits) * math.Ln2) }

func (e *badgerEngine) Put(key, value []byte) error {
	return e.store.Update(func(tx *badger.Txn) error { return tx.Set(key, value) })
}

func (e *badgerEngine) Delete(key []byte) error {
	return e.store.Update(func(tx *badger.Txn) error { return tx.Delete(key) })
}

func (e *badgerEngine) PutAll(pairs []Pair) error {
	b := e.store.NewWriteBatch()
	defer b.Cancel()
	for _, p := range pairs {
		if err := b.Set(p.Key, p.Value); err != nil {
			return err
		}
	}
	return b.Flush()
}

func (e *badgerEngine) AppendGet(dst, key []byte) (value []byte, found bool, err error) {
	err = e.store.View(func(tx *badger.Txn) error {
		item, err := tx.Get(key)
		if err != nil {
			return err
		}
		return item.Value(func(v []byte) error {
			dst = append(dst, v...)
			return nil
		})
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		return dst, false, nil
	}
	return dst, err == nil, err
}

func (e *badgerEngine) Scan(start []byte, limit int, fn func(key, value []byte)) (n int, err error) {
	err = e.store.View(func(tx *badger.Txn) error {
		o := badger.DefaultIteratorOptions
		o.PrefetchValues = false // values lie beside the keys here
		it := tx.NewIterator(o)
		defer it.Close()
		for it.Seek(start); it.Valid() && n < limit; it.Next() {
			item := it.Item()
			err := item.Value(func(v []byte) error {
				fn(item.Key(), v)
				return nil
			})
			if err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}

// Settle closes the store and opens it again: there is no other way to have it flush what is in memory. It then goes by
// the tables that there are, since the store does not say what is running.
func (e *badgerEngine) Settle() error {
	if err := errors.Join(e.store.Close(), e.open()); err != nil {
		return err
	}
	return e.rest()
}

func (e *badgerEngine) rest() error {
	tables := -1
	return untilSteady(func() bool {
		now := len(e.store.Tables())
		same := now == tables
		tables = now
		return same
	})
}

func (e *badgerEngine) Compact() error {
	if err := e.store.Flatten(2); err != nil {
		return err
	}
	return e.rest()
}

func (e *badgerEngine) Close() error { return e.store.Close() }
