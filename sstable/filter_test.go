package sstable

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"iter"
	"slices"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// parts is a table file cut up, to be put together again with other pieces and right checksums.
type parts struct {
	data, filter, index []byte // index: content
	props               Properties
}

func takeApart(tb testing.TB, f fsys.File, p Properties) parts {
	tb.Helper()
	b := contents(tb, f)
	foot, _, err := decodeFooter(b[len(b)-footerSize:], int64(len(b)))
	if err != nil {
		tb.Fatal(err)
	}
	piece := func(h handle) []byte { return bytes.Clone(b[h.offset:h.end()]) }
	index, err := unseal(piece(foot.indexHandle()), foot.indexHandle().offset)
	if err != nil {
		tb.Fatal(err)
	}
	return parts{piece(handle{0, foot.data}), piece(foot.filterHandle()), index, p}
}

// assemble gives the file, with the filter's sum as in props.
func (p parts) assemble() []byte {
	return assemble(p.data, p.filter, p.index, p.props.append(nil))
}

// assemble makes a table file of pieces: stored data blocks, a filter block, and contents of the others.
func assemble(data, filter, index, props []byte) []byte {
	foot := footer{data: int64(len(data)), filter: int64(len(filter)), index: int64(len(index) + trailerSize), props: int64(len(props) + trailerSize)}
	raw := sealer{compression: NoCompression}
	b := append(bytes.Clone(data), filter...)
	b = append(b, raw.seal(bytes.Clone(index), foot.indexHandle().offset)...)
	b = append(b, raw.seal(bytes.Clone(props), foot.propsHandle().offset)...)
	return foot.append(b)
}

// checkFilterless asserts that a table opens with a filter problem of the kind wanted, and answers everything.
func checkFilterless(t *testing.T, name string, file []byte, entries []check.Entry, kind error) {
	t.Helper()
	r := open(t, fileOf(t, file), int64(len(file)), 0)
	if filterOf(r) != nil || !errors.Is(problemOf(r), kind) {
		t.Errorf("%s: filter %v, problem %v, want one that is %v", name, filterOf(r), problemOf(r), kind)
	}
	for _, e := range entries {
		checkGet(t, r, &Access{}, entries, e.Key.User, key.MaxSeq)
		checkGet(t, r, &Access{}, entries, append(bytes.Clone(e.Key.User), 'x'), key.MaxSeq)
	}
	if err := r.Verify(t.Context()); !errors.Is(err, kind) {
		t.Errorf("%s: Verify says %v", name, err)
	}
}

// A filter that cannot be trusted is not asked; the table reads as without one (FLT-05, FLT-09, FLT-11).
func TestUnusableFilters(t *testing.T) {
	entries := numbered(100, 10)
	f, props := write(t, filtered(), entries)
	good := takeApart(t, f, props)
	if file := good.assemble(); filterOf(open(t, fileOf(t, file), int64(len(file)), 0)) == nil {
		t.Fatal("taken apart and put together, the filter is lost")
	}
	other, _ := write(t, filtered(), numbered(200, 10)[100:])
	fewer, _ := write(t, filtered(), entries[1:])
	change := func(filter []byte, fixSum func(*Properties, []byte)) []byte {
		p := good
		p.filter = filter
		if fixSum != nil {
			fixSum(&p.props, filter)
		}
		return p.assemble()
	}
	fixSum := func(p *Properties, b []byte) { p.filterSum = filterSum(b) }
	flipped := bytes.Clone(good.filter)
	flipped[len(flipped)/2] ^= 4
	for name, file := range map[string][]byte{
		"empty":             change(nil, nil),
		"empty, sum fixed":  change(nil, fixSum),
		"cut short":         change(good.filter[:len(good.filter)-1], fixSum),
		"head only":         change(good.filter[:10], fixSum),
		"too long":          change(append(bytes.Clone(good.filter), 0), fixSum),
		"bit flipped":       change(flipped, fixSum),
		"of another table":  change(takeApart(t, other, props).filter, nil),
		"of too few keys":   change(takeApart(t, fewer, props).filter, fixSum),
		"of no keys at all": change(takeApart(t, func() fsys.File { f, _ := write(t, filtered(), nil); return f }(), props).filter, fixSum),
	} {
		checkFilterless(t, name, file, entries, corrupt.ErrCorrupt)
	}
	for name, at := range map[string]int{"format": 4, "family": 5, "hash": 6} {
		newer := bytes.Clone(good.filter)
		newer[at] = 63
		binary.LittleEndian.PutUint32(newer[60:], crc32.Checksum(newer[:60], castagnoli))
		checkFilterless(t, "unknown "+name, change(newer, fixSum), entries, bloom.ErrUnknown)
	}
}

