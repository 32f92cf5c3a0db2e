package memtable

import (
	"encoding/binary"

	"siftdb/internal/key"
)

// entry is one version of a user key in the arena, as laid out in doc.go; it begins at the header and may go on
// beyond its end. nil: there is none.
type entry []byte

const (
	headerSize = 14
	linksSize  = 20
	noLinks    = 0
	linked     = 1 << 31 // in the value length: the entry has links
)

// add adds an entry without links, and after it room for as many bytes of links.
func (a *arena) add(k key.Key, value []byte, links int) (ref, entry) {
	r, b := a.alloc(headerSize + len(k.User) + len(value) + links)
	e := entry(b)
	binary.LittleEndian.PutUint64(e[0:], uint64(k.Trailer))
	binary.LittleEndian.PutUint32(e[8:], uint32(len(value)))
	binary.LittleEndian.PutUint16(e[12:], uint16(len(k.User)))
	copy(e[headerSize:], k.User)
	copy(e[headerSize+len(k.User):], value)
	return r, e
}

// link makes e, which has no links yet, the version after older. For the meaning of jump and depth see chain.go.
func (e entry) link(older, jump ref, depth uint32) {
	links := e[e.end():]
	binary.LittleEndian.PutUint64(links[0:], uint64(older))
	binary.LittleEndian.PutUint64(links[8:], uint64(jump))
	binary.LittleEndian.PutUint32(links[16:], depth)
	binary.LittleEndian.PutUint32(e[8:], uint32(e.valueLen())|linked)
}

func (e entry) trailer() key.Trailer { return key.Trailer(binary.LittleEndian.Uint64(e)) }
func (e entry) linked() bool         { return binary.LittleEndian.Uint32(e[8:])&linked != 0 }
func (e entry) valueLen() int        { return int(binary.LittleEndian.Uint32(e[8:]) &^ linked) }
func (e entry) userLen() int         { return int(binary.LittleEndian.Uint16(e[12:])) }

// end is where the value ends and the links begin.
func (e entry) end() int { return headerSize + e.userLen() + e.valueLen() }

// user is the user key. Like value, it has no capacity beyond its length, so that an append by whoever holds it
// cannot write into the arena.
func (e entry) user() []byte {
	end := headerSize + e.userLen()
	return e[headerSize:end:end]
}

func (e entry) value() []byte {
	end := e.end()
	return e[headerSize+e.userLen() : end : end]
}

func (e entry) key() key.Key { return key.Key{User: e.user(), Trailer: e.trailer()} }

// older and jump may be called only when e is linked.
func (e entry) older() ref { return ref(binary.LittleEndian.Uint64(e[e.end():])) }
func (e entry) jump() ref  { return ref(binary.LittleEndian.Uint64(e[e.end()+8:])) }

// depth is the number of older versions.
func (e entry) depth() uint32 {
	if !e.linked() {
		return 0
	}
	return binary.LittleEndian.Uint32(e[e.end()+16:])
}
