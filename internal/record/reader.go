package record

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"siftdb/internal/fsys"
)

// chunk is how much the reader reads at a time, unless one payload needs more.
const chunk = 64 << 10

// Record is one sound record.
type Record struct {
	Kind uint8
	// Offset is where in the file its header begins.
	Offset int64
	// Payload belongs to the reader and lives until its next call.
	Payload []byte
}

// Bad says that no sound record stands at an offset.
type Bad struct {
	Offset int64
	Reason string
}

// Error says what is wrong with the record.
func (b *Bad) Error() string {
	return fmt.Sprintf("siftdb: bad record at offset %d: %s", b.Offset, b.Reason)
}

// Reader reads records one after the other. One goroutine at a time. It holds at most a chunk of 64 KiB or twice the
// largest payload, and never more than the file.
type Reader struct {
	f      fsys.File
	name   string
	file   uint64
	size   int64
	offset int64 // of the record that Next will read
	window []byte
	at     int64 // offset of window[0] in the file
	place  []byte
}

// NewReader reads the records of f, the file with the given number, from offset start on; the file ends at size.
// The name is for errors. It does not close f.
func NewReader(f fsys.File, name string, file uint64, start, size int64) *Reader {
	return &Reader{f: f, name: name, file: file, size: size, offset: start, place: make([]byte, 0, placeSize)}
}

// Offset is where the next record begins, or where Next found a bad one.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next record. After the last it returns io.EOF; where no sound record stands, a *Bad, and goes
// on doing so until FindNext finds one further down. Any other error is that of a failed read.
func (r *Reader) Next() (Record, error) {
	left := r.size - r.offset
	if left <= 0 {
		return Record{}, io.EOF
	}
	if left < HeaderSize {
		return Record{}, r.bad("only %d of %d header bytes before the file ends", left, HeaderSize)
	}
	header, err := r.bytes(r.offset, HeaderSize)
	if err != nil {
		return Record{}, err
	}
	if !r.soundHeader(header, r.offset) {
		return Record{}, r.bad("header checksum does not match")
	}
	kind, sum := header[8], binary.LittleEndian.Uint32(header[9:])
	length := int64(binary.LittleEndian.Uint32(header[4:]))
	if length > left-HeaderSize {
		return Record{}, r.bad("payload of %d bytes, the file ends after %d", length, left-HeaderSize)
	}
	payload, err := r.bytes(r.offset+HeaderSize, length)
	if err != nil {
		return Record{}, err
	}
	if crc32.Checksum(payload, castagnoli) != sum {
		return Record{}, r.bad("payload checksum does not match (%d bytes)", length)
	}
	rec := Record{Kind: kind, Offset: r.offset, Payload: payload}
	r.offset += HeaderSize + length
	return rec, nil
}

func (r *Reader) bad(reason string, args ...any) *Bad {
	return &Bad{Offset: r.offset, Reason: fmt.Sprintf(reason, args...)}
}

// soundHeader checks a header as it would stand at an offset. Kind 0 is none, so zeros are turned away early.
func (r *Reader) soundHeader(header []byte, offset int64) bool {
	if header[8] == 0 {
		return false
	}
	r.place = appendPlace(r.place[:0], r.file, offset)
	return headerSum(header, r.place) == binary.LittleEndian.Uint32(header)
}

// FindNext looks for a sound record beyond the offset where Next found none. When there is one, Next returns it,
// and so ok is true; else the reader stays where it is.
func (r *Reader) FindNext() (offset int64, ok bool, err error) {
	for at := r.offset + 1; at <= r.size-HeaderSize; at++ {
		header, err := r.bytes(at, HeaderSize)
		if err != nil {
			return 0, false, err
		}
		length := int64(binary.LittleEndian.Uint32(header[4:]))
		// Lengths are looked at first, since most of what is no header fails there, at no cost.
		if length > r.size-at-HeaderSize || !r.soundHeader(header, at) {
			continue
		}
		sum := binary.LittleEndian.Uint32(header[9:])
		payload, err := r.bytes(at+HeaderSize, length)
		if err != nil {
			return 0, false, err
		}
		if crc32.Checksum(payload, castagnoli) == sum {
			r.offset = at
			return at, true, nil
		}
	}
	return 0, false, nil
}

// bytes returns n bytes of the file, which holds that many from offset on; they live until the next call.
func (r *Reader) bytes(offset, n int64) ([]byte, error) {
	if from := offset - r.at; from >= 0 && from+n <= int64(len(r.window)) {
		return r.window[from : from+n], nil
	}
	want := min(max(n, chunk), r.size-offset)
	if want > math.MaxInt {
		return nil, fmt.Errorf("siftdb: %s: a record of %d bytes is more than this system can address", r.name, n)
	}
	if int64(cap(r.window)) < want {
		// At least twice as much as before: a search may meet one claim of a larger payload after the other.
		r.window = make([]byte, max(want, min(2*int64(cap(r.window)), r.size, math.MaxInt)))
	}
	r.window, r.at = r.window[:want], offset
	read, err := r.f.ReadAt(r.window, offset)
	if int64(read) == want {
		return r.window[:n], nil
	}
	r.window = r.window[:0]
	if err == io.EOF || err == nil {
		err = fmt.Errorf("siftdb: %s ended at %d, it had %d bytes: %w",
			r.name, offset+int64(read), r.size, io.ErrUnexpectedEOF)
	}
	return nil, err
}
