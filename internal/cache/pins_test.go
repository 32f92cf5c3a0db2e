package cache

import (
	"bytes"
	"testing"
)

// overwrite has enough blocks come and go that memory which is free for others is theirs.
func overwrite(c *Cache) {
	for i := range uint64(500) {
		id := ID{2, i}
		c.SetCopy(id, packedBlock(id))
	}
}

// TestEachReaderHoldsTheBytes: one that lets go does not let go for others, whether the block is dropped or unpacked
// meanwhile.
func TestEachReaderHoldsTheBytes(t *testing.T) {
	for name, lose := range map[string]func(*Cache, ID){
		"dropped":  func(c *Cache, _ ID) { c.DropFiles(1) },
		"unpacked": func(c *Cache, id ID) { c.Unpack(id, []byte("content")) },
	} {
		t.Run(name, func(t *testing.T) {
			c, id := New(100*recycledSize), ID{1, 0}
			c.SetCopy(id, packedBlock(id))
			one, _ := c.Get(id)
			other, _ := c.Get(id)
			one.Release()
			lose(c, id)
			overwrite(c)
			if !bytes.Equal(other.Bytes, packedBlock(id).Bytes) {
				t.Errorf("the bytes of a reader have become %x", other.Bytes[:16])
			}
			other.Release()
		})
	}
}

// TestLateReadersFindNothing: who found an entry just before its bytes became another's does not get them.
func TestLateReadersFindNothing(t *testing.T) {
	c, id := New(100*recycledSize), ID{1, 0}
	c.SetCopy(id, packedBlock(id))
	b, _ := c.Get(id)
	b.Release()
	found := c.shard(id.hash()).table.Load().find(id.hash(), id)
	c.DropFiles(1)
	if found.pin() {
		t.Error("bytes that are another's are held")
	}
	if n := found.pins.Load(); n != gone {
		t.Errorf("%d readers of bytes that are another's", n)
	}
}

// TestBytesOfSetAreNotRecycled: they are not the cache's, and whoever gave them may look at them.
func TestBytesOfSetAreNotRecycled(t *testing.T) {
	c, id := New(100*recycledSize), ID{1, 0}
	given := packedBlock(id)
	c.Set(id, given)
	c.DropFiles(1)
	overwrite(c)
	if !bytes.Equal(given.Bytes, packedBlock(id).Bytes) {
		t.Errorf("the bytes have become %x", given.Bytes[:16])
	}
}
