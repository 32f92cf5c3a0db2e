package fsys

import (
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// memFile is a file's content: as programs see it, as it is durable, and the writes between the two.
type memFile struct {
	disk     *Mem
	data     []byte
	durable  []byte
	pending  []memWrite // writes and truncations since the last sync, oldest first
	modified time.Time
	unlinked bool // it has no name any more, and its bytes do not count
}

// memWrite is a write at an offset, or a truncation to nothing when data is nil.
type memWrite struct {
	offset int64
	data   []byte
}

func (f *memFile) unlinkLocked() {
	f.disk.used -= int64(len(f.data))
	f.unlinked = true
}

// truncateLocked empties a file that has a name.
func (f *memFile) truncateLocked() {
	f.disk.used -= int64(len(f.data))
	f.data = nil
	f.pending = append(f.pending, memWrite{})
	f.modified = time.Now()
}

// writeLocked writes as much of p as there is room for.
func (f *memFile) writeLocked(p []byte, offset int64) (int, error) {
	grow := max(offset+int64(len(p))-int64(len(f.data)), 0)
	short := false
	if m := f.disk; m.room >= 0 && m.used+grow > m.room {
		free := max(m.room-m.used, 0)
		fits := min(max(int64(len(f.data))+free-offset, 0), int64(len(p)))
		short = fits < int64(len(p))
		p = p[:fits]
	}
	if len(p) > 0 {
		before := len(f.data)
		f.data = overwrite(f.data, p, offset)
		if !f.unlinked {
			f.disk.used += int64(len(f.data) - before)
		}
		f.pending = append(f.pending, memWrite{offset: offset, data: slices.Clone(p)})
		f.modified = time.Now()
	}
	if short {
		return len(p), syscall.ENOSPC
	}
	return len(p), nil
}

func (f *memFile) syncLocked() {
	for _, w := range f.pending {
		f.durable = w.applyTo(f.durable)
	}
	f.pending = nil
}

func (w memWrite) applyTo(content []byte) []byte {
	if w.data == nil {
		return nil
	}
	return overwrite(content, w.data, w.offset)
}

// overwrite puts p at offset, with zeros before it where content is shorter.
func overwrite(content, p []byte, offset int64) []byte {
	if end := int(offset) + len(p); end > len(content) {
		content = append(content, make([]byte, end-len(content))...)
	}
	copy(content[offset:], p)
	return content
}

func (f *memFile) infoLocked(base string) fs.FileInfo {
	return memInfo{name: base, size: int64(len(f.data)), mode: 0o644, modified: f.modified}
}

// memHandle is one opening of a memFile.
type memHandle struct {
	file     *memFile
	name     string
	writable bool
	closed   atomic.Bool
}

func (h *memHandle) ReadAt(p []byte, off int64) (int, error) {
	if err := h.check("read", off); err != nil {
		return 0, err
	}
	h.file.disk.mu.Lock()
	defer h.file.disk.mu.Unlock()
	if off >= int64(len(h.file.data)) {
		return 0, io.EOF
	}
	n := copy(p, h.file.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *memHandle) WriteAt(p []byte, off int64) (int, error) {
	if err := h.check("write", off); err != nil {
		return 0, err
	}
	if !h.writable {
		return 0, &fs.PathError{Op: "write", Path: h.name, Err: syscall.EBADF}
	}
	h.file.disk.mu.Lock()
	defer h.file.disk.mu.Unlock()
	n, err := h.file.writeLocked(p, off)
	if err != nil {
		return n, &fs.PathError{Op: "write", Path: h.name, Err: err}
	}
	return n, nil
}

func (h *memHandle) Sync() error {
	if err := h.check("sync", 0); err != nil {
		return err
	}
	h.file.disk.mu.Lock()
	defer h.file.disk.mu.Unlock()
	h.file.syncLocked()
	return nil
}

func (h *memHandle) Stat() (fs.FileInfo, error) {
	if err := h.check("stat", 0); err != nil {
		return nil, err
	}
	h.file.disk.mu.Lock()
	defer h.file.disk.mu.Unlock()
	return h.file.infoLocked(filepath.Base(h.name)), nil
}

func (h *memHandle) Close() error {
	if h.closed.Swap(true) {
		return &fs.PathError{Op: "close", Path: h.name, Err: fs.ErrClosed}
	}
	return nil
}

func (h *memHandle) check(op string, off int64) error {
	if h.closed.Load() {
		return &fs.PathError{Op: op, Path: h.name, Err: fs.ErrClosed}
	}
	if off < 0 {
		return &fs.PathError{Op: op, Path: h.name, Err: fs.ErrInvalid}
	}
	return nil
}

// memInfo is an fs.FileInfo.
type memInfo struct {
	name     string
	size     int64
	mode     fs.FileMode
	modified time.Time
}

func (i memInfo) Name() string       { return i.name }
func (i memInfo) Size() int64        { return i.size }
func (i memInfo) Mode() fs.FileMode  { return i.mode }
func (i memInfo) ModTime() time.Time { return i.modified }
func (i memInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memInfo) Sys() any           { return nil }
