package sstable

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"siftdb/internal/key"
)

// block is the content of a data block, opened: its entries, and the offsets of those with full keys. It is a
// view of immutable bytes. Positions are offsets in entries; bytes that make no sense are told by position -1
// or an ok of false, for the caller knows where in the file the block stands.
type block struct {
	entries  []byte
	restarts []byte // 4 bytes each, the first of them 0
}

// openBlock splits content; ok is false when it cannot be a block.
func openBlock(content []byte) (b block, ok bool) {
	if len(content) < 8 {
		return b, false
	}
	n := uint64(binary.LittleEndian.Uint32(content[len(content)-4:]))
	room := uint64(len(content) - 4)
	if n == 0 || 4*n > room {
		return b, false
	}
	end := int(room - 4*n)
	b = block{content[:end:end], content[end : len(content)-4]}
	return b, b.restart(0) == 0
}

// restartCount is the number of entries with full keys.
func (b block) restartCount() int { return len(b.restarts) / 4 }

// restart is the offset of the i-th entry with a full key. Bytes from disk may hold any number.
func (b block) restart(i int) int {
	return int(min(binary.LittleEndian.Uint32(b.restarts[4*i:]), maxContent))
}

// entry decodes the entry at a position: how many bytes of the user key it shares with the entry before, the
// rest of the user key, the value, the trailer, and the position of the next entry, or -1 when the bytes there
// are no entry.
func (b block) entry(at int) (shared int, suffix, value []byte, trailer key.Trailer, next int) {
	if uint(at) >= uint(len(b.entries)) {
		return 0, nil, nil, 0, -1
	}
	p := b.entries[at:]
	var s, u, v, t uint64
	var n int
	// Nearly always the first three numbers are single bytes, and one load has the fourth.
	if len(p) >= 11 && p[0]|p[1]|p[2] < 0x80 {
		s, u, v = uint64(p[0]), uint64(p[1]), uint64(p[2])
		t, n = shortUvarint(binary.LittleEndian.Uint64(p[3:]))
	}
	if n > 0 {
		n += 3
	} else if s, u, v, t, n = longHead(p); n < 0 {
		return 0, nil, nil, 0, -1
	}
	left := uint64(len(p) - n)
	if u > left || v > left-u || s > maxContent || !key.Trailer(t).Kind().Valid() {
		return 0, nil, nil, 0, -1
	}
	middle, end := n+int(u), n+int(u+v)
	return int(s), p[n:middle:middle], p[middle:end:end], key.Trailer(t), at + end
}

// longHead decodes the four numbers at the start of an entry, and their length together, -1 when p ends inside.
func longHead(p []byte) (shared, unshared, value, trailer uint64, n int) {
	shared, n = uvarint(p, 0)
	unshared, n = uvarint(p, n)
	value, n = uvarint(p, n)
	trailer, n = uvarint(p, n)
	return shared, unshared, value, trailer, n
}

// restartBefore is the last restart point whose key is less than (user, trailer), or the first one if none is.
// ok is false when a restart point is not at an entry with a full key.
func (b block) restartBefore(user []byte, trailer key.Trailer) (i int, ok bool) {
	low, high := 0, b.restartCount() // those below low are less, those from high on are not
	for low < high {
		mid := int(uint(low+high) / 2)
		shared, full, _, t, next := b.entry(b.restart(mid))
		if next < 0 || shared != 0 {
			return 0, false
		}
		if c := bytes.Compare(full, user); c < 0 || c == 0 && t > trailer {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return max(low-1, 0), true
}

// verdict is what find learned from one block.
type verdict uint8

const (
	verdictBad    verdict = iota // the bytes make no sense
	verdictFound                 // the newest visible version is in the block
	verdictPassed                // the block goes on beyond the key: no visible version here or later
	verdictEnd                   // all entries are before the key
	verdictGoesOn                // the last entry is a version of the key that is too new; older ones may follow
)

// found is the answer of find. Where and Value belong to the entry with verdictFound; after verdictBad, where is
// the position of the bad bytes.
type found struct {
	verdict verdict
	hidden  bool // a version newer than what was asked for was seen
	trailer key.Trailer
	value   []byte
	where   int
}

// find looks for the newest version of user whose trailer is at most newest.
//
// No key is put together: it keeps the number of bytes that the entry before has in common with user. An entry
// that shares more with its predecessor than that differs from user where the predecessor does, and is before
// it as well; one that shares less is beyond it; only one that shares just as much needs looking at, and only
// its suffix.
func (b block) find(user []byte, newest key.Trailer) (f found) {
	restart, ok := b.restartBefore(user, newest)
	if !ok {
		return f
	}
	matched, same := 0, false
	for at := b.restart(restart); at < len(b.entries); {
		shared, suffix, value, trailer, next := b.entry(at)
		if next < 0 {
			return found{where: at}
		}
		if shared == 0 {
			matched = 0 // so too at restart points, where it says nothing about the entry before
		}
		if shared == matched {
			rest := user[matched:]
			n := commonPrefix(suffix, rest)
			switch {
			case n == len(suffix) && n == len(rest):
				if trailer <= newest {
					return found{verdictFound, f.hidden, trailer, value, at}
				}
				f.hidden, same = true, true
			case n == len(rest) || n < len(suffix) && suffix[n] > rest[n]:
				f.verdict = verdictPassed
				return f
			default:
				same = false
			}
			matched += n
		} else if shared < matched {
			f.verdict = verdictPassed
			return f
		}
		at = next
	}
	f.verdict = verdictEnd
	if same {
		f.verdict = verdictGoesOn
	}
	return f
}

// commonPrefix is the number of bytes that a and b have in common from their start.
func commonPrefix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
