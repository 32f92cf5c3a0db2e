package commit

import (
	"encoding/binary"
	"fmt"
	"iter"

	"siftdb/internal/key"
)

// HeaderSize is the number of bytes before a group's first write.
const HeaderSize = 8

// Group is what was committed as one.
type Group struct {
	// First is the sequence number of the first write.
	First key.Seq
	// Count is how many writes there are.
	Count int
	// Writes are the writes, each as AppendWrite makes it, one after the other.
	Writes []byte
}

// AppendHeader appends what stands before the writes of a group to dst.
func AppendHeader(dst []byte, first key.Seq) []byte {
	return binary.LittleEndian.AppendUint64(dst, uint64(first))
}

// ParseGroup looks through a whole group; the result points into b. The error says what is wrong, without naming a
// place. Where a checksum over b was right, it is a fault of the program that wrote it.
func ParseGroup(b []byte) (Group, error) {
	if len(b) < HeaderSize {
		return Group{}, fmt.Errorf("commit group of %d bytes, shorter than its header", len(b))
	}
	g := Group{First: key.Seq(binary.LittleEndian.Uint64(b)), Writes: b[HeaderSize:]}
	for rest := g.Writes; len(rest) > 0; g.Count++ {
		w, n := CutWrite(rest)
		if n == 0 {
			return Group{}, fmt.Errorf("commit group holds no write at its byte %d", len(b)-len(rest))
		}
		if len(w.Key) > key.MaxUser {
			return Group{}, fmt.Errorf("commit group holds a key of %d bytes", len(w.Key))
		}
		rest = rest[n:]
	}
	if g.First == 0 || g.First > key.MaxSeq-key.Seq(g.Count) {
		return Group{}, fmt.Errorf("commit group has sequence number %d", g.First)
	}
	return g, nil
}

// All runs over the writes of a sound group with their sequence numbers.
func (g Group) All() iter.Seq2[key.Seq, Write] {
	return func(yield func(key.Seq, Write) bool) {
		seq := g.First
		for rest := g.Writes; len(rest) > 0; seq++ {
			w, n := CutWrite(rest)
			if !yield(seq, w) {
				return
			}
			rest = rest[n:]
		}
	}
}
