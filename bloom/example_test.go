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
