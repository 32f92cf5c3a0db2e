package main

import "fmt"

// Engine is one store, as the workloads see it. Any number of goroutines may call it, but for Close.
type Engine interface {
	// Writes return when they are durable if the store was opened with Settings.Sync, else earlier.
	Put(key, value []byte) error
	Delete(key []byte) error
	// PutAll sets all pairs at once.
	PutAll(pairs []Pair) error
	// AppendGet appends the value of key to dst, if there is one.
	AppendGet(dst, key []byte) (value []byte, found bool, err error)
	// Scan calls fn for up to limit entries from start on; the slices are valid during the call. It returns how many there
	// were.
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

// contestant is a store that can be measured.
type contestant struct {
	name string
	// open opens the store in dir, making it if it is not there.
	open func(dir string, s Settings) (Engine, error)
	// apart says that the store is shown but no best to be compared with, since it is built otherwise.
	apart bool
}

// contestants are all that this program was built with.
var contestants = []contestant{
	{name: "siftdb", open: openSiftdb},
	{name: "pebble", open: openPebble},
	{name: "goleveldb", open: openGoleveldb},
	{name: "badger", open: openBadger},
	{name: "bbolt", open: openBbolt, apart: true},
}

func contestantNamed(name string) (contestant, error) {
	for _, c := range contestants {
		if c.name == name {
			return c, nil
		}
	}
	return contestant{}, fmt.Errorf("no store is called %q", name)
}
