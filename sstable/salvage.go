package sstable

import (
	"context"
	"errors"
	"fmt"
	"io"

	"siftdb/internal/corrupt"
	"siftdb/internal/key"
)

// Salvaged says what Salvage found in a table file.
type Salvaged struct {
	// Entries and Blocks count what was handed over.
	Entries, Blocks uint64
	// Gaps are the stretches whose entries are lost, in the order of the file. Without any, all that the table held
	// was handed over.
	Gaps []Gap
}

// Gap is a stretch of data blocks that cannot be read. Offset and Length are its bytes in the file; Length is 0 where
// the file ends too early. Lost are entries with user keys from After to Before, both included, since versions of one
// key may stand on both sides; nil is no bound. The keys are the caller's.
type Gap struct {
	Offset, Length int64
	After, Before  []byte
	Reason         string
}

// Salvage hands over the entries of all data blocks of a table file that are sound, in the order of the table; key and
// value live during the call of visit. It is for tables that Open or Verify refuses. What it hands over was written so:
// each block's checksum covers its place in the file, and a block whose form or order is wrong is left out whole.
//
// Blocks are found by the index, or, where that or the footer is damaged, by their checksums alone: data blocks follow
// one another from the start of the file, and a block ends where its bytes match the checksum behind them. Behind a
// damaged block that takes a search, which is given up after about ten seconds; then the rest of the table is a gap.
//
// The filter and the properties are not looked at. Damage is no error; an error is the file's, visit's or the
// context's, or says that the table is of a format that this version does not know.
func Salvage(
	ctx context.Context, f io.ReaderAt, size int64, name string, visit func(k key.Key, value []byte) error,
) (Salvaged, error) {
	s := &salvager{source: source{f, name}, size: size, visit: visit, steps: searchSteps}
	err := s.run(ctx)
	return s.found, err
}

// salvager is one run of Salvage.
type salvager struct {
	source source
	size   int64
	visit  func(k key.Key, value []byte) error
	found  Salvaged
	it     blockIter
	last   key.Key // of the last entry that was handed over; its bytes are ours
	before key.Key // of the last entry that isNext looked at, likewise
	open   bool    // the last gap does not know its Before yet

	window   []byte // of the file, from windowAt on
	windowAt int64
	longest  int64 // length of the longest block so far
	steps    int64 // that the search behind damage may still take
}

func (s *salvager) run(ctx context.Context) error {
	foot, known, err := s.footer()
	if err != nil {
		return err
	}
	if !known {
		return s.byChecksums(ctx, s.size, false)
	}
	x, err := s.index(foot)
	if err != nil {
		return err
	}
	if x == nil {
		return s.byChecksums(ctx, foot.data, true)
	}
	return s.byIndex(ctx, x)
}

// footer reads the footer; known is false for one that is damaged or cut off. A sound one of another format is an
// error: nobody here knows what the blocks would be.
func (s *salvager) footer() (f footer, known bool, err error) {
	if s.size < footerSize {
		return f, false, nil
	}
	b, err := s.read(s.size-footerSize, footerSize)
	if b == nil || err != nil {
		return f, false, err
	}
	f, at, err := decodeFooter(b, s.size)
	if err != nil && at == formatOffset {
		return f, false, fmt.Errorf("siftdb: %s: %w", s.source.name, err)
	}
	return f, err == nil, nil
}

// index reads the index; nil for one that is damaged.
func (s *salvager) index(foot footer) (*index, error) {
	h := foot.indexHandle()
	stored, err := s.read(h.offset, h.length)
	if stored == nil || err != nil {
		return nil, err
	}
	content, err := unseal(stored, h.offset)
	if err != nil {
		return nil, nil
	}
	x, err := parseIndex(content, foot.data)
	if err != nil {
		return nil, nil
	}
	return x, nil
}

// read gives bytes of the file in memory of their own; nil where the file ends before them.
func (s *salvager) read(offset, n int64) ([]byte, error) {
	b := make([]byte, n)
	err := s.source.read(b, offset)
	if errors.Is(err, corrupt.ErrCorrupt) {
		return nil, nil
	}
	return b, err
}

// byIndex hands over the blocks that the index names.
func (s *salvager) byIndex(ctx context.Context, x *index) error {
	for i := range x.blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		h := x.block(i)
		stored, err := s.read(h.offset, h.length)
		if err != nil {
			return err
		}
		content, broken := unseal(stored, h.offset)
		if broken != nil {
			s.gap(h, broken.Error())
			continue
		}
		if !s.isNext(content) {
			s.gap(h, "its entries are out of form or order")
			continue
		}
		if err := s.handOver(h.length); err != nil {
			return err
		}
	}
	return nil
}

// isNext opens a block's content, checks all of it, and says whether it can be the data block after the last one. The
// iterator is reset to it then.
func (s *salvager) isNext(content []byte) bool {
	b, ok := openBlock(content)
	if !ok {
		return false
	}
	restarts := 0
	s.before.User, s.before.Trailer = append(s.before.User[:0], s.last.User...), s.last.Trailer
	s.it.reset(b)
	for ok := s.it.first(); ok; ok = s.it.next() {
		if restarts < b.restartCount() && s.it.at == b.restart(restarts) {
			if shared, _, _, _, _ := b.entry(s.it.at); shared == 0 {
				restarts++
			}
		}
		k := s.it.key()
		if (s.found.Entries > 0 || s.it.at > 0) && key.Compare(s.before, k) >= 0 {
			return false
		}
		s.before.User, s.before.Trailer = append(s.before.User[:0], k.User...), k.Trailer
	}
	return !s.it.bad && restarts == b.restartCount()
}

// handOver gives the entries of the block that isNext has opened to visit. Length is that of the block in the file.
func (s *salvager) handOver(length int64) error {
	for ok := s.it.first(); ok; ok = s.it.next() {
		k := s.it.key()
		if s.open {
			s.found.Gaps[len(s.found.Gaps)-1].Before = append([]byte{}, k.User...)
			s.open = false
		}
		if err := s.visit(k, s.it.value); err != nil {
			return err
		}
		s.found.Entries++
		s.last.User, s.last.Trailer = append(s.last.User[:0], k.User...), k.Trailer
	}
	s.found.Blocks++
	s.longest = max(s.longest, length)
	return nil
}

// gap notes that a stretch is lost; one right behind another goes into that.
func (s *salvager) gap(h handle, reason string) {
	if s.open {
		before := &s.found.Gaps[len(s.found.Gaps)-1]
		before.Length = h.end() - before.Offset
		return
	}
	g := Gap{Offset: h.offset, Length: h.length, Reason: reason}
	if s.found.Entries > 0 {
		g.After = append([]byte{}, s.last.User...)
	}
	s.found.Gaps = append(s.found.Gaps, g)
	s.open = true
}
