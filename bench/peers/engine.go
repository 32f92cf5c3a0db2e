package main

import (
	"fmt"
	"slices"
	"strings"

	"siftdb/db"
)

// Engine is one store, as the workloads see it. Any number of goroutines may call it, but for Close.
type Engine interface {
	// Writes return when they are durable if the store was opened with Settings.Sync, else earlier.
	Put(key, value []byte) error
	Delete(key []byte) error
	// PutAll sets all pairs at once.
	PutAll(pairs []Pair) error
	// AppendGet appends the value of key to dst, if there is one.
	AppendGet(dst, key []byte) (value []byte, found bool, err error)
	// Scan calls fn for up to limit entries from start on; the slices are valid during the call. It returns how many
	// there were.
	Scan(start []byte, limit int, fn func(key, value []byte)) (int, error)
	// Settle flushes what is in memory and waits until the store has compacted what it compacts by itself.
	Settle() error
	// Compact compacts everything.
	Compact() error
	Close() error
}

// Pair is a key with its value.
type Pair struct{ Key, Value []byte }

// Settings are equal for all stores; all else is what each store has by itself.
type Settings struct {
	MemTable   int64 // bytes
	BlockCache int64 // bytes
	Block      int   // bytes
	FilterBits int   // per key
	Sync       bool  // writes return when they are durable
}

var equalSettings = Settings{MemTable: 64 << 20, BlockCache: 128 << 20, Block: 4 << 10, FilterBits: 10}

// String says the settings in words.
func (s Settings) String() string {
	return fmt.Sprintf("memtable %d MiB, block cache %d MiB, blocks of %d KiB, snappy, filters of %d bits a key, "+
		"log without sync", s.MemTable>>20, s.BlockCache>>20, s.Block>>10, s.FilterBits)
}

// contestant is a store that can be measured.
type contestant struct {
	name string
	// open opens the store in dir, making it if it is not there.
	open func(dir string, s Settings) (Engine, error)
	// version is the version of the store in this program.
	version func() string
	// apart says that the store is shown but no best to be compared with, since it is built otherwise.
	apart bool
}

// contestants are all that this program was built with, and that are measured unless it is told which.
var contestants = []contestant{
	{name: "siftdb", open: openSiftdb, version: ownVersion},
	{name: "pebble", open: openPebble, version: versionOf("github.com/cockroachdb/pebble/v2")},
	{name: "goleveldb", open: openGoleveldb, version: versionOf("github.com/syndtr/goleveldb")},
	{name: "badger", open: openBadger, version: versionOf("github.com/dgraph-io/badger/v4")},
	{name: "bbolt", open: openBbolt, version: versionOf("go.etcd.io/bbolt"), apart: true},
}

// variants are siftdb with other settings than its defaults, to choose these by. They are measured when they are named.
var variants = []contestant{
	{name: "siftdb-leveled", open: openSiftdbIn(db.Leveled), version: ownVersion, apart: true},
	{name: "siftdb-lazy", open: openSiftdbIn(db.LazyLeveled), version: ownVersion, apart: true},
}

func contestantNamed(name string) (contestant, error) {
	for _, c := range slices.Concat(contestants, variants) {
		if c.name == name {
			return c, nil
		}
	}
	return contestant{}, fmt.Errorf("no store is called %q; built in are %s, and rocksdb with -tags rocksdb", name,
		strings.Join(contestantNames(), ", "))
}

func contestantNames() (names []string) {
	for _, c := range contestants {
		names = append(names, c.name)
	}
	return names
}
