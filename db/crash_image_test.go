package db

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"

	"siftdb/internal/fsys"
)

// What a reopened store must show is looked at here, for crash images by the thousand.

// scriptKeys are all keys that the script writes, and some that nobody does.
var scriptKeys, strangeKeys = func() (written, strange [][]byte) {
	for i := range 40 {
		written = append(written, fmt.Appendf(nil, "k%02d", i))
		strange = append(strange, fmt.Appendf(nil, "k%02d.", i))
	}
	return append(written, []byte("marker")), strange
}()

// revived opens what a crash left and returns what it holds. However it is read, the answers agree; read-only it shows
// the same and nothing changes; each table passes Verify; and a write that the reopened store acknowledges stays over
// the next power cut, with all the rest.
func revived(disk *fsys.Mem) (map[string]string, error) {
	before := imageSum(disk)
	seen, err := reopenedOnce(&Options{FS: disk, ReadOnly: true}, nil)
	if err != nil && !errors.Is(err, ErrNoStore) {
		return nil, fmt.Errorf("read-only: %w", err)
	}
	if imageSum(disk) != before {
		return nil, fmt.Errorf("opening read-only has changed something")
	}
	cut := new(fsys.Mem)
	found, err := reopenedOnce(small(disk), func(store *DB) error {
		err := store.Put([]byte("goes on"), []byte("yes"), Sync)
		cut = disk.CrashClone(nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !maps.Equal(found, seen) {
		return nil, fmt.Errorf("read-only it holds %.200q, open for writing %.200q", seen, found)
	}
	again, err := reopenedOnce(small(cut), nil)
	if err != nil {
		return nil, fmt.Errorf("opened for the second time: %w", err)
	}
	if again["goes on"] != "yes" {
		return nil, fmt.Errorf("a write of the reopened store is lost")
	}
	if delete(again, "goes on"); !maps.Equal(found, again) {
		return nil, fmt.Errorf("opened for the second time it holds %.200q, at first %.200q", again, found)
	}
	return found, nil
}

// reopenedOnce opens a store, looks at it from all sides, lets then have it, and closes it.
func reopenedOnce(o *Options, then func(*DB) error) (found map[string]string, err error) {
	store, err := Open("store", o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := store.Close(); err == nil {
			err = closing
		}
	}()
	found = make(map[string]string)
	for e, err := range store.Scan(Range{}) {
		if err != nil {
			return nil, fmt.Errorf("scan: %w", err)
		}
		found[string(e.Key)] = string(e.Value)
	}
	if err := store.LoadFilters(context.Background()); err != nil {
		return nil, err
	}
	if err := pointReadsAgree(store, found); err != nil {
		return nil, err
	}
	for info, err := range store.Verify(context.Background()) {
		if err != nil {
			return nil, fmt.Errorf("verify %s: %w", info.File, err)
		}
	}
	if then != nil {
		err = then(store)
	}
	return found, err
}

// pointReadsAgree says where single reads, with filters and without, differ from a scan.
func pointReadsAgree(store *DB, found map[string]string) error {
	for _, keys := range [][][]byte{scriptKeys, strangeKeys} {
		for _, k := range keys {
			want, there := found[string(k)]
			for _, opts := range [][]ReadOption{nil, {IgnoreFilters}} {
				got, err := store.Get(k, opts...)
				if there != (err == nil) || err != nil && err != ErrNotFound || string(got) != want {
					return fmt.Errorf("%s is %.20q, %v, with %d options; a scan gave %.20q", k, got, err, len(opts), want)
				}
			}
		}
	}
	return nil
}

var imageSeed = maphash.MakeSeed()

// imageSum tells one disk's content from another's.
func imageSum(disk *fsys.Mem) uint64 {
	var h maphash.Hash
	h.SetSeed(imageSeed)
	names, err := disk.List("store")
	if err != nil {
		return 0 // there is no store yet
	}
	for _, name := range names {
		b, err := fileBytes(disk, "store/"+name)
		fmt.Fprintf(&h, "%q %d %v ", name, len(b), err)
		h.Write(b)
	}
	return h.Sum64()
}

func fileBytes(disk *fsys.Mem, name string) ([]byte, error) {
	f, err := disk.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, info.Size())
	if len(b) > 0 {
		_, err = f.ReadAt(b, 0)
	}
	return b, err
}
