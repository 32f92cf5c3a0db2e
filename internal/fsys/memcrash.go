package fsys

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// sector is the unit in which a power cut keeps or loses what was written.
const sector = 512

// PowerCut says what a power cut leaves of what was not synced. The zero value leaves nothing of it.
type PowerCut struct {
	Names Share // of creations, renames and removals
	Data  Share // of what was written to files, and of their growing shorter
	// Rand decides where a share is Some. One seed gives one outcome.
	Rand *rand.Rand
}

// Share is how much of something survives.
type Share uint8

const (
	// None, the zero value, leaves what was synced.
	None Share = iota
	// Some, of names: each change of a directory or not, in any order. Some, of a file's data: nothing, all, the
	// first few writes with the last of them cut anywhere, or any sectors, with zeros, old bytes or junk in between.
	Some
	// All leaves everything, as if it had been synced.
	All
)

// CrashClone returns the disk as a power cut at this moment leaves it: with a nil rng what was synced and nothing
// else; with an rng some of the rest, too, since a disk may have written what it was not asked to.
func (m *Mem) CrashClone(rng *rand.Rand) *Mem {
	if rng == nil {
		return m.Cut(PowerCut{})
	}
	return m.Cut(PowerCut{Names: Some, Data: Some, Rand: rng})
}

// Cut returns the disk as a power cut at this moment leaves it. Of files the content at the last Sync survives, of
// directories the entries at the last SyncDir, and of the rest what c says. The disk itself goes on as if nothing had
// happened; no lock is held on the clone.
func (m *Mem) Cut(c PowerCut) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := map[*memDir][]memChange{}
	for _, change := range m.changes {
		if c.Names == All || c.Names == Some && c.Rand.IntN(2) == 0 {
			kept[change.dir] = append(kept[change.dir], change)
		}
	}
	return m.cloneLocked(func(d *memDir) map[string]memNode {
		entries := maps.Clone(d.durable)
		for _, change := range kept[d] {
			apply(entries, change.entries)
		}
		return entries
	}, func(f *memFile) []byte {
		content := slices.Clone(f.durable)
		switch c.Data {
		case All:
			content = f.allWrites(content)
		case Some:
			content = f.someWrites(content, c.Rand)
		}
		return content
	})
}

// Clone returns the disk as it stands, as the next process sees it after this one was killed. No lock is held on
// the clone, and everything on it counts as synced.
func (m *Mem) Clone() *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cloneLocked(
		func(d *memDir) map[string]memNode { return d.entries },
		func(f *memFile) []byte { return slices.Clone(f.data) })
}

// ForgetUnsynced makes the disk lose what was written to a file since its last Sync, as systems do after a failed
// one: programs still read it, but no later Sync makes it durable. What is written again counts as new.
func (m *Mem) ForgetUnsynced(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	node, err := m.findLocked("forget", name)
	if err != nil {
		return err
	}
	if f, ok := node.(*memFile); ok {
		f.pending = nil
	}
	return nil
}

// cloneLocked copies the tree, taking entries and contents from the two functions. It walks names in order, so
// that one seed gives one clone.
func (m *Mem) cloneLocked(entries func(*memDir) map[string]memNode, content func(*memFile) []byte) *Mem {
	clone := NewMem()
	clone.room = m.room
	done := map[memNode]memNode{}
	var copyNode func(node memNode) memNode
	copyNode = func(node memNode) memNode {
		if twin, ok := done[node]; ok {
			return twin
		}
		switch n := node.(type) {
		case *memDir:
			twin := newMemDir()
			done[node] = twin
			from := entries(n)
			for _, name := range slices.Sorted(maps.Keys(from)) {
				twin.entries[name] = copyNode(from[name])
			}
			twin.durable = maps.Clone(twin.entries)
			return twin
		case *memFile:
			data := content(n)
			twin := &memFile{disk: clone, data: data, durable: slices.Clone(data), modified: n.modified}
			clone.used += int64(len(data))
			done[node] = twin
			return twin
		}
		panic("fsys: a node that is neither a directory nor a file")
	}
	clone.root = copyNode(m.root).(*memDir)
	return clone
}

// someWrites is one of the contents that a power cut can leave.
func (f *memFile) someWrites(content []byte, rng *rand.Rand) []byte {
	switch rng.IntN(4) {
	case 0:
		return f.allWrites(content)
	case 1:
		return f.firstWrites(content, rng)
	case 2:
		return f.anySectors(content, rng)
	}
	return content
}

func (f *memFile) allWrites(content []byte) []byte {
	for _, w := range f.pending {
		content = w.applyTo(content)
	}
	return content
}

func (f *memFile) firstWrites(content []byte, rng *rand.Rand) []byte {
	if len(f.pending) == 0 {
		return content
	}
	keep := rng.IntN(len(f.pending))
	for _, w := range f.pending[:keep] {
		content = w.applyTo(content)
	}
	if last := f.pending[keep]; last.data != nil {
		last.data = last.data[:rng.IntN(len(last.data)+1)]
		content = last.applyTo(content)
	}
	return content
}

// anySectors keeps each sector of each write or not. Bytes that a lost sector leaves uncovered are zeros, or, as
// on a disk that was used before, anything. The file may have got its length without its last bytes.
func (f *memFile) anySectors(content []byte, rng *rand.Rand) []byte {
	lost := zeros
	if rng.IntN(2) == 0 {
		lost = func(p []byte) { junk(p, rng) }
	}
	length := len(content)
	for _, w := range f.pending {
		if w.data == nil {
			if rng.IntN(2) == 0 {
				content, length = nil, 0
			}
			continue
		}
		length = max(length, int(w.offset)+len(w.data))
		for start := int64(0); start < int64(len(w.data)); {
			at := w.offset + start
			end := min(start+sector-at%sector, int64(len(w.data)))
			if rng.IntN(2) == 0 {
				content = extend(content, int(at), lost)
				content = overwrite(content, w.data[start:end], at)
			}
			start = end
		}
	}
	if rng.IntN(2) == 0 {
		content = extend(content, length, lost)
	}
	return content
}

// extend makes content at least so long.
func extend(content []byte, length int, fill func([]byte)) []byte {
	if old := len(content); old < length {
		content = append(content, make([]byte, length-old)...)
		fill(content[old:])
	}
	return content
}

func zeros([]byte) {} // as they are made

func junk(p []byte, rng *rand.Rand) {
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
}
