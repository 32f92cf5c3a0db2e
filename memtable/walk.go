package memtable

import "sync"

// A walk over a tree goes from leaf to leaf. The walker holds mu meanwhile, so that none is divided.

// up copies the newest versions of the keys from user on to the start of dst, as many as there are or dst has room for.
func (t *tree) up(user []byte, dst []ref) int {
	defer t.mu.RUnlock(t.mu.RLock())
	l, lock, from, _ := t.seek(user)
	if l == nil {
		return 0
	}
	n := l.copyUp(from, dst)
	lock.RUnlock()
	for at := l.next(); at != 0 && n < len(dst); at = l.next() {
		l, lock = t.enter(at)
		n += l.copyUp(0, dst[n:])
		lock.RUnlock()
	}
	return n
}

// down copies the newest versions of the keys up to user to the end of dst, as many as there are or dst has room for.
func (t *tree) down(user []byte, dst []ref) int {
	defer t.mu.RUnlock(t.mu.RLock())
	l, lock, to, found := t.seek(user)
	if l == nil {
		return 0
	}
	if found {
		to++
	}
	n := l.copyDown(to, dst)
	lock.RUnlock()
	return n + t.downFrom(l.previous(), dst[:len(dst)-n])
}

// seek enters the leaf that has user if any does, and searches it; l is nil in an empty tree. The caller holds mu.
func (t *tree) seek(user []byte) (l leaf, lock *sync.RWMutex, index int, found bool) {
	at, head := t.leafFor(user)
	if at == 0 {
		return nil, nil, 0, false
	}
	l, lock = t.enter(at)
	index, found = t.search(l, user, head)
	return l, lock, index, found
}

// downFromEnd is down from the last key.
func (t *tree) downFromEnd(dst []ref) int {
	defer t.mu.RUnlock(t.mu.RLock())
	return t.downFrom(t.last, dst)
}

// downFrom is down from the last key of the leaf at the reference, which may be 0. The caller holds mu.
func (t *tree) downFrom(at ref, dst []ref) (n int) {
	for at != 0 && n < len(dst) {
		l, lock := t.enter(at)
		n += l.copyDown(l.len(), dst[:len(dst)-n])
		lock.RUnlock()
		at = l.previous()
	}
	return n
}

// nth is the newest version of the key that has n before it; n is less than keys. The caller holds mu.
func (t *tree) nth(n int) ref {
	l, lock, n := t.pass(n, t.first, leaf.next)
	defer lock.RUnlock()
	return l.newest(n)
}

// nthLast is the newest version of the key that has n after it; n is less than keys. The caller holds mu.
func (t *tree) nthLast(n int) ref {
	l, lock, n := t.pass(n, t.last, leaf.previous)
	defer lock.RUnlock()
	return l.newest(l.len() - 1 - n)
}

// pass passes n keys, from those of the leaf at the reference on, leaf by leaf in the direction of step. It enters the
// leaf that the n-th is in, and returns how many keys of it are passed.
func (t *tree) pass(n int, at ref, step func(leaf) ref) (leaf, *sync.RWMutex, int) {
	for {
		l, lock := t.enter(at)
		size := l.len()
		if n < size {
			return l, lock, n
		}
		lock.RUnlock()
		n -= size
		at = step(l)
	}
}
