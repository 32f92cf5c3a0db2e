package sstable

import (
	"bytes"
	"context"

	"siftdb/bloom"
	"siftdb/internal/key"
)

// Verify reads the whole table from the file and checks what reading trusts: each block's checksum and form, the
// order of keys in and across blocks, that the index leads to each block, that the properties count what is
// there, and that the filter knows every key. The first fault is returned, a *corrupt.Error. If the data is right
// and the filter, or a plane of it, is not usable, that is the error, as from LoadFilter. A context that ends gives its
// error.
func (r *Reader) Verify(ctx context.Context) error {
	filter, filterErr := r.wholeFilter()
	v := verifier{r: r, filter: filter, access: Access{Mode: SkipCache}}
	for i := range r.index.blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := v.block(i); err != nil {
			return err
		}
	}
	if err := v.properties(); err != nil {
		return err
	}
	if filterErr != nil {
		return filterErr
	}
	return ctx.Err()
}

// verifier goes through a table from its first entry to its last.
type verifier struct {
	r      *Reader
	filter bloom.TableFilter // nil: none, or not usable
	access Access
	it     blockIter
	seen   Properties
	last   key.Key // the entry before; its bytes are ours
}

func (v *verifier) block(i int) error {
	b, err := v.r.block(i, &v.access)
	if err != nil {
		return err
	}
	offset := v.r.index.block(i).offset
	restarts := 0
	v.it.reset(b)
	for ok := v.it.first(); ok; ok = v.it.next() {
		if restarts < b.restartCount() && v.it.at == b.restart(restarts) {
			if shared, _, _, _, _ := b.entry(v.it.at); shared == 0 {
				restarts++
			}
		}
		if err := v.entry(i, offset); err != nil {
			return err
		}
	}
	if v.it.bad {
		return v.r.badEntry(i, v.it.at)
	}
	if restarts != b.restartCount() {
		return v.r.source.corrupt(offset, "data block: restart point %d of %d is not at an entry with a full key",
			restarts, b.restartCount())
	}
	if v.r.index.compareSeparator(v.last.User, i) > 0 {
		return v.r.source.corrupt(offset, "data block: its last key %s is beyond its separator in the index", v.last)
	}
	return nil
}

// entry checks the entry at which the iterator stands.
func (v *verifier) entry(i int, offset int64) error {
	k := v.it.key()
	again := v.seen.Entries > 0 && bytes.Equal(v.last.User, k.User)
	if v.seen.Entries > 0 && key.Compare(v.last, k) >= 0 {
		return v.r.source.corrupt(offset, "data block: key %s stands after %s", k, v.last)
	}
	if i > 0 && v.it.at == 0 {
		if c := v.r.index.compareSeparator(k.User, i-1); c < 0 || c == 0 && !again {
			return v.r.source.corrupt(offset, "data block: its first key %s is not beyond the separator before it", k)
		}
	}
	if !again && v.filter != nil && !v.filter.MayContain(bloom.Sum(k.User)) {
		return v.r.source.corrupt(v.r.footer.filterHandle().offset, "%v: %s", errFilterDenies, k)
	}
	v.seen.count(k, v.it.value, again)
	v.last.User, v.last.Trailer = append(v.last.User[:0], k.User...), k.Trailer
	return nil
}

// properties compares what was counted with what the table says of itself.
func (v *verifier) properties() error {
	p, offset := v.r.props, v.r.footer.propsHandle().offset
	for _, c := range []struct {
		name       string
		says, have uint64
	}{
		{"entries", p.Entries, v.seen.Entries},
		{"keys", p.Keys, v.seen.Keys},
		{"deletions", p.Deletions, v.seen.Deletions},
		{"bytes of keys", p.RawKeyBytes, v.seen.RawKeyBytes},
		{"bytes of values", p.RawValueBytes, v.seen.RawValueBytes},
		{"as smallest sequence number", uint64(p.SmallestSeq), uint64(v.seen.SmallestSeq)},
		{"as largest sequence number", uint64(p.LargestSeq), uint64(v.seen.LargestSeq)},
	} {
		if c.says != c.have {
			return v.r.source.corrupt(offset, "properties: they say %d %s, the table has %d", c.says, c.name, c.have)
		}
	}
	if p.Entries > 0 && (key.Compare(p.Smallest, v.seen.Smallest) != 0 || key.Compare(p.Largest, v.last) != 0) {
		return v.r.source.corrupt(offset, "properties: they say keys from %s to %s, the table has %s to %s",
			p.Smallest, p.Largest, v.seen.Smallest, v.last)
	}
	return nil
}
