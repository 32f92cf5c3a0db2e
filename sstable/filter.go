package sstable

import (
	"errors"
	"fmt"
	"hash/crc32"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
)

// hashChunk is the number of hashes that are stored in one piece.
const hashChunk = 4096

// filterWriter feeds the hashes of a table's user keys to a builder, and keeps them to ask the finished filter
// for each.
type filterWriter struct {
	builder bloom.Builder
	hashes  [][]bloom.Hash
}

func (w *filterWriter) add(user []byte) {
	h := bloom.Sum(user)
	w.builder.Add(h)
	n := len(w.hashes)
	if n == 0 || len(w.hashes[n-1]) == hashChunk {
		w.hashes = append(w.hashes, make([]bloom.Hash, 0, hashChunk))
		n++
	}
	w.hashes[n-1] = append(w.hashes[n-1], h)
}

// finish returns the filter's bytes and the filter they are parsed to, after that one has answered maybe for
// every key. A bit that memory lost while the filter was built would be under the checksum like a good one; only
// this notices it. It costs about a thirtieth of building the table (BenchmarkFilterCheck, BenchmarkBuild).
func (w *filterWriter) finish() ([]byte, bloom.TableFilter, error) {
	b, err := w.builder.Append(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("siftdb: building a filter: %w", err)
	}
	filter, err := bloom.Parse(b)
	if err != nil {
		return nil, nil, fmt.Errorf("siftdb: reading back the filter just built: %w", err)
	}
	if !w.knownTo(filter) {
		return nil, nil, errFilterDenies
	}
	return b, filter, nil
}

// knownTo reports whether filter answers maybe for every key that was added.
func (w *filterWriter) knownTo(filter bloom.TableFilter) bool {
	for _, chunk := range w.hashes {
		for _, h := range chunk {
			if !filter.MayContain(h) {
				return false
			}
		}
	}
	return true
}

// errFilterDenies says that memory or the code that built a filter has failed.
var errFilterDenies = errors.New("the filter denies a key that is in the table")

// filterHead is how many bytes of a filter block filterSum covers: bloom's header, which has the payload's checksum
// in it, up to its own checksum. (The CRC of bytes and their CRC together is the same number for all bytes.)
const filterHead = 60

// filterSum ties a filter to its table: it stands in the properties.
func filterSum(b []byte) uint32 { return crc32.Checksum(b[:min(len(b), filterHead)], castagnoli) }

// loadFilter parses a table's filter block, which stood at the given offset of the file. It returns nil, nil
// when the table was built without one. With an error there is no filter, and reads go on without.
func loadFilter(b []byte, offset int64, name string, p *Properties) (bloom.TableFilter, error) {
	if p.FilterFamily == "" && len(b) == 0 {
		return nil, nil
	}
	filter, err := bloom.Parse(b)
	if errors.Is(err, bloom.ErrUnknown) {
		return nil, fmt.Errorf("siftdb: filter of %s at offset %d: %w", name, offset, err)
	}
	if bad, ok := errors.AsType[*bloom.FormatError](err); ok {
		return nil, corrupt.New(name, offset+bad.Offset, "filter: %s", bad.Reason)
	}
	if err != nil {
		return nil, corrupt.New(name, offset, "filter: %v", err)
	}
	if filter.Keys() != p.Keys {
		return nil, corrupt.New(name, offset, "the filter is of %d keys, the table has %d", filter.Keys(), p.Keys)
	}
	if sum := filterSum(b); sum != p.filterSum {
		return nil, corrupt.New(name, offset, "a good filter, but of another table: its head gives %08x, expected %08x", sum, p.filterSum)
	}
	return filter, nil
}
