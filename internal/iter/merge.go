package iter

import "siftdb/internal/key"

// NewMerge is a Merge of children; of a single one, that one itself.
func NewMerge(children ...Iterator) Iterator {
	if len(children) == 1 {
		return children[0]
	}
	m := new(Merge)
	m.Reset(children)
	return m
}

// Merge interleaves the entries of its children in the order of key.Compare. Entries with equal keys all come out, that
// of the child with the lower index first, so callers list newer sources before older ones.
//
// An error of any child ends the walk, for what stands in that child is not known. The merge owns its children:
// Close closes them all. A step costs one comparison while the same child stays in front, and allocates nothing.
// The zero value has no children.
//
// While it is at an entry, all sources stand on the side of that entry to which the walk goes: forward, each is at its
// first entry after it, backward at its last before it, or has run out. So nothing but the front of the heap needs to
// move in a step, and a change of direction moves every source once.
type Merge struct {
	sources []source
	// heap orders the sources that are at an entry, the next one to come out in front. Empty: not Valid.
	heap []*source
	// second is the place in heap of the source that comes out after heap[0], or 0 when that is not known. It stays
	// true as long as only heap[0] moves and stays in front, which makes runs from one source cheap.
	second   int
	backward bool
	err      error
	closed   bool
}

// source is one child of a merge.
type source struct {
	it   Iterator
	rank int
	// key is it.Key(), kept to spare an indirect call per comparison; its bytes live until it moves.
	key key.Key
}

// Reset makes the merge, which is closed or new, one of other children, with the memory that it has. The slice is the
// caller's again afterwards.
func (m *Merge) Reset(children []Iterator) {
	clear(m.heap[:cap(m.heap)])
	clear(m.sources)
	*m = Merge{sources: m.sources[:0], heap: m.heap[:0]}
	for i, it := range children {
		m.sources = append(m.sources, source{it: it, rank: i})
	}
}

// First implements Iterator.
func (m *Merge) First() bool {
	return m.position(false, func(it Iterator) bool { return it.First() })
}

// Last implements Iterator.
func (m *Merge) Last() bool {
	return m.position(true, func(it Iterator) bool { return it.Last() })
}

// SeekGE implements Iterator.
func (m *Merge) SeekGE(k key.Key) bool {
	return m.position(false, func(it Iterator) bool { return it.SeekGE(k) })
}

// SeekLT implements Iterator.
func (m *Merge) SeekLT(k key.Key) bool {
	return m.position(true, func(it Iterator) bool { return it.SeekLT(k) })
}

// Next implements Iterator.
func (m *Merge) Next() bool {
	if m.backward {
		// Each source behind the current entry steps over it; one that ran out in front begins again there.
		return m.position(false, func(it Iterator) bool {
			if it.Valid() {
				return it.Next()
			}
			return it.First()
		})
	}
	return m.step(m.heap[0].it.Next())
}

// Prev implements Iterator.
func (m *Merge) Prev() bool {
	if !m.backward {
		return m.position(true, func(it Iterator) bool {
			if it.Valid() {
				return it.Prev()
			}
			return it.Last()
		})
	}
	return m.step(m.heap[0].it.Prev())
}

// Valid implements Iterator.
func (m *Merge) Valid() bool { return len(m.heap) > 0 }

// Key implements Iterator.
func (m *Merge) Key() key.Key { return m.heap[0].key }

// Value implements Iterator.
func (m *Merge) Value() []byte { return m.heap[0].it.Value() }

// Err implements Iterator.
func (m *Merge) Err() error { return m.err }

// Close implements Iterator: it closes all children.
func (m *Merge) Close() error {
	if m.closed {
		return m.err
	}
	m.closed, m.heap = true, m.heap[:0]
	for i := range m.sources {
		if err := m.sources[i].it.Close(); m.err == nil {
			m.err = err
		}
	}
	return m.err
}

// position moves every source by move and builds the heap anew for the given direction.
func (m *Merge) position(backward bool, move func(Iterator) bool) bool {
	if m.closed {
		return false
	}
	m.backward, m.err, m.second, m.heap = backward, nil, 0, m.heap[:0]
	for i := range m.sources {
		s := &m.sources[i]
		if move(s.it) {
			s.key = s.it.Key()
			m.heap = append(m.heap, s)
		} else if err := s.it.Err(); err != nil {
			return m.fail(err)
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sift(i)
	}
	return len(m.heap) > 0
}

// step restores the heap after its front has moved; moved says whether it came to another entry.
func (m *Merge) step(moved bool) bool {
	front := m.heap[0]
	if !moved {
		if err := front.it.Err(); err != nil {
			return m.fail(err)
		}
		last := len(m.heap) - 1
		m.heap[0], m.heap = m.heap[last], m.heap[:last]
		m.second = 0
		m.sift(0)
		return last > 0
	}
	front.key = front.it.Key()
	if m.second == 0 {
		m.second = m.foremostBelow(0)
	}
	if m.second < len(m.heap) && m.before(m.heap[m.second], front) {
		m.second = 0
		m.sift(0)
	}
	return true
}

// sift sinks heap[i] to its place among those below it.
func (m *Merge) sift(i int) {
	for {
		child := m.foremostBelow(i)
		if child >= len(m.heap) || m.before(m.heap[i], m.heap[child]) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}

// foremostBelow is the place of the child of heap[i] that comes out first; len(heap) or more when it has none.
func (m *Merge) foremostBelow(i int) int {
	left, right := 2*i+1, 2*i+2
	if right < len(m.heap) && m.before(m.heap[right], m.heap[left]) {
		return right
	}
	return left
}

// before reports whether a comes out before b in the direction of the walk. No two sources are equal, because
// their ranks differ.
func (m *Merge) before(a, b *source) bool {
	c := key.Compare(a.key, b.key)
	if c == 0 {
		c = a.rank - b.rank
	}
	return (c < 0) != m.backward
}

func (m *Merge) fail(err error) bool {
	m.err, m.heap = err, m.heap[:0]
	return false
}
