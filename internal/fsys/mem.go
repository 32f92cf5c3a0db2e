package fsys

import (
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Mem is a disk in memory, for tests. It keeps apart what was written and what was synced, so that CrashClone can
// tell what a power cut would leave. Any number of goroutines may use it.
//
// Names are taken relative to its root, so "store" and "/store" are the same; the root exists from the start.
type Mem struct {
	mu    sync.Mutex
	root  *memDir
	locks map[string]int // by clean path: the number of sharers, or -1 for an exclusive holder
	used  int64          // bytes in files that have a name
	room  int64          // bytes the disk holds; negative: no limit
	// changes are what happened to directories and is not durable yet, oldest first.
	changes []memChange
}

// memNode is a *memDir or a *memFile.
type memNode any

type memDir struct {
	entries map[string]memNode // as programs see it
	durable map[string]memNode // as it stands after a power cut, at the least
}

// memChange is one creation, removal or rename: the new values of one or two entries of a directory, nil for
// none. It becomes durable as a whole.
type memChange struct {
	dir     *memDir
	entries map[string]memNode
}

// NewMem returns an empty disk without a limit.
func NewMem() *Mem {
	return &Mem{root: newMemDir(), locks: map[string]int{}, room: -1}
}

func newMemDir() *memDir {
	return &memDir{entries: map[string]memNode{}, durable: map[string]memNode{}}
}

// SetRoom makes the disk hold at most so many bytes of file content; a write past it is cut short with ENOSPC.
// Negative: no limit.
func (m *Mem) SetRoom(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.room = bytes
}

// Used is the number of bytes that the disk's files hold.
func (m *Mem) Used() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// Create makes or empties a file.
func (m *Mem) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.parentLocked("create", name)
	if err != nil {
		return nil, err
	}
	switch node := dir.entries[base].(type) {
	case *memDir:
		return nil, &fs.PathError{Op: "create", Path: name, Err: syscall.EISDIR}
	case *memFile:
		node.truncateLocked()
		return &memHandle{file: node, name: name, writable: true}, nil
	}
	f := &memFile{disk: m, modified: time.Now()}
	m.changeLocked(dir, map[string]memNode{base: f})
	return &memHandle{file: f, name: name, writable: true}, nil
}

// Open opens a file for reading.
func (m *Mem) Open(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	node, err := m.findLocked("open", name)
	if err != nil {
		return nil, err
	}
	f, ok := node.(*memFile)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EISDIR}
	}
	return &memHandle{file: f, name: name}, nil
}

// Rename moves a file or directory. Between two directories it is two changes, which a power cut may separate.
func (m *Mem) Rename(oldname, newname string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	node, err := m.findLocked("rename", oldname)
	if err != nil {
		return err
	}
	from, oldbase, err := m.parentLocked("rename", oldname)
	if err != nil {
		return err
	}
	to, newbase, err := m.parentLocked("rename", newname)
	if err != nil {
		return err
	}
	if target, ok := to.entries[newbase].(*memDir); ok && memNode(target) != node {
		return &fs.PathError{Op: "rename", Path: newname, Err: syscall.EISDIR}
	}
	if from == to && oldbase == newbase {
		return nil
	}
	if replaced, ok := to.entries[newbase].(*memFile); ok {
		replaced.unlinkLocked()
	}
	if from == to {
		m.changeLocked(to, map[string]memNode{newbase: node, oldbase: nil})
		return nil
	}
	m.changeLocked(to, map[string]memNode{newbase: node})
	m.changeLocked(from, map[string]memNode{oldbase: nil})
	return nil
}

// Remove removes a file or an empty directory. Handles of the file go on working.
func (m *Mem) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	node, err := m.findLocked("remove", name)
	if err != nil {
		return err
	}
	dir, base, err := m.parentLocked("remove", name)
	if err != nil {
		return err
	}
	switch n := node.(type) {
	case *memDir:
		if len(n.entries) > 0 {
			return &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOTEMPTY}
		}
	case *memFile:
		n.unlinkLocked()
	}
	m.changeLocked(dir, map[string]memNode{base: nil})
	return nil
}

