package main

import (
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// bboltEngine is a B+tree in one mapped file: no memtable, no filters, no compaction. It is shown beside the others.
type bboltEngine struct{ store *bolt.DB }

var bucket = []byte("bench")

func openBbolt(dir string, s Settings) (Engine, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	store, err := bolt.Open(filepath.Join(dir, "bbolt.db"), 0o666, &bolt.Options{
		NoSync:         !s.Sync,
		NoFreelistSync: true,
		FreelistType:   bolt.FreelistMapType, // its choice for stores of many free pages
	})
	if err != nil {
		return nil, err
	}
	err = store.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
	return bboltEngine{store}, err
}

func (e bboltEngine) Put(key, value []byte) error {
	return e.store.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucket).Put(key, value) })
}

func (e bboltEngine) Delete(key []byte) error {
	return e.store.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucket).Delete(key) })
}

func (e bboltEngine) PutAll(pairs []Pair) error {
	return e.store.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucket)
		for _, p := range pairs {
			if err := b.Put(p.Key, p.Value); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e bboltEngine) AppendGet(dst, key []byte) (value []byte, found bool, err error) {
	err = e.store.View(func(tx *bolt.Tx) error {
		if v := tx.Bucket(bucket).Get(key); v != nil {
			dst, found = append(dst, v...), true
		}
		return nil
	})
	return dst, found, err
}

func (e bboltEngine) Scan(start []byte, limit int, fn func(key, value []byte)) (n int, err error) {
	err = e.store.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucket).Cursor()
		for k, v := c.Seek(start); k != nil && n < limit; k, v = c.Next() {
			fn(k, v)
			n++
		}
		return nil
	})
	return n, err
}

func (e bboltEngine) Settle() error  { return e.store.Sync() }
func (e bboltEngine) Compact() error { return e.store.Sync() }
func (e bboltEngine) Close() error   { return e.store.Close() }
