package striped

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// TestCounterCounts what any number of goroutines add and take.
func TestCounterCounts(t *testing.T) {
	c := NewCounter()
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 1000 {
				c.Add(int64(n))
				c.AddIn((i+n)%Lines, -int64(n))
				c.Add(1)
			}
		})
	}
	all.Wait()
	if got := c.Sum(); got != 16*1000 {
		t.Errorf("the sum is %d, not %d", got, 16*1000)
	}
}

// TestSumHasNoLaterWithoutEarlier: who adds and takes back in one line is never seen with the second alone.
func TestSumHasNoLaterWithoutEarlier(t *testing.T) {
	c := NewCounter()
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for line := 0; ; line = (line + 1) % Lines {
				select {
				case <-stop:
					return
				default:
				}
				c.AddIn(line, 1)
				c.AddIn(line, -1)
			}
		})
	}
	for range 20_000 {
		if sum := c.Sum(); sum < 0 || sum > 4 {
			t.Errorf("a sum of %d beside 4 goroutines that add 1 and take it back", sum)
			break
		}
	}
	close(stop)
	all.Wait()
}

// counters are where the test's counters live, for they are not to lie on its stack.
var counters []*Counter

// TestLinesAreApart: no two parts of a counter share a cache line.
func TestLinesAreApart(t *testing.T) {
	if size := unsafe.Sizeof(Counter{}) / Lines; size != LineSize {
		t.Fatalf("a part has %d bytes", size)
	}
	for range 100 {
		counters = append(counters, NewCounter())
	}
	for _, c := range counters {
		if at := uintptr(unsafe.Pointer(c)) % LineSize; at != 0 {
			t.Fatalf("a counter begins at byte %d of a line", at)
		}
	}
}

// TestGoroutinesHaveLines of their own, mostly, and each the same again.
func TestGoroutinesHaveLines(t *testing.T) {
	const goroutines = 64
	var (
		mu    sync.Mutex
		lines = map[int]int{}
		all   sync.WaitGroup
		there sync.WaitGroup
	)
	there.Add(goroutines)
	for range goroutines {
		all.Go(func() {
			there.Done()
			there.Wait() // stacks of those that ended would be used again
			first := Line()
			for range 100 {
				if line := Line(); line != first || line < 0 || line >= Lines {
					t.Errorf("line %d after %d", line, first)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			lines[first]++
		})
	}
	all.Wait()
	if len(lines) < goroutines/4 {
		t.Errorf("%d goroutines have %d lines", goroutines, len(lines))
	}
}

// TestRWMutex: a writer is alone, whichever lines the readers have, and readers are not.
func TestRWMutex(t *testing.T) {
	var mu RWMutex
	for line := range Lines {
		mu[line].RLock()
		locked := make(chan struct{})
		go func() {
			mu.Lock()
			close(locked)
			mu.Unlock()
		}()
		runtime.Gosched()
		select {
		case <-locked:
			t.Fatalf("a writer has the lock beside the reader of line %d", line)
		default:
		}
		mu.RUnlock(line)
		<-locked
	}
	first := mu.RLock()
	second := mu.RLock() // no writer waits
	mu.RUnlock(first)
	mu.RUnlock(second)
	mu.Lock()
	for line := range Lines {
		if mu[line].TryRLock() {
			t.Errorf("a reader takes line %d beside a writer", line)
		}
	}
	mu.Unlock()
}

func BenchmarkAdd(b *testing.B) {
	c := NewCounter()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			c.Add(1)
		}
	})
}
