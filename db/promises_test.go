package db

import "testing"

// promises are what the store promises its users, one matter each.
var promises = []struct {
	matter string
	check  func(t *testing.T)
}{
	{"caller's slices", promiseSlices},
	{"misses", promiseMisses},
	{"cost ladder of a read", promiseCosts},
	{"Scan and errors", promiseScan},
	{"Scan's copies", promiseScanCopies},
	{"NewIter", promiseNewIter},
	{"options of calls", promiseCallOptions},
	{"durability", promiseDurability},
	{"empty things", promiseEmpty},
	{"ranges", promiseRanges},
	{"batch", promiseBatch},
	{"after Close", promiseAfterClose},
	{"Close", promiseClose},
	{"filters changed by options", promiseFiltersChanged},
	{"IgnoreFilters", promiseIgnoreFilters},
	{"context", promiseContext},
	{"log", promiseLog},
	{"limits", promiseLimits},
	{"locked", promiseLocked},
	{"iterator moves", promiseMoves},
	{"All", promiseAll},
	{"nil in a seek", promiseNilSeek},
	{"Limit", promiseLimit},
	{"after an iterator's own Close", promiseOwnClose},
	{"Snapshot, NewIter after Close", promiseViewsAfterClose},
	{"Close and running calls", promiseRunningCalls},
	{"leftovers", promiseLeftovers},
	{"writes around Close", promiseWritesAroundClose},
	{"AppendGet on a miss", promiseAppendGetMiss},
	{"read-only", promiseReadOnly},
	{"Compact", promiseCompact},
	{"small sizes", promiseSmallSizes},
	{"reading an over-long key", promiseOverLongRead},
}

func TestPromises(t *testing.T) {
	for _, p := range promises {
		t.Run(p.matter, p.check)
	}
}
