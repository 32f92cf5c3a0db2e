package db

import (
	"maps"
	"slices"
	"sort"
)

// model is what a store must answer like: a sorted map.
type model struct{ now map[string]string }

func newModel() *model { return &model{now: make(map[string]string)} }

func (m *model) clone() *model { return &model{now: maps.Clone(m.now)} }

// within are the keys between r's bounds, sorted.
func (m *model) within(r Range) (keys []string) {
	for k := range m.now {
		if (r.Lower == nil || k >= string(r.Lower)) && (r.Upper == nil || k < string(r.Upper)) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// keys are those that a scan of r shows, in its order.
func (m *model) keys(r Range) []string {
	keys := m.within(r)
	if r.Reverse {
		slices.Reverse(keys)
	}
	if r.Limit > 0 && len(keys) > r.Limit {
		keys = keys[:r.Limit]
	}
	return keys
}

// cursor is what an iterator over r must do from now on.
func (m *model) cursor(r Range) *cursor { return &cursor{keys: m.within(r), at: notMoved} }

// cursor is a place among sorted keys: the index of one, -1 before the first, their number after the last.
type cursor struct {
	keys []string
	at   int
}

// notMoved is the place of a cursor that may still go to either end.
const notMoved = -2

func (c *cursor) first() bool            { return c.to(0) }
func (c *cursor) last() bool             { return c.to(len(c.keys) - 1) }
func (c *cursor) seekGE(key string) bool { return c.to(sort.SearchStrings(c.keys, key)) }
func (c *cursor) seekLT(key string) bool { return c.to(sort.SearchStrings(c.keys, key) - 1) }

func (c *cursor) next() bool {
	if c.at == notMoved {
		return c.first()
	}
	return c.to(c.at + 1)
}

func (c *cursor) prev() bool {
	if c.at == notMoved {
		return c.last()
	}
	return c.to(c.at - 1)
}

// to goes to a place and says whether a key is there.
func (c *cursor) to(place int) bool {
	c.at = min(max(place, -1), len(c.keys))
	if len(c.keys) == 0 {
		c.at = notMoved // an empty range has both ends at once
	}
	return c.at >= 0 && c.at < len(c.keys)
}

// key is the one that the last move has reached.
func (c *cursor) key() string { return c.keys[c.at] }
