package memtable

import (
	"runtime"
	"sync"
)

// treeLock is a sync.RWMutex for holders that take about a microsecond. To sleep until one lets go, and be woken, costs
// ten times that, so whoever finds the lock taken looks again a few times before it sleeps, and lets other goroutines
// run between two looks.
type treeLock struct{ rw sync.RWMutex }

// looks is how often the lock is tried before one sleeps.
const looks = 32

func (l *treeLock) Lock() {
	for range looks {
		if l.rw.TryLock() {
			return
		}
		runtime.Gosched()
	}
	l.rw.Lock()
}

func (l *treeLock) Unlock() { l.rw.Unlock() }

func (l *treeLock) RLock() {
	for range looks {
		if l.rw.TryRLock() {
			return
		}
		runtime.Gosched()
	}
	l.rw.RLock()
}

func (l *treeLock) RUnlock() { l.rw.RUnlock() }
