package bloom_test

import (
	"fmt"

	"siftdb/bloom"
)

func ExampleNew() {
	seen, err := bloom.New(1_000_000, 0.01)
	if err != nil {
		panic(err)
	}
	seen.Add([]byte("alice@example.com"))
	fmt.Println(seen.MayContain([]byte("alice@example.com")), seen.MayContain([]byte("bob@example.com")))
	// Output: true false
}

func ExampleNewScalable() {
	// Nobody knows how many there will be; the rate holds all the same.
	seen, err := bloom.NewScalable(0, 0.01)
	if err != nil {
		panic(err)
	}
	for i := range 100_000 {
		seen.Add(fmt.Appendf(nil, "visitor %d", i))
	}
	fmt.Println(seen.MayContain([]byte("visitor 77")), seen.EstimatedRate() < 0.01)
	// Output: true true
}

func ExampleNewCuckoo() {
	// Keys can be taken out again: only those that were put in.
	open, err := bloom.NewCuckoo(10_000, 0.001)
	if err != nil {
		panic(err)
	}
	open.Add([]byte("session 1"))
	open.Add([]byte("session 2"))
	open.Remove([]byte("session 1"))
	fmt.Println(open.MayContain([]byte("session 1")), open.MayContain([]byte("session 2")), open.Len())
	// Output: false true 1
}

func ExamplePolicy() {
	// What a table does: collect a hash a key, write the bytes, read them back, ask.
	builder := bloom.BitsPerKey(10).Builder(bloom.Place{Reason: bloom.ReasonFlush})
	for _, key := range []string{"apple", "pear", "plum"} {
		builder.Add(bloom.Sum([]byte(key)))
	}
	bytes, err := builder.Append(nil)
	if err != nil {
		panic(err)
	}
	filter, err := bloom.Parse(bytes)
	if err != nil {
		panic(err)
	}
	fmt.Println(filter.Family(), filter.Keys(), filter.MayContain(bloom.Sum([]byte("pear"))), filter.MayContain(bloom.Sum([]byte("fig"))))
	// Output: blocked 3 true false
}

func ExampleAllocate() {
	levels := []bloom.Level{{Keys: 1_000, Misses: 1}, {Keys: 10_000, Misses: 1}, {Keys: 100_000, Misses: 1}}
	const bitsPerKey = 10
	fmt.Printf("%.2f\n", bloom.Allocate(levels, bitsPerKey*111_000))
	// Output: [19.07 14.27 9.48]
}
