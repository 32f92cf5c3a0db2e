package sstable

import "siftdb/internal/cache"

// block returns the i-th data block, from the cache or the file as a says. What comes from the file is read through from.
func (r *Reader) block(i int, from *source, a *Access) (block, error) {
	return r.blockInto(nil, i, from, a)
}

// blockInto is block that uncompresses into memory what comes from the file, unless that goes to the cache.
func (r *Reader) blockInto(memory *memory, i int, from *source, a *Access) (block, error) {
	if a.Mode == UseCache {
		memory = nil
	}
	h := r.index.block(i)
	id := cache.ID{File: r.id, Offset: uint64(h.offset)}
	if content, ok := r.cached(id, a.Mode); ok {
		a.BlocksCached++
		return r.open(content, h)
	}
	content, err := r.load(memory, from, h)
	a.BlocksRead++
	a.BytesRead += h.length
	if err != nil {
		return block{}, err
	}
	if a.Mode == UseCache {
		r.cache.Set(id, content)
	}
	return r.open(content, h)
}

// cached is what the cache has for a read of the mode.
func (r *Reader) cached(id cache.ID, mode Mode) ([]byte, bool) {
	switch mode {
	case UseCache:
		return r.cache.Get(id)
	case PeekCache:
		return r.cache.Peek(id)
	}
	return nil, false
}

func (r *Reader) open(content []byte, h handle) (block, error) {
	b, ok := openBlock(content)
	if !ok {
		return b, r.source.corrupt(h.offset, "data block: its %d bytes do not hold its restart points", len(content))
	}
	return b, nil
}

// badEntry is the error for a block whose checksum is right and whose entry at a position is not.
func (r *Reader) badEntry(i, position int) error {
	return r.source.corrupt(r.index.block(i).offset, "data block: no entry at byte %d of its content", position)
}

// load reads a stored block and returns its content, in memory or in a slice of its own.
func (r *Reader) load(memory *memory, from *source, h handle) ([]byte, error) {
	if r.props.Compression == NoCompression || h.length > keptBuffer {
		return r.loadInto(nil, make([]byte, h.length), from, h)
	}
	// Most blocks get uncompressed into a second slice, and then the first can be used again.
	buf, ok := r.buffers.Get().(*[]byte)
	if !ok || int64(cap(*buf)) < h.length {
		buf = new(make([]byte, h.length))
	}
	defer r.buffers.Put(buf)
	stored := (*buf)[:h.length]
	content, err := r.loadInto(memory, stored, from, h)
	if err == nil && stored[len(stored)-trailerSize] == kindRaw {
		content = append(memory.room(len(content))[:0], content...)
	}
	return content, err
}

// loadInto is load with the stored block in buf, which a raw block's content is then a part of.
func (r *Reader) loadInto(memory *memory, buf []byte, from *source, h handle) ([]byte, error) {
	if err := from.read(buf, h.offset); err != nil {
		return nil, err
	}
	content, err := unsealInto(memory, buf, h.offset)
	if err != nil {
		return nil, r.source.corrupt(h.offset, "data block: %v", err)
	}
	return content, nil
}
