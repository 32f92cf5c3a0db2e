package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"siftdb/internal/allocs"
	"siftdb/internal/fsys"
)

// TestSearchAllocatesLittle: headers that claim ever longer payloads, none of them right, do not make a search take as
// much memory each.
func TestSearchAllocatesLittle(t *testing.T) {
	content := make([]byte, 1<<20)
	for i := range 1000 {
		at := int64(1 + HeaderSize*i)
		header := content[at : at+HeaderSize]
		binary.LittleEndian.PutUint32(header[4:], uint32(100_000+900*i))
		header[8], header[9] = 1, byte(i|1)
		binary.LittleEndian.PutUint32(header, headerSum(header, appendPlace(nil, 7, at)))
	}
	f := open(t, content)
	n := allocs.Bytes(func() {
		if _, found, err := NewReader(f, "f", 7, 0, int64(len(content))).FindNext(); found || err != nil {
			t.Errorf("found %v, %v", found, err)
		}
	})
	if n > 4<<20 {
		t.Errorf("%d bytes of memory for a file of 1 MiB", n)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(golden())
	f.Add(golden()[:30])
	f.Add(make([]byte, 100))
	f.Fuzz(func(t *testing.T, content []byte) {
		f := open(t, content)
		n := allocs.Bytes(func() { readThrough(t, f, content) })
		if most := uint64(4*len(content) + 8*chunk); n > most {
			t.Errorf("%d bytes of memory for a file of %d", n, len(content))
		}
	})
}

// readThrough reads all that is sound in a file.
func readThrough(t *testing.T, f fsys.File, content []byte) {
	r := NewReader(f, "f", 7, 0, int64(len(content)))
	for {
		before := r.Offset()
		rec, err := r.Next()
		bad := (*Bad)(nil)
		switch {
		case err == nil:
			if want := Append(nil, 7, rec.Offset, rec.Kind, rec.Payload); !bytes.Equal(want, content[rec.Offset:r.Offset()]) {
				t.Fatalf("the record at %d does not encode to itself", rec.Offset)
			}
		case errors.As(err, &bad):
			if bad.Offset != before {
				t.Fatalf("bad at %d, reader at %d", bad.Offset, before)
			}
			if _, ok, err := r.FindNext(); err != nil {
				t.Fatal(err)
			} else if !ok {
				return
			}
		case err == io.EOF:
			return
		default:
			t.Fatal(err)
		}
	}
}