// The problem names the file and the offset in it.
func TestFilterProblemNamesThePlace(t *testing.T) {
	f, props := write(t, filtered(), numbered(100, 10))
	file := contents(t, f)
	at := int64(props.DataBytes) + 3
	file[at] ^= 1
	r := open(t, fileOf(t, file), props.FileSize, props.TailSize)
	bad, ok := errors.AsType[*corrupt.Error](problemOf(r))
	if !ok || bad.File != "table" || bad.Offset < int64(props.DataBytes) || bad.Offset > at {
		t.Errorf("a bad byte at %d is reported as %v", at, problemOf(r))
	}
}

// Each distinct user key goes in once, deleted ones too (filter-reference pitfalls 9 and 13).
func TestFilterTakesEachUserKeyOnce(t *testing.T) {
	var entries []check.Entry
	for i := range 50 {
		for seq := key.Seq(40); seq > 0; seq-- {
			entries = append(entries, check.Entry{Key: key.Make(numberedKey(i).User, seq, key.Kind(seq%2))})
		}
	}
	o := filtered()
	o.BlockSize = 256
	r := build(t, o, entries)
	if filterOf(r).Keys() != 50 || r.Properties().Keys != 50 || r.Properties().Deletions != 1000 {
		t.Errorf("filter of %d keys, properties %+v", filterOf(r).Keys(), r.Properties())
	}
	if err := r.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// forgetful is a builder in whose memory a key turns into another before the checksum is made.
type forgetful struct {
	bloom.Builder
	at, n int
}

func (f *forgetful) Add(h bloom.Hash) {
	if f.n == f.at {
		h.H1 ^= 1 << 40
		h.H2 ^= 1 << 41
	}
	f.n++
	f.Builder.Add(h)
}

// forgetfulBorrower is the same of one that borrows hashes.
type forgetfulBorrower struct {
	bloom.Borrower
	at int
}

func (f *forgetfulBorrower) Borrow(hashes iter.Seq[[]bloom.Hash], n int) {
	f.Borrower.Borrow(func(yield func([]bloom.Hash) bool) {
		from := 0
		for some := range hashes {
			own := slices.Clone(some)
			if at := f.at - from; at >= 0 && at < len(own) {
				own[at].H1 ^= 1 << 40
				own[at].H2 ^= 1 << 41
			}
			from += len(own)
			if !yield(own) {
				return
			}
		}
	}, n)
}

// Damage done while a filter is built is found before the table is finished (FLT-16).
func TestFinishedFilterIsAsked(t *testing.T) {
	entries := numbered(10_000, 1)
	for _, policy := range []bloom.Policy{bloom.Classic(20), bloom.Blocked(20), bloom.Ribbon(16), bloom.Fuse(18)} {
		for _, at := range []int{0, 4096, 9_999} {
			for _, builder := range []bloom.Builder{
				&forgetful{Builder: policy.Builder(bloom.Place{}), at: at},
				&forgetfulBorrower{policy.Builder(bloom.Place{}).(bloom.Borrower), at},
			} {
				w := NewWriter(memFile(t), "table", WriterOptions{Filter: builder})
				for _, e := range entries {
					if err := w.Add(e.Key, e.Value); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := w.Finish(); !errors.Is(err, corrupt.ErrCorrupt) {
					t.Errorf("%s, %T, key %d lost: %v", policy, builder, at, err)
				}
			}
		}
	}
}

// broken is a builder that fails at the end.
type broken struct{ bloom.Builder }

var errBroken = errors.New("broken")

func (broken) Append(dst []byte) ([]byte, error) { return dst, errBroken }

func TestBuilderErrorsFailTheTable(t *testing.T) {
	w := NewWriter(memFile(t), "table", WriterOptions{Filter: broken{tenBits.Builder(bloom.Place{})}})
	if _, err := w.Finish(); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}
