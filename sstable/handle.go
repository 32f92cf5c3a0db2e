package sstable

// handle says where a piece of the file stands. A block's handle includes its trailer.
type handle struct{ offset, length int64 }

// end is the offset of the first byte after the piece.
func (h handle) end() int64 { return h.offset + h.length }
