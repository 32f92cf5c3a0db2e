package cache

import (
	"bytes"
	"runtime"
	"sync"
	"testing"
)

// recycledSize is about how large the packed blocks of these tests are; each has a size of its own.
const recycledSize = 2000

// packedBlock is what SetCopy is given for an ID.
func packedBlock(id ID) Block {
	return Block{Bytes: block(id, recycledSize+int(id.Offset*7%300)), Form: Packed}
}

// TestBytesAreRecycled: blocks that come to a full cache leave little garbage.
func TestBytesAreRecycled(t *testing.T) {
	c := New(100 * recycledSize)
	set := func(from, to uint64) {
		for i := from; i < to; i++ {
			id := ID{1, i}
			c.SetCopy(id, packedBlock(id))
		}
	}
	set(0, 1000)
	var before, after runtime.MemStats
	content, rng := packedBlock(ID{1, 0}).Bytes, random(t)
	runtime.ReadMemStats(&before)
	for i := range uint64(10_000) {
		c.SetCopy(ID{2, i}, Block{Bytes: content[:recycledSize-rng.IntN(300)], Form: Packed})
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / 10_000; each > recycledSize/4 {
		t.Errorf("%d bytes were allocated for each block of %d", each, recycledSize)
	}
	if m := c.Metrics(); m.Bytes > 100*recycledSize || m.Entries < 80 {
		t.Errorf("%d blocks with %d bytes", m.Entries, m.Bytes)
	}
}

// TestHeldBytesAreNotRecycled: what Get and Peek returned stays as it is until Release, wherever the block is then, and
// so do blocks that are not packed, and packed ones whose bytes are not the cache's own.
func TestHeldBytesAreNotRecycled(t *testing.T) {
	c := New(100 * recycledSize)
	ids := []ID{{1, 0}, {1, 1}, {1, 2}, {1, 3}}
	c.SetCopy(ids[0], packedBlock(ids[0]))
	c.SetCopy(ids[1], packedBlock(ids[1]))
	c.SetCopy(ids[2], Block{Bytes: packedBlock(ids[2]).Bytes})
	c.Set(ids[3], packedBlock(ids[3]))
	var held []Block
	for i, id := range ids {
		get := c.Get
		if i == 1 {
			get = c.Peek
		}
		b, ok := get(id)
		if !ok {
			t.Fatalf("%v is not there", id)
		}
		held = append(held, b)
	}
	c.DropFiles(1)
	for i := range uint64(500) {
		id := ID{2, i}
		c.SetCopy(id, packedBlock(id))
	}
	for i, id := range ids {
		if want := packedBlock(id).Bytes; !bytes.Equal(held[i].Bytes, want) {
			t.Errorf("block %d has become %x", i, held[i].Bytes[:16])
		}
		held[i].Release()
	}
}

// TestReadersBesideRecycling: while blocks come and go, are unpacked and dropped, every reader finds under an ID the
// bytes of that one, for as long as it looks.
func TestReadersBesideRecycling(t *testing.T) {
	c := New(200 * recycledSize)
	const blocks = 400
	var all sync.WaitGroup
	for range 4 {
		rng := random(t)
		all.Go(func() {
			for n := range 20_000 {
				id := ID{rng.Uint64() % 2, rng.Uint64() % blocks}
				want := packedBlock(id)
				b, ok := c.Get(id)
				if !ok {
					c.SetCopy(id, want)
					continue
				}
				if !bytes.Equal(b.Bytes, want.Bytes) {
					t.Errorf("under %v are %x", id, b.Bytes[:16])
					return
				}
				hot := b.Hot
				runtime.Gosched()
				if !bytes.Equal(b.Bytes, want.Bytes) {
					t.Errorf("the bytes of %v have become %x", id, b.Bytes[:16])
					return
				}
				b.Release()
				if hot && n%4 == 0 {
					c.Unpack(id, want.Bytes)
				}
				if n%5000 == 0 {
					c.DropFiles(id.File)
				}
			}
		})
	}
	all.Wait()
}
