package memtable

import "siftdb/internal/key"

// The versions of a user key are a chain from the newest to the oldest. A key that is written all the time gets a
// long one, and a view from before those writes must not pay for each of them; so each version has, beside the link
// to the next older, one that jumps far. With the lengths chosen as in E. W. Myers, "An applicative random-access
// stack" (1983), any place in a chain of n versions is found in O(log n) links, and a version is added in O(1).
//
// In the functions below, an entry is newer than a trailer when its own is larger.

// extend makes e the version after the one at older: it writes e's links. Two jumps of equal length in a row are
// followed by one over both.
func (a *arena) extend(e entry, older ref) {
	near := a.at(older)
	far := a.at(a.jumpFrom(older))
	beyond := a.jumpFrom(a.jumpFrom(older))
	depth := near.depth()
	if depth-far.depth() == far.depth()-a.at(beyond).depth() {
		e.link(older, beyond, depth+1)
	} else {
		e.link(older, older, depth+1)
	}
}

// jumpFrom is where the version at r jumps to; the oldest jumps to itself.
func (a *arena) jumpFrom(r ref) ref {
	if e := a.at(r); e.linked() {
		return e.jump()
	}
	return r
}

// newestUpTo is the newest version, in the chain that begins at head, that is not newer than t; nil when there is
// none.
func (a *arena) newestUpTo(head ref, t key.Trailer) entry {
	e := a.at(head)
	for e.trailer() > t {
		if !e.linked() {
			return nil
		}
		if far := a.at(e.jump()); far.trailer() > t {
			e = far
		} else {
			e = a.at(e.older())
		}
	}
	return e
}

// oldestAbove is the oldest version, in the chain that begins at head, that is newer than t; nil when there is
// none.
func (a *arena) oldestAbove(head ref, t key.Trailer) entry {
	e := a.at(head)
	if e.trailer() <= t {
		return nil
	}
	for e.linked() {
		next := a.at(e.jump())
		if next.trailer() <= t {
			next = a.at(e.older())
		}
		if next.trailer() <= t {
			break
		}
		e = next
	}
	return e
}

// oldest is the last version of the chain that begins at head.
func (a *arena) oldest(head ref) entry {
	e := a.at(head)
	for e.linked() {
		e = a.at(e.jump())
	}
	return e
}
