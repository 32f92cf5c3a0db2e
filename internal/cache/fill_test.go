package cache

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestFillLetsNothingGo: a block that nobody asked for is not kept at the cost of another, nor beyond the capacity,
// also where it would take memory that is larger than itself.
func TestFillLetsNothingGo(t *testing.T) {
	rng := random(t)
	for range 200 {
		c := New(int64(5+rng.IntN(10)) * recycledSize)
		for i := range uint64(3) {
			c.SetCopy(ID{1, i}, Block{Bytes: make([]byte, recycledSize+recycledSize/10), Form: Packed})
		}
		c.DropFiles(1) // and leaves memory for others
		for i := uint64(0); ; i++ {
			id := ID{2, i}
			form := Form(rng.IntN(2))
			b := Block{Bytes: block(id, recycledSize-rng.IntN(100)), Form: form}
			room := c.Fill(id, b)
			m := c.Metrics()
			if want := int64(i); room && m.Entries != want+1 || !room && m.Entries != want || m.Bytes > c.capacity.Load() {
				t.Fatalf("block %d, of form %d, room for it: %v: %d blocks of %d bytes in %d",
					i, form, room, m.Entries, m.Bytes, c.capacity.Load())
			}
			if room {
				continue
			}
			if m.Bytes+mostOfCopy(b)+entryOverhead <= c.capacity.Load() {
				t.Fatalf("no room beside %d bytes in %d for a block of %d", m.Bytes, c.capacity.Load(), len(b.Bytes))
			}
			break
		}
	}
}

// TestFillByManyLetsNothingGo: of several that fill the last of the room at once, no more find it than there is room
// for.
func TestFillByManyLetsNothingGo(t *testing.T) {
	const there, places, fillers = 5, 7, 6
	b := Block{Bytes: make([]byte, recycledSize)}
	c := New(places * (recycledSize + entryOverhead))
	for i := range uint64(there) {
		c.SetCopy(ID{1, i}, b)
	}
	var wg sync.WaitGroup
	var kept atomic.Int64
	c.shards[0].mu.Lock() // those that found room wait here
	for i := range uint64(fillers) {
		wg.Go(func() {
			if c.Fill(ID{2, i}, b) {
				kept.Add(1)
			}
		})
	}
	time.Sleep(10 * time.Millisecond) // lets all of them come as far; the test cannot fail for want of it
	c.shards[0].mu.Unlock()
	wg.Wait()
	for i := range uint64(there) {
		if _, ok := c.Peek(ID{1, i}); !ok {
			t.Errorf("block %d went for one that nobody asked for", i)
		}
	}
	if n := kept.Load(); n > places-there {
		t.Errorf("%d found room, and there was room for %d", n, places-there)
	}
	checkAccount(t, c)
}
