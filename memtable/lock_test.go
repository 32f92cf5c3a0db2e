package memtable

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestTreeLockExcludes: a writer is alone, readers are together, whether they find the lock at once, after some looks,
// or have to sleep for it.
func TestTreeLockExcludes(t *testing.T) {
	var lock treeLock
	var readers, writers, together atomic.Int64
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 2000 {
				if (i+g)%4 == 0 {
					lock.Lock()
					if w, r := writers.Add(1), readers.Load(); w != 1 || r != 0 {
						t.Errorf("%d writers beside %d readers", w, r)
					}
					hold(i)
					writers.Add(-1)
					lock.Unlock()
					continue
				}
				lock.RLock()
				if readers.Add(1); writers.Load() != 0 {
					t.Error("a reader beside a writer")
				}
				if readers.Load() > 1 {
					together.Add(1)
				}
				hold(i)
				readers.Add(-1)
				lock.RUnlock()
			}
		})
	}
	all.Wait()
	if together.Load() == 0 {
		t.Error("no two readers were ever together: the test is too weak")
	}
}

// hold holds a lock for longer than anybody looks, now and then.
func hold(i int) {
	if i%500 == 0 {
		time.Sleep(time.Millisecond)
	}
}
