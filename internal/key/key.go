package key

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
)

// Seq is a sequence number: the position of an entry in the store's order of commits. The first write has 1;
// 0 is given by compaction to entries that no view can tell apart from older ones.
type Seq uint64

// MaxSeq is the largest sequence number that fits in a Trailer. A read at MaxSeq sees everything.
const MaxSeq Seq = 1<<56 - 1

// MaxUser is the length in bytes of the longest user key that memtables and the log hold.
const MaxUser = 1<<16 - 1

// Kind says what an entry does to its user key. The numbers are part of the file formats.
type Kind uint8

const (
	// KindDelete hides all older entries of the key.
	KindDelete Kind = 0
	// KindSet gives the key a value.
	KindSet Kind = 1
	// KindMax is the largest kind that exists; with it a Trailer sorts before all others of the same Seq.
	KindMax = KindSet
)

// Valid reports whether k is a kind that this version knows.
func (k Kind) Valid() bool { return k <= KindMax }

// String is the kind's name.
func (k Kind) String() string {
	switch k {
	case KindDelete:
		return "DEL"
	case KindSet:
		return "SET"
	}
	return fmt.Sprintf("KIND(%d)", uint8(k))
}

// Trailer packs a sequence number and a kind as seq<<8 | kind, so that comparing trailers as integers compares
// age first.
type Trailer uint64

// MakeTrailer packs seq, which must not pass MaxSeq, and kind.
func MakeTrailer(seq Seq, kind Kind) Trailer { return Trailer(uint64(seq)<<8 | uint64(kind)) }

// Seq is the sequence number in t.
func (t Trailer) Seq() Seq { return Seq(t >> 8) }

// Kind is the kind in t; bytes from disk may hold one that is not Valid.
func (t Trailer) Kind() Kind { return Kind(t & 0xff) }

// Key is an internal key. User is borrowed: whoever hands out a Key says how long its bytes live.
type Key struct {
	User    []byte
	Trailer Trailer
}

// Make builds the internal key of one entry, without copying user.
func Make(user []byte, seq Seq, kind Kind) Key { return Key{user, MakeTrailer(seq, kind)} }

// Lookup is the smallest internal key that a view at seq can see of user: seek there, and what follows is the
// newest visible version.
func Lookup(user []byte, seq Seq) Key { return Key{user, MakeTrailer(seq, KindMax)} }

// Seq is the sequence number of k.
func (k Key) Seq() Seq { return k.Trailer.Seq() }

// Kind is the kind of k.
func (k Key) Kind() Kind { return k.Trailer.Kind() }

// Clone returns k with its own copy of the user key.
func (k Key) Clone() Key { return Key{append([]byte{}, k.User...), k.Trailer} }

// String is the user key, the sequence number and the kind.
func (k Key) String() string { return fmt.Sprintf("%q#%d,%s", k.User, k.Seq(), k.Kind()) }

// Compare orders internal keys: user keys bytewise ascending, then newer before older.
func Compare(a, b Key) int {
	if c := bytes.Compare(a.User, b.User); c != 0 {
		return c
	}
	return cmp.Compare(b.Trailer, a.Trailer)
}

// Append appends the encoding of k to dst: the user key, then the trailer as 8 bytes little-endian.
func Append(dst []byte, k Key) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, k.User...), uint64(k.Trailer))
}

// Decode reads what Append wrote; b is one whole encoded key, and the result's User points into it. It reports
// false when b is too short or the kind is unknown.
func Decode(b []byte) (Key, bool) {
	if len(b) < 8 {
		return Key{}, false
	}
	user, t := b[:len(b)-8], Trailer(binary.LittleEndian.Uint64(b[len(b)-8:]))
	return Key{user, t}, t.Kind().Valid()
}
