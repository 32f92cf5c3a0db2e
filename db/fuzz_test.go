package db

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

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
			if err := b.UnmarshalBinary(form); err != nil {
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

// FuzzCheckGroup: no bytes make it panic, and what it lets pass can be applied and has the number of writes that
// it says.
func FuzzCheckGroup(f *testing.F) {
	group := binary.LittleEndian.AppendUint64(nil, 1)
	f.Add(group)
	group = appendOp(group, OpPut, []byte("key"), []byte("value"))
	f.Add(group)
	f.Add(appendOp(group, OpDelete, nil, nil))
	f.Add(group[:len(group)-1])
	f.Add(binary.LittleEndian.AppendUint64(nil, uint64(key.MaxSeq)))
	f.Add(appendOp(binary.LittleEndian.AppendUint64(nil, 1<<63), OpDelete, nil, nil))
	f.Fuzz(func(t *testing.T, record []byte) {
		first, ops, count, err := checkGroup(record)
		if err != nil {
			return
		}
		if first == 0 || first+key.Seq(count) > key.MaxSeq || len(ops) != len(record)-groupHeader {
			t.Fatalf("first %d, %d writes in %d of %d bytes", first, count, len(ops), len(record))
		}
		mem := memtable.New(0)
		if n := applyGroup(mem, first, ops); n != count || mem.Len() != count {
			t.Fatalf("%d writes applied, %d in the memtable, checked %d", n, mem.Len(), count)
		}
	})
}
