package db_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"siftdb/bloom"
	"siftdb/db"
)

// The whole of it: open, write, read, look at what the filters saved.
func Example() {
	dir, err := os.MkdirTemp("", "siftdb")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	store, err := db.Open(dir, &db.Options{Filter: bloom.BitsPerKey(10)})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	if err := store.Put([]byte("fig"), []byte("green")); err != nil {
		log.Fatal(err)
	}
	value, err := store.Get([]byte("fig"))
	fmt.Printf("%s %v\n", value, err)

	_, err = store.Get([]byte("kiwi"))
	fmt.Println(err == db.ErrNotFound)

	for entry, err := range store.Scan(db.Prefix([]byte("f"))) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s = %s\n", entry.Key, entry.Value)
	}
	// Output:
	// green <nil>
	// true
	// fig = green
}

func ExampleDB_Apply() {
	store := openTemp()
	defer store.Close()

	var batch db.Batch
	batch.Put([]byte("alice"), []byte("90"))
	batch.Put([]byte("bob"), []byte("110"))
	batch.Delete([]byte("pending"))
	if err := store.Apply(&batch); err != nil { // all three, or nothing
		log.Fatal(err)
	}
	bob, _ := store.Get([]byte("bob"))
	fmt.Println(string(bob))
	// Output: 110
}

func ExampleDB_Snapshot() {
	store := openTemp()
	defer store.Close()
	store.Put([]byte("k"), []byte("before"))

	snapshot := store.Snapshot()
	defer snapshot.Close()
	store.Put([]byte("k"), []byte("after"))

	then, _ := snapshot.Get([]byte("k"))
	now, _ := store.Get([]byte("k"))
	fmt.Println(string(then), string(now))
	// Output: before after
}

func ExampleDB_NewIter() {
	store := openTemp()
	defer store.Close()
	for _, k := range []string{"a", "b", "c", "d"} {
		store.Put([]byte(k), nil)
	}
	it := store.NewIter(db.Range{Upper: []byte("d")})
	defer it.Close()
	for ok := it.Last(); ok; ok = it.Prev() {
		fmt.Print(string(it.Key()), " ")
	}
	fmt.Println(it.Err())
	// Output: c b a <nil>
}

func ExampleTraceTo() {
	store := openTemp()
	defer store.Close()
	store.Put([]byte("fig"), []byte("green"))
	store.Put([]byte("pear"), []byte("yellow"))
	store.Flush(context.Background())

	var trace db.Trace
	store.Get([]byte("fig"), db.TraceTo(&trace))
	store.Get([]byte("kiwi"), db.TraceTo(&trace))
	fmt.Println("tables asked:", trace.Tables)
	fmt.Println("the filter let pass:", trace.TruePasses, "and skipped:", trace.FilterSkips)
	fmt.Println("blocks looked at:", trace.BlocksRead+trace.BlocksCached)
	// Output:
	// tables asked: 2
	// the filter let pass: 1 and skipped: 1
	// blocks looked at: 1
}

// openTemp opens an empty store that lives in memory only.
func openTemp() *db.DB {
	store, err := db.Open("store", &db.Options{FS: db.MemFiles()})
	if err != nil {
		log.Fatal(err)
	}
	return store
}
