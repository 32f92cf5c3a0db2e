package sstable

import (
	"context"
	"encoding/binary"

	"siftdb/bloom"
)

const (
	// searchSteps bounds the bytes that a search behind damage runs over, each some nanoseconds.
	searchSteps = 1 << 31
	// firstReach is how long a block may be that a search finds before any other block has been seen.
	firstReach = 128 << 10
	// searchWindow is how much of the file a search holds.
	searchWindow = 256 << 10
)

// byChecksums hands over the data blocks from the start of the file up to end. Known says that the data ends there;
// else end is that of the file, and the data ends where the filter or the index begins.
func (s *salvager) byChecksums(ctx context.Context, end int64, known bool) error {
	at := int64(0)
	for at < end {
		if err := ctx.Err(); err != nil {
			return err
		}
		length, isData, err := s.blockAt(at, end)
		if err != nil {
			return err
		}
		if isData {
			if err := s.handOver(length); err != nil {
				return err
			}
			at += length
			continue
		}
		if !known {
			if past, err := s.pastData(at, length); past || err != nil {
				return err
			}
		}
		next, err := s.search(ctx, at, end, known)
		if err != nil {
			return err
		}
		s.gap(handle{at, next - at}, "no block with a right checksum begins here")
		at = next
	}
	if !known {
		s.gap(handle{at, 0}, "the file ends before its index")
	}
	return nil
}

// blockAt looks for the end of a block that begins at offset at: the first place where the bytes match the checksum
// behind them. Length is 0 when there is none; isData says that it is a sound data block, which isNext has opened.
func (s *salvager) blockAt(at, end int64) (length int64, isData bool, err error) {
	end = min(end, at+maxContent+trailerSize)
	state := ^(uint32(at) ^ uint32(at>>32)) // a checksum begins at the block's offset, see checksum
	for pos := at; pos+trailerSize <= end; {
		window, err := s.peek(pos, trailerSize)
		if err != nil {
			return 0, false, err
		}
		window = window[:min(int64(len(window)), end-pos)]
		n, next, found := matchChecksum(state, window)
		pos, state = pos+int64(n), next
		if !found {
			continue
		}
		length = pos + trailerSize - 1 - at
		stored, err := s.read(at, length)
		if err != nil {
			return 0, false, err
		}
		if content, err := unseal(stored, at); err == nil {
			return length, s.isNext(content), nil
		}
	}
	return 0, false, nil
}

// matchChecksum runs over b, at least trailerSize bytes, until the checksum of what came before, and of a kind of block
// behind it, stands next. It says how many bytes it has taken in, and the state of the checksum after them.
func matchChecksum(state uint32, b []byte) (n int, next uint32, found bool) {
	for ; n+trailerSize <= len(b); n++ {
		state = castagnoli[byte(state)^b[n]] ^ state>>8
		if ^state == binary.LittleEndian.Uint32(b[n+1:]) && b[n] <= kindSnappy {
			return n + 1, state, true
		}
	}
	return n, state, false
}

// peek gives at least n bytes from pos on, which must be in the file, and few. They live until the next call.
func (s *salvager) peek(pos, n int64) ([]byte, error) {
	if from := pos - s.windowAt; from >= 0 && from+n <= int64(len(s.window)) {
		return s.window[from:], nil
	}
	if s.window == nil {
		s.window = make([]byte, min(searchWindow, s.size))
	}
	s.window, s.windowAt = s.window[:min(int64(cap(s.window)), s.size-pos)], pos
	if err := s.source.read(s.window, pos); err != nil {
		s.window = s.window[:0]
		return nil, err
	}
	return s.window, nil
}

// pastData says whether what stands at an offset where no data block does is what follows the data: a filter, or, in
// a table without one, the index, which is a block of that length.
func (s *salvager) pastData(at, length int64) (bool, error) {
	if length > 0 {
		return true, nil
	}
	head, err := s.peek(at, min(bloom.HeaderSize, s.size-at))
	if err != nil {
		return false, err
	}
	_, broken := bloom.ReadHeader(head[:min(bloom.HeaderSize, len(head))])
	return broken == nil, nil
}

// search looks for the next data block behind offset at, or, where the end of the data is not known, for what follows
// the data. It gives end when there is none, or when it has searched for too long.
func (s *salvager) search(ctx context.Context, at, end int64, known bool) (int64, error) {
	reach := 2 * s.longest
	if reach == 0 {
		reach = firstReach
	}
	for start := at + 1; start+trailerSize <= end && s.steps > 0; start++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		limit := min(end, start+reach)
		s.steps -= limit - start
		length, isData, err := s.blockAt(start, limit)
		if err != nil {
			return 0, err
		}
		if isData {
			return start, nil
		}
		if known {
			continue
		}
		if past, err := s.pastData(start, length); past || err != nil {
			return start, err
		}
	}
	return end, nil
}
