package db

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"siftdb/internal/allocs"
	"siftdb/internal/commit"
	"siftdb/internal/key"
	"siftdb/memtable"
)

// seal gives a batch's binary form the checksum that it should have, so that the fuzzer gets past it.
func seal(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, castagnoli))
}

// FuzzUnmarshalBinary: no bytes make it panic; what it takes it gives back, and what it does not take leaves the
// batch as it was.
func FuzzUnmarshalBinary(f *testing.F) {
	var b Batch
	f.Add([]byte{})
	for range 3 {
		form, err := b.AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(form[:len(form)-4])
		b.Put([]byte("key"), []byte("value"))
		b.Delete(nil)
		b.Put(nil, make([]byte, 300))
	}
	f.Add([]byte{batchFormat, 0x81, 0x00, byte(OpDelete), 0x00}) // a count that is longer than it need be
	f.Add([]byte{batchFormat, 1, byte(OpPut), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, form := range [][]byte{body, seal(body)} {
			var b Batch
			b.Put([]byte("before"), nil)
			var err error
			allocs.Little(t, 4, len(form), 64<<10, func() { err = b.UnmarshalBinary(form) })
			if err != nil {
				if b.Len() != 1 {
					t.Fatalf("refused, %v, and changed", err)
				}
				continue
			}
			count, bytes := 0, 0
			for op := range b.Ops() {
				count++
				bytes += len(op.Key) + len(op.Value)
			}
			if count != b.Len() || bytes > b.Size() || b.Size() != len(b.ops) {
				t.Fatalf("%d operations of %d bytes, Len %d, Size %d", count, bytes, b.Len(), b.Size())
			}
			again, err := b.AppendBinary(nil)
			if err != nil || string(again) != string(form) {
				t.Fatalf("%x came back as %x, %v", form, again, err)
			}
		}
	})
}

// FuzzGroup: what package commit lets pass the memtable takes, whole.
func FuzzGroup(f *testing.F) {
	group := commit.AppendHeader(nil, 1)
	f.Add(group)
	group = commit.AppendWrite(group, key.KindSet, []byte("key"), []byte("value"))
	f.Add(group)
	f.Add(commit.AppendWrite(group, key.KindDelete, nil, nil))
	f.Add(group[:len(group)-1])
	f.Fuzz(func(t *testing.T, record []byte) {
		g, err := commit.ParseGroup(record)
		if err != nil {
			return
		}
		m := &memTable{Table: memtable.New(0)}
		m.apply(g)
		if m.Len() != g.Count {
			t.Fatalf("%d writes in the memtable, the group has %d", m.Len(), g.Count)
		}
	})
}
