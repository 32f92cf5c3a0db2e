package memtable

// A walk over a tree goes from leaf to leaf. The walker holds mu meanwhile, so that none is divided.

// up copies the newest versions of the keys from user on to the start of dst, as many as there are or dst has room for.
func (t *tree) up(user []byte, dst []ref) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	at, head := t.leafFor(user)
	if at == 0 {
		return 0
	}
	l, lock := t.enter(at)
	from, _ := t.search(l, user, head)
	n := l.copyUp(from, dst)
	lock.RUnlock()
	for at = l.next(); at != 0 && n < len(dst); at = l.next() {
		l, lock = t.enter(at)
		n += l.copyUp(0, dst[n:])
		lock.RUnlock()
	}
	return n
}

// down copies the newest versions of the keys up to user to the end of dst, as many as there are or dst has room for.
func (t *tree) down(user []byte, dst []ref) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	at, head := t.leafFor(user)
	if at == 0 {
		return 0
	}
	l, lock := t.enter(at)
	to, found := t.search(l, user, head)
	if found {
		to++
	}
	n := l.copyDown(to, dst)
	lock.RUnlock()
	return n + t.downFrom(l.previous(), dst[:len(dst)-n])
}

// downFromEnd is down from the last key.
func (t *tree) downFromEnd(dst []ref) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
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
	for at := t.first; ; {
		l, lock := t.enter(at)
		size := l.len()
		if n < size {
			defer lock.RUnlock()
			return l.newest(n)
		}
		lock.RUnlock()
		n -= size
		at = l.next()
	}
}

// nthLast is the newest version of the key that has n after it; n is less than keys. The caller holds mu.
func (t *tree) nthLast(n int) ref {
	for at := t.last; ; {
		l, lock := t.enter(at)
		size := l.len()
		if n < size {
			defer lock.RUnlock()
			return l.newest(size - 1 - n)
		}
		lock.RUnlock()
		n -= size
		at = l.previous()
	}
}
