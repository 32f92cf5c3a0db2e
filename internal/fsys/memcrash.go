package fsys

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// sector is the unit in which a power cut keeps or loses what was written.
const sector = 512

// CrashClone returns the disk as a power cut at this moment leaves it. The disk itself goes on as if nothing had
// happened; no lock is held on the clone.
//
// With a nil rng, what was synced survives and nothing else: of files their content at the last Sync, of
// directories their entries at the last SyncDir. With an rng, any part of the rest survives too, since a disk may
// have written what it was not asked to: unsynced creations, renames and removals each or not, in any order; of a
// file's unsynced writes all, none, the first few, or any sectors, with zeros or old bytes in between.
func (m *Mem) CrashClone(rng *rand.Rand) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	extra := map[*memDir][]memChange{}
	for _, c := range m.changes {
		if rng != nil && rng.IntN(2) == 0 {
			extra[c.dir] = append(extra[c.dir], c)
		}
	}
	return m.cloneLocked(func(d *memDir) map[string]memNode {
		entries := maps.Clone(d.durable)
		for _, c := range extra[d] {
			apply(entries, c.entries)
		}
		return entries
	}, func(f *memFile) []byte {
		if rng == nil {
			return slices.Clone(f.durable)
		}
		return f.survivor(rng)
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

// survivor is one of the contents that a power cut can leave.
func (f *memFile) survivor(rng *rand.Rand) []byte {
	content := slices.Clone(f.durable)
	switch rng.IntN(4) {
	case 0: // nothing more than was synced
	case 1: // everything
		for _, w := range f.pending {
			content = w.applyTo(content)
		}
	case 2: // the first writes, the last of them cut anywhere
		content = f.firstWrites(content, rng)
	case 3: // any sectors
		content = f.anySectors(content, rng)
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
// on a disk that was used before, anything.
func (f *memFile) anySectors(content []byte, rng *rand.Rand) []byte {
	used := rng.IntN(2) == 0
	for _, w := range f.pending {
		if w.data == nil {
			if rng.IntN(2) == 0 {
				content = nil
			}
			continue
		}
		for start := int64(0); start < int64(len(w.data)); {
			at := w.offset + start
			end := min(start+sector-at%sector, int64(len(w.data)))
			if rng.IntN(2) == 0 {
				old := len(content)
				content = overwrite(content, w.data[start:end], at)
				if gap := int(at) - old; used && gap > 0 {
					fill(content[old:at], rng)
				}
			}
			start = end
		}
	}
	return content
}

func fill(p []byte, rng *rand.Rand) {
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
}
