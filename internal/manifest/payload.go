package manifest

import (
	"encoding/binary"
	"fmt"
	"math"

	"siftdb/internal/key"
)

// The kinds of records; the numbers are part of the format.
const (
	kindSnapshot = 1
	kindEdit     = 2
	kindSeal     = 3
)

// syncedSize is the length of the field that every payload begins with.
const syncedSize = 8

// editRecord is the payload of a snapshot or an edit behind the field that all payloads share.
type editRecord struct {
	number uint64
	edit   Edit
}

// The least bytes that a removal and an addition take: what a count is held against before memory is set aside.
const (
	leastRemoval  = 1 + 1
	leastAddition = 1 + 3 + 2*(1+8) + 7 + 2 + 1 + 2*8 + 1
)

// append encodes r behind dst; the byte table is in the package's comment.
func (r editRecord) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, r.number)
	dst = binary.LittleEndian.AppendUint64(dst, r.edit.NextFile)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.edit.LastSeq))
	dst = binary.LittleEndian.AppendUint64(dst, r.edit.OldestLog)
	dst = binary.AppendUvarint(dst, uint64(len(r.edit.Removed)))
	for _, removed := range r.edit.Removed {
		dst = append(dst, byte(removed.Level))
		dst = binary.AppendUvarint(dst, removed.Number)
	}
	dst = binary.AppendUvarint(dst, uint64(len(r.edit.Added)))
	for _, added := range r.edit.Added {
		dst = append(dst, byte(added.Level))
		dst = appendTable(dst, added.Table)
	}
	return dst
}

func appendTable(dst []byte, t *Table) []byte {
	dst = binary.AppendUvarint(dst, t.Number)
	dst = binary.AppendUvarint(dst, uint64(t.Size))
	dst = binary.AppendUvarint(dst, uint64(t.TailSize))
	for _, k := range []key.Key{t.Smallest, t.Largest} {
		dst = binary.AppendUvarint(dst, uint64(len(k.User)+8))
		dst = key.Append(dst, k)
	}
	for _, v := range []uint64{
		uint64(t.SmallestSeq), uint64(t.LargestSeq), t.Entries, t.Keys, t.Deletions, t.RawBytes, t.FilterBits,
	} {
		dst = binary.AppendUvarint(dst, v)
	}
	for _, text := range []string{t.FilterPolicy, t.FilterFamily} {
		dst = binary.AppendUvarint(dst, uint64(len(text)))
		dst = append(dst, text...)
	}
	dst = append(dst, byte(t.FilterPlanes))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(t.AskedBits))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(t.FilterRate))
	return append(dst, byte(t.Origin))
}

// payloadError says what is wrong with a payload, and where in it.
type payloadError struct {
	offset int
	reason string
}

func (e *payloadError) Error() string {
	return fmt.Sprintf("%s at byte %d of the payload", e.reason, e.offset)
}

// decodeEdit reads what append wrote. Its memory is bounded by a small multiple of len(b); keys are copied out of
// b. The error is a *payloadError.
func decodeEdit(b []byte) (editRecord, error) {
	c := cursor{b: b}
	r := editRecord{number: c.fixed()}
	r.edit.NextFile = c.fixed()
	r.edit.LastSeq = c.seq(c.fixed())
	r.edit.OldestLog = c.fixed()
	if n := c.count(leastRemoval); n > 0 {
		r.edit.Removed = make([]Removal, n)
		for i := range r.edit.Removed {
			r.edit.Removed[i] = Removal{Level: c.level(), Number: c.uvarint()}
		}
	}
	if n := c.count(leastAddition); n > 0 {
		r.edit.Added = make([]Addition, n)
		tables := make([]Table, n)
		for i := range r.edit.Added {
			level := c.level()
			c.table(&tables[i])
			r.edit.Added[i] = Addition{Level: level, Table: &tables[i]}
		}
	}
	if c.at < len(b) {
		c.fail("%d bytes after the end", len(b)-c.at)
	}
	if c.err != nil {
		return editRecord{}, c.err
	}
	return r, nil
}

// cursor reads a payload. After the first fault it stays where it is and gives zeros; err says what it was.
type cursor struct {
	b   []byte
	at  int
	err error
}

