package bloom_test

import (
	"fmt"

	"siftdb/bloom"
)

// A table's filter has more planes in its bytes than are in memory. They come and go while the store runs.
func ExampleElastic() {
	b := bloom.Ribbon(10).Builder(bloom.Place{Level: 3, Reason: bloom.ReasonCompaction})
	for i := range 10_000 {
		b.Add(bloom.Sum(fmt.Appendf(nil, "user%d", i)))
	}
	bytes, err := b.Append(nil) // what stands in the table's file
	if err != nil {
		panic(err)
	}

	head, err := bloom.HeadBytes(bytes[:bloom.HeaderSize])
	if err != nil {
		panic(err)
	}
	filter, err := bloom.ParseElastic(bytes[:head])
	if err != nil {
		panic(err)
	}
	for plane := range 7 {
		offset, length := filter.PlaneRange(plane)
		if filter, err = filter.With(plane, bytes[offset:offset+length]); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%d of %d planes, %.2f bits a key, rate %.4f\n", filter.Resident(), filter.Planes(),
		float64(filter.Bits())/float64(filter.Keys()), filter.ExpectedRate())

	filter = filter.Without(6).Without(5)
	fmt.Printf("%d planes, rate %.4f, user17 %v\n", filter.Resident(), filter.ExpectedRate(), filter.MayContain(bloom.Sum([]byte("user17"))))
	// Output:
	// 7 of 16 planes, 7.21 bits a key, rate 0.0078
	// 5 planes, rate 0.0312, user17 true
}