// MkdirAll makes a directory and its parents, durably.
func (m *Mem) MkdirAll(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.root
	for _, part := range splitPath(dir) {
		switch node := d.entries[part].(type) {
		case *memFile:
			return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
		case *memDir:
			m.syncDirLocked(d)
			d = node
		default:
			child := newMemDir()
			m.changeLocked(d, map[string]memNode{part: child})
			m.syncDirLocked(d)
			d = child
		}
	}
	return nil
}

// List returns the sorted names in dir.
func (m *Mem) List(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, err := m.findDirLocked("list", dir)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(d.entries)), nil
}

// Stat describes a file or directory.
func (m *Mem) Stat(name string) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	node, err := m.findLocked("stat", name)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(name)
	if f, ok := node.(*memFile); ok {
		return f.infoLocked(base), nil
	}
	return memInfo{name: base, mode: fs.ModeDir | 0o755}, nil
}

// SyncDir makes the entries of dir durable.
func (m *Mem) SyncDir(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, err := m.findDirLocked("sync", dir)
	if err != nil {
		return err
	}
	m.syncDirLocked(d)
	return nil
}

func (m *Mem) syncDirLocked(d *memDir) {
	d.durable = maps.Clone(d.entries)
	m.changes = slices.DeleteFunc(m.changes, func(c memChange) bool { return c.dir == d })
}

// Lock takes a lock among the users of this disk. It makes the lock file as OS does.
func (m *Mem) Lock(name string, mode LockMode) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.parentLocked("lock", name)
	if err != nil {
		return nil, err
	}
	key := strings.Join(splitPath(name), "/")
	switch {
	case m.locks[key] < 0, m.locks[key] > 0 && mode == LockExclusive:
		return nil, &LockError{Name: name}
	case mode == LockExclusive:
		m.locks[key] = -1
	default:
		m.locks[key]++
	}
	if dir.entries[base] == nil {
		m.changeLocked(dir, map[string]memNode{base: &memFile{disk: m, modified: time.Now()}})
	}
	return &memLock{disk: m, key: key}, nil
}

type memLock struct {
	disk *Mem
	key  string
	once sync.Once
}

func (l *memLock) Close() error {
	l.once.Do(func() {
		l.disk.mu.Lock()
		defer l.disk.mu.Unlock()
		if l.disk.locks[l.key] < 0 {
			l.disk.locks[l.key] = 0
			return
		}
		l.disk.locks[l.key]--
	})
	return nil
}

// changeLocked applies a change for programs and remembers it for SyncDir.
func (m *Mem) changeLocked(dir *memDir, entries map[string]memNode) {
	apply(dir.entries, entries)
	m.changes = append(m.changes, memChange{dir: dir, entries: entries})
}

func apply(to map[string]memNode, entries map[string]memNode) {
	for name, node := range entries {
		if node == nil {
			delete(to, name)
		} else {
			to[name] = node
		}
	}
}

func (m *Mem) parentLocked(op, name string) (*memDir, string, error) {
	parts := splitPath(name)
	if len(parts) == 0 {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	dir, err := m.findDirLocked(op, filepath.Dir(filepath.Join(parts...)))
	return dir, parts[len(parts)-1], err
}

func (m *Mem) findDirLocked(op, name string) (*memDir, error) {
	node, err := m.findLocked(op, name)
	if err != nil {
		return nil, err
	}
	d, ok := node.(*memDir)
	if !ok {
		return nil, &fs.PathError{Op: op, Path: name, Err: syscall.ENOTDIR}
	}
	return d, nil
}

func (m *Mem) findLocked(op, name string) (memNode, error) {
	var node memNode = m.root
	for _, part := range splitPath(name) {
		d, ok := node.(*memDir)
		if !ok {
			return nil, &fs.PathError{Op: op, Path: name, Err: syscall.ENOTDIR}
		}
		if node = d.entries[part]; node == nil {
			return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
	}
	return node, nil
}

// splitPath gives the parts of a clean path below the root; none for the root itself.
func splitPath(name string) []string {
	clean := filepath.ToSlash(filepath.Clean(string(filepath.Separator) + name))
	return strings.FieldsFunc(clean, func(r rune) bool { return r == '/' })
}
