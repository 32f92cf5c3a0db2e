package sstable

import "siftdb/internal/cache"

// block returns the i-th data block, from the cache or the file as a says, in bytes that nobody changes any more.
func (r *Reader) block(i int, a *Access) (block, error) {
	return r.blockInto(nil, i, r.sourceFor(a.Mode), a)
}

// blockInto is block that uncompresses into memory, where the block stays until that is used again. Nil: as block. What
// comes from the file is read through from.
func (r *Reader) blockInto(memory *memory, i int, from *source, a *Access) (block, error) {
	h := r.index.block(i)
	var content []byte
	var err error
	if held, ok := r.cached(h, a.Mode); ok {
		a.BlocksCached++
		content, err = r.uncompressed(memory, held, h)
	} else {
		a.BlocksRead++
		a.BytesRead += h.length
		content, err = r.load(memory, from, h, a.Mode)
	}
	if err != nil {
		return block{}, err
	}
	return r.open(content, h)
}

// cacheID is what the cache calls a block.
func (r *Reader) cacheID(h handle) cache.ID { return cache.ID{File: r.id, Offset: uint64(h.offset)} }

// cached is what the cache has for a read of the mode.
func (r *Reader) cached(h handle, mode Mode) (cache.Block, bool) {
	switch mode {
	case UseCache:
		return r.cache.Get(r.cacheID(h))
	case PeekCache:
		return r.cache.Peek(r.cacheID(h))
	}
	return cache.Block{}, false
}

// uncompressed is the content of a block that the cache has: the cache's own bytes, or in memory.
func (r *Reader) uncompressed(memory *memory, held cache.Block, h handle) ([]byte, error) {
	if held.Form != cache.Packed {
		return held.Bytes, nil
	}
	if held.Hot {
		memory = nil // the cache keeps the content
	}
	content, err := r.unpack(memory, held.Bytes, h)
	held.Release()
	if err == nil && held.Hot {
		r.cache.Unpack(r.cacheID(h), content)
	}
	return content, err
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

// load reads a block from the file, offers it to the cache as it is stored if mode says so, and returns its content, in
// memory or in a slice of its own.
func (r *Reader) load(memory *memory, from *source, h handle, mode Mode) ([]byte, error) {
	if h.length > keptBuffer || memory == nil && r.props.Compression == NoCompression {
		return r.loadAlone(from, h, mode)
	}
	buf := takeMemory()
	defer buf.release()
	body, kind, err := r.stored(buf.room(int(h.length)), from, h)
	if err != nil {
		return nil, err
	}
	content, err := r.content(memory, body, kind, h)
	if err != nil {
		return nil, err
	}
	if kind == kindRaw {
		content = append(memory.room(len(body))[:0], body...) // buf is for other reads
	}
	if mode == UseCache {
		r.cache.SetCopy(r.cacheID(h), cache.Block{Bytes: body, Form: formOf(kind)})
	}
	return content, nil
}

// loadAlone is load with bytes that serve no other block, and so need not be copied.
func (r *Reader) loadAlone(from *source, h handle, mode Mode) ([]byte, error) {
	body, kind, err := r.stored(make([]byte, h.length), from, h)
	if err != nil {
		return nil, err
	}
	content, err := r.content(nil, body, kind, h)
	if err != nil {
		return nil, err
	}
	if mode == UseCache {
		r.cache.Set(r.cacheID(h), cache.Block{Bytes: body, Form: formOf(kind)})
	}
	return content, nil
}

// formOf is what the cache calls stored blocks of a kind.
func formOf(kind byte) cache.Form {
	if kind == kindRaw {
		return cache.Plain
	}
	return cache.Packed
}

// stored reads a stored block into buf, and returns what it holds, and how, once its checksum is right.
func (r *Reader) stored(buf []byte, from *source, h handle) (body []byte, kind byte, err error) {
	if err := from.read(buf, h.offset); err != nil {
		return nil, 0, err
	}
	if body, kind, err = checked(buf, h.offset); err != nil {
		return nil, 0, r.source.corrupt(h.offset, "data block: %v", err)
	}
	return body, kind, nil
}

// content is what a stored block holds, uncompressed into memory: of a raw one that is body itself.
func (r *Reader) content(memory *memory, body []byte, kind byte, h handle) ([]byte, error) {
	if kind == kindRaw {
		return body, nil
	}
	return r.unpack(memory, body, h)
}

// unpack is the function of that name for a data block of this table.
func (r *Reader) unpack(memory *memory, packed []byte, h handle) ([]byte, error) {
	content, err := unpack(memory, packed)
	if err != nil {
		return nil, r.source.corrupt(h.offset, "data block: %v", err)
	}
	return content, nil
}
