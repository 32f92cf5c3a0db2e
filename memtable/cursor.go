package memtable

import "bytes"

const (
	windowSize = 64
	firstFill  = 8
)

// cursor walks over the user keys of a table. It looks at the tree through a window, a few keys that it copies
// under the tree's locks and then visits without them. The first window after a seek is small, since many seeks are
// followed by few steps; the later ones grow.
//
// Keys that are added after the cursor was made may appear or not, and of a key in the window the cursor gives the
// newest version at the time of the copy. So its user may ask only for versions that are older than itself.
type cursor struct {
	t *Table // nil when closed
	// window[lo:hi] are the newest versions of consecutive keys, ascending; at is the current one.
	window     [windowSize]ref
	lo, hi, at int
	fill       int  // keys to copy the next time
	touched    byte // of no use, but that the compiler must make it
}

// newest is the newest version of the key that the cursor is at.
func (c *cursor) newest() ref { return c.window[c.at] }

// user is the key that the cursor is at.
func (c *cursor) user() []byte { return c.t.tree.userOf(c.newest()) }

// first moves to the smallest key. It reports, as all moves do, whether there is one; after false only a
// positioning move may follow.
func (c *cursor) first() bool { return c.seekGE(nil) }

// last moves to the largest key.
func (c *cursor) last() bool {
	if c.t == nil {
		return false
	}
	c.fill = firstFill
	return c.atLast(c.t.tree.downFromEnd(c.window[windowSize-c.fill:]))
}

// seekGE moves to the smallest key that is >= user.
func (c *cursor) seekGE(user []byte) bool {
	if c.t == nil {
		return false
	}
	c.fill = firstFill
	return c.copyUp(user)
}

// seekLE moves to the largest key that is <= user.
func (c *cursor) seekLE(user []byte) bool {
	if c.t == nil {
		return false
	}
	c.fill = firstFill
	return c.copyDown(user)
}

// next moves to the next larger key.
func (c *cursor) next() bool {
	if c.at+1 < c.hi {
		c.at++
		return true
	}
	user := c.user()
	if !c.copyUp(user) {
		return false
	}
	if bytes.Equal(c.user(), user) { // it always is: keys do not go away
		c.at++
	}
	return c.at < c.hi
}

// prev moves to the next smaller key.
func (c *cursor) prev() bool {
	if c.at > c.lo {
		c.at--
		return true
	}
	user := c.user()
	if !c.copyDown(user) {
		return false
	}
	if bytes.Equal(c.user(), user) {
		c.at--
	}
	return c.at >= c.lo
}

// copyUp fills the window with the keys from user on, and moves to the first of them.
func (c *cursor) copyUp(user []byte) bool {
	n := c.t.tree.up(user, c.window[:c.fill])
	c.lo, c.hi, c.at = 0, n, 0
	c.goOn()
	return n > 0
}

// copyDown fills the window with the keys up to user, and moves to the last of them.
func (c *cursor) copyDown(user []byte) bool {
	return c.atLast(c.t.tree.down(user, c.window[windowSize-c.fill:]))
}

// atLast moves to the last of n keys, which are at the end of the window.
func (c *cursor) atLast(n int) bool {
	c.lo, c.hi, c.at = windowSize-n, windowSize, windowSize-1
	c.goOn()
	return n > 0
}

// goOn makes the next window larger, and touches the entries of this one where a walk has gone on so far. They lie
// anywhere in the arena: visited one by one, each would be waited for; asked for together, they come from memory side
// by side.
func (c *cursor) goOn() {
	if c.fill > firstFill {
		for _, r := range c.window[c.lo:c.hi] {
			c.touched += c.t.arena.at(r)[0]
		}
	}
	c.fill = min(2*c.fill, windowSize)
}