func (c *cursor) fail(reason string, args ...any) {
	if c.err == nil {
		c.err = &payloadError{offset: c.at, reason: fmt.Sprintf(reason, args...)}
	}
}

func (c *cursor) take(n int) []byte {
	if c.err != nil || n > len(c.b)-c.at {
		c.fail("%d bytes expected, %d are left", n, len(c.b)-c.at)
		return nil
	}
	taken := c.b[c.at : c.at+n]
	c.at += n
	return taken
}

func (c *cursor) fixed() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (c *cursor) byte() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uvarint() uint64 {
	if c.err != nil {
		return 0
	}
	v, n := binary.Uvarint(c.b[c.at:])
	if n <= 0 {
		c.fail("no integer")
		return 0
	}
	c.at += n
	return v
}

// count reads how many items follow, each of at least the given length.
func (c *cursor) count(least int) int {
	n := c.uvarint()
	if left := (len(c.b) - c.at) / least; n > uint64(left) {
		c.fail("%d items of at least %d bytes expected, %d bytes are left", n, least, len(c.b)-c.at)
		return 0
	}
	return int(n)
}

func (c *cursor) level() int {
	level := c.byte()
	if level >= NumLevels {
		c.fail("level %d of %d", level, NumLevels)
	}
	return int(level)
}

func (c *cursor) seq(v uint64) key.Seq {
	if v > uint64(key.MaxSeq) {
		c.fail("sequence number %d is too large", v)
	}
	return key.Seq(v)
}

func (c *cursor) size() int64 {
	v := c.uvarint()
	if v > math.MaxInt64 {
		c.fail("size %d is too large", v)
	}
	return int64(v)
}

func (c *cursor) key() key.Key {
	n := c.uvarint()
	if n > uint64(len(c.b)-c.at) {
		c.fail("key of %d bytes, %d are left", n, len(c.b)-c.at)
		return key.Key{}
	}
	k, ok := key.Decode(c.take(int(n)))
	if !ok {
		c.fail("not an internal key")
	}
	return k.Clone()
}

func (c *cursor) text() string {
	n := c.uvarint()
	if n > uint64(len(c.b)-c.at) {
		c.fail("text of %d bytes, %d are left", n, len(c.b)-c.at)
		return ""
	}
	return string(c.take(int(n)))
}

// float reads a number that is not negative and has a value.
func (c *cursor) float() float64 {
	f := math.Float64frombits(c.fixed())
	if !(f >= 0) || math.IsInf(f, 0) {
		c.fail("%v is no measure", f)
		return 0
	}
	return f
}

// table reads one table and refuses what no writer makes of it.
func (c *cursor) table(t *Table) {
	*t = Table{
		Number:       c.uvarint(),
		Size:         c.size(),
		TailSize:     c.size(),
		Smallest:     c.key(),
		Largest:      c.key(),
		SmallestSeq:  c.seq(c.uvarint()),
		LargestSeq:   c.seq(c.uvarint()),
		Entries:      c.uvarint(),
		Keys:         c.uvarint(),
		Deletions:    c.uvarint(),
		RawBytes:     c.uvarint(),
		FilterBits:   c.uvarint(),
		FilterPolicy: c.text(),
		FilterFamily: c.text(),
		FilterPlanes: int(c.byte()),
		AskedBits:    c.float(),
		FilterRate:   c.float(),
		Origin:       Origin(c.byte()),
	}
	switch {
	case c.err != nil:
	case t.Number == math.MaxUint64:
		c.fail("table number %d leaves none for the next", t.Number)
	case t.TailSize > t.Size:
		c.fail("tail of %d bytes in a table of %d", t.TailSize, t.Size)
	case key.Compare(t.Smallest, t.Largest) > 0:
		c.fail("table %d ends at %v before it begins at %v", t.Number, t.Largest, t.Smallest)
	case t.SmallestSeq > t.LargestSeq:
		c.fail("table %d has sequence numbers from %d down to %d", t.Number, t.SmallestSeq, t.LargestSeq)
	case t.Keys > t.Entries || t.Deletions > t.Entries:
		c.fail("table %d has %d entries, but %d keys and %d deletions", t.Number, t.Entries, t.Keys, t.Deletions)
	}
}
