package db

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// TestBatchIsSeenWhole: while batches of many writes are taken in, whoever looks sees all of one or nothing of it,
// through a snapshot, a loop or an iterator, and no batch before one that was seen.
func TestBatchIsSeenWhole(t *testing.T) {
	const writes = 4000
	batches := 12
	if testing.Short() {
		batches = 5
	}
	store := memStore(t, func(o *Options) { o.MemTableSize = 1 << 20 })
	key := func(i int) []byte { return fmt.Appendf(nil, "k%04d", i) }
	apply := func(number int) {
		var b Batch
		for i := range writes {
			b.Put(key(i), strconv.AppendInt(nil, int64(number), 10))
		}
		check(t, store.Apply(&b, NoSync))
	}
	apply(0)
	var done atomic.Bool
	var reading sync.WaitGroup
	for name, look := range map[string]func() (first, last []byte, err error){
		"snapshot": func() (first, last []byte, err error) {
			s := store.Snapshot()
			defer s.Close()
			if first, err = s.Get(key(0)); err == nil {
				last, err = s.Get(key(writes - 1))
			}
			return first, last, err
		},
		"iterator": func() (first, last []byte, err error) {
			it := store.NewIter(Range{})
			it.First()
			first = append(first, it.Value()...)
			it.Last()
			last = append(last, it.Value()...)
			return first, last, it.Close()
		},
		"loop": func() (first, last []byte, err error) {
			for e, err := range store.Scan(Range{Reverse: true}) {
				if err != nil {
					return nil, nil, err
				}
				if last == nil {
					last = e.Value
				}
				first = e.Value
			}
			return first, last, nil
		},
	} {
		reading.Go(func() {
			seen, looks := 0, 0
			for !done.Load() {
				first, last, err := look()
				number, parsing := strconv.Atoi(string(first))
				if err != nil || parsing != nil || string(first) != string(last) || number < seen {
					t.Errorf("%s: the first key is of batch %q, the last of %q, %d was seen before; %v", name, first, last, seen, err)
					return
				}
				seen = number
				looks++
			}
			t.Logf("%s: %d looks", name, looks)
		})
	}
	for number := range batches {
		apply(number + 1)
	}
	done.Store(true)
	reading.Wait()
}
