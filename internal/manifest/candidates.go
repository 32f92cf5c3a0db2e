package manifest

import "bytes"

// Candidates runs over the tables of a Version whose bounds hold one user key, in the order of the read: level 0
// newest first, then at most one table a level. What an earlier table says of the key is newer than what a later
// one says, so a read stops at the first answer. It is a value on the caller's stack; walking does not allocate.
//
//	c := version.Candidates(user)
//	for p, ok := c.Next(); ok; p, ok = c.Next() {
//		table := version.Table(p)
//		...
//	}
type Candidates struct {
	version *Version
	user    []byte
	level   int // where to go on
	index   int // where in level 0 to go on
}

// Candidates starts the walk for a user key, which must stay unchanged until it ends.
func (v *Version) Candidates(user []byte) Candidates { return Candidates{version: v, user: user} }

// Next is the place of the next table that may hold the key, or false at the end.
func (c *Candidates) Next() (Place, bool) {
	if c.level == 0 {
		if p, ok := c.nextNewest(); ok {
			return p, true
		}
		c.level = 1
	}
	for c.level < NumLevels {
		level := c.level
		c.level++
		tables := c.version.Levels[level]
		i := searchLargest(tables, c.user)
		if i < len(tables) && bytes.Compare(tables[i].Smallest.User, c.user) <= 0 {
			return Place{Level: level, Index: i}, true
		}
	}
	return Place{}, false
}

// nextNewest is Next within level 0, whose tables may overlap: each is looked at.
func (c *Candidates) nextNewest() (Place, bool) {
	tables := c.version.Levels[0]
	for c.index < len(tables) {
		i := c.index
		c.index++
		if tables[i].Contains(c.user) {
			return Place{Level: 0, Index: i}, true
		}
	}
	return Place{}, false
}
