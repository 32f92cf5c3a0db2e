package db

import (
	"testing"
	"unsafe"

	"siftdb/internal/striped"
)

// TestFilterCountsLinesAreApart: no two lines of a table's counters share a cache line.
func TestFilterCountsLinesAreApart(t *testing.T) {
	if size := unsafe.Sizeof(filterCountsLine{}); size != striped.LineSize {
		t.Errorf("a line of counters has %d bytes, not %d", size, striped.LineSize)
	}
	store := memStore(t)
	put(t, store, "a")
	flush(t, store)
	store.mu.Lock()
	defer store.mu.Unlock()
	for _, table := range store.live {
		if at := uintptr(unsafe.Pointer(table.filter)) % striped.LineSize; at != 0 {
			t.Errorf("counters begin at byte %d of a cache line", at)
		}
	}
}
