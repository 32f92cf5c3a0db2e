//go:build rocksdb

package main

// #cgo LDFLAGS: -lrocksdb
// #include <stdlib.h>
// #include <rocksdb/c.h>
import "C"

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strings"
	"unsafe"
)

func init() {
	contestants = append(contestants, contestant{name: "rocksdb", open: openRocksdb, version: rocksdbVersion})
}

// rocksdbVersion goes by the name of the library that the system loaded.
func rocksdbVersion() string {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return unknownVersion
	}
	for line := range bytes.Lines(text) {
		if _, version, found := strings.Cut(string(bytes.TrimSpace(line)), "librocksdb.so."); found {
			return version
		}
	}
	return unknownVersion
}

// rocksdbEngine is RocksDB through its C interface. Each call crosses from Go to C, which costs some tens of
// nanoseconds.
type rocksdbEngine struct {
	store   *C.rocksdb_t
	options *C.rocksdb_options_t
	read    *C.rocksdb_readoptions_t
	write   *C.rocksdb_writeoptions_t
}

func openRocksdb(dir string, s Settings) (Engine, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	table := C.rocksdb_block_based_options_create()
	C.rocksdb_block_based_options_set_block_size(table, C.size_t(s.Block))
	C.rocksdb_block_based_options_set_block_cache(table, C.rocksdb_cache_create_lru(C.size_t(s.BlockCache)))
	filter := C.rocksdb_filterpolicy_create_bloom_full(C.double(s.FilterBits))
	C.rocksdb_block_based_options_set_filter_policy(table, filter)
	o := C.rocksdb_options_create()
	C.rocksdb_options_set_create_if_missing(o, 1)
	C.rocksdb_options_set_write_buffer_size(o, C.size_t(s.MemTable))
	C.rocksdb_options_set_compression(o, C.rocksdb_snappy_compression)
	C.rocksdb_options_set_block_based_table_factory(o, table)
	C.rocksdb_options_increase_parallelism(o, C.int(runtime.NumCPU()))
	e := &rocksdbEngine{options: o, read: C.rocksdb_readoptions_create(), write: C.rocksdb_writeoptions_create()}
	if s.Sync {
		C.rocksdb_writeoptions_set_sync(e.write, 1)
	}
	name := C.CString(dir)
	defer C.free(unsafe.Pointer(name))
	var failed *C.char
	e.store = C.rocksdb_open(o, name, &failed)
	return e, rocksdbError(failed)
}

// rocksdbError takes over the text of an error; nil is none.
func rocksdbError(text *C.char) error {
	if text == nil {
		return nil
	}
	defer C.rocksdb_free(unsafe.Pointer(text))
	return errors.New("rocksdb: " + C.GoString(text))
}

// pointer is where b lies, for a call that only reads it.
func pointer(b []byte) *C.char { return (*C.char)(unsafe.Pointer(unsafe.SliceData(b))) }

func (e *rocksdbEngine) Put(key, value []byte) error {
	var failed *C.char
	C.rocksdb_put(e.store, e.write, pointer(key), C.size_t(len(key)), pointer(value), C.size_t(len(value)), &failed)
	return rocksdbError(failed)
}

func (e *rocksdbEngine) Delete(key []byte) error {
	var failed *C.char
	C.rocksdb_delete(e.store, e.write, pointer(key), C.size_t(len(key)), &failed)
	return rocksdbError(failed)
}

func (e *rocksdbEngine) PutAll(pairs []Pair) error {
	b := C.rocksdb_writebatch_create()
	defer C.rocksdb_writebatch_destroy(b)
	for _, p := range pairs {
		C.rocksdb_writebatch_put(b, pointer(p.Key), C.size_t(len(p.Key)), pointer(p.Value), C.size_t(len(p.Value)))
	}
	var failed *C.char
	C.rocksdb_write(e.store, e.write, b, &failed)
	return rocksdbError(failed)
}

func (e *rocksdbEngine) AppendGet(dst, key []byte) ([]byte, bool, error) {
	var failed *C.char
	v := C.rocksdb_get_pinned(e.store, e.read, pointer(key), C.size_t(len(key)), &failed)
	if v == nil {
		return dst, false, rocksdbError(failed)
	}
	defer C.rocksdb_pinnableslice_destroy(v)
	var n C.size_t
	p := C.rocksdb_pinnableslice_value(v, &n)
	return append(dst, unsafe.Slice((*byte)(unsafe.Pointer(p)), int(n))...), true, nil
}

func (e *rocksdbEngine) Scan(start []byte, limit int, fn func(key, value []byte)) (n int, err error) {
	it := C.rocksdb_create_iterator(e.store, e.read)
	defer C.rocksdb_iter_destroy(it)
	C.rocksdb_iter_seek(it, pointer(start), C.size_t(len(start)))
	for ; n < limit && C.rocksdb_iter_valid(it) != 0; C.rocksdb_iter_next(it) {
		var keyLength, valueLength C.size_t
		key, value := C.rocksdb_iter_key(it, &keyLength), C.rocksdb_iter_value(it, &valueLength)
		fn(unsafe.Slice((*byte)(unsafe.Pointer(key)), int(keyLength)),
			unsafe.Slice((*byte)(unsafe.Pointer(value)), int(valueLength)))
		n++
	}
	var failed *C.char
	C.rocksdb_iter_get_error(it, &failed)
	return n, rocksdbError(failed)
}

func (e *rocksdbEngine) Settle() error {
	o := C.rocksdb_flushoptions_create()
	defer C.rocksdb_flushoptions_destroy(o)
	var failed *C.char
	C.rocksdb_flush(e.store, o, &failed)
	if err := rocksdbError(failed); err != nil {
		return err
	}
	return untilSteady(func() bool {
		return e.property("rocksdb.num-running-compactions") == 0 && e.property("rocksdb.compaction-pending") == 0
	})
}

// property is a number that the store knows of itself.
func (e *rocksdbEngine) property(name string) uint64 {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var v C.uint64_t
	C.rocksdb_property_int(e.store, text, &v)
	return uint64(v)
}

func (e *rocksdbEngine) Compact() error {
	C.rocksdb_compact_range(e.store, nil, 0, nil, 0)
	return e.Settle()
}

func (e *rocksdbEngine) Close() error {
	C.rocksdb_close(e.store)
	C.rocksdb_readoptions_destroy(e.read)
	C.rocksdb_writeoptions_destroy(e.write)
	C.rocksdb_options_destroy(e.options)
	return nil
}
