package db

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// promiseLimits: beyond a limit is ErrTooLarge, which names the limit; up to it everything is readable, and the
// store stays usable (LIM-01).
func promiseLimits(t *testing.T) {
	store := memStore(t)
	put(t, store, "before", "zzz")
	longest := bytes.Repeat([]byte("k"), MaxKeySize)
	check(t, store.Put(longest, []byte("v")))
	tooLong := append(longest, 'k')
	for call, err := range map[string]error{
		"Put":    store.Put(tooLong, nil),
		"Delete": store.Delete(tooLong),
	} {
		large, ok := errors.AsType[*TooLargeError](err)
		if !ok || !errors.Is(err, ErrTooLarge) || *large != (TooLargeError{What: "key", Size: MaxKeySize + 1, Limit: MaxKeySize}) {
			t.Errorf("%s: %v", call, err)
		}
	}
	if want := "siftdb: too large: key of 65536 bytes, the limit is 65535"; store.Put(tooLong, nil).Error() != want {
		t.Errorf("%v, want %s", store.Put(tooLong, nil), want)
	}
	for _, err := range []error{checkOp(0, MaxValueSize), checkOp(MaxKeySize, MaxValueSize), checkBatch(MaxBatchSize)} {
		check(t, err)
	}
	wantErr(t, "a value past the limit", checkOp(0, MaxValueSize+1), ErrTooLarge)

	sizes := []int{0, 1, 511, 512, 513, 16<<10 - 1, 16 << 10, 16<<10 + 1, 64 << 10, 3 << 20}
	for _, size := range sizes {
		check(t, store.Put(fmt.Appendf(nil, "value%08d", size), bytes.Repeat([]byte{byte(size)}, size), NoSync))
	}
	for range 2 {
		for _, size := range sizes {
			v, err := store.Get(fmt.Appendf(nil, "value%08d", size))
			if err != nil || !bytes.Equal(v, bytes.Repeat([]byte{byte(size)}, size)) {
				t.Errorf("a value of %d bytes came back with %d, %v", size, len(v), err)
			}
		}
		if n := len(keysOf(t, store, Range{})); n != len(sizes)+3 {
			t.Errorf("%d keys", n)
		}
		wantValue(t, store, string(longest), "v")
		wantValue(t, store, "before", "before")
		flush(t, store)
		quiet(t, store)
	}
}
