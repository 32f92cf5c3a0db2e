package wal

import (
	"errors"
	"testing"
)

// TestAbandonedLogVouchesForNothing: the torn end of the segment before it stays a torn end, where a log that was
// closed would make damage of it.
func TestAbandonedLogVouchesForNothing(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	must(t, l.AppendSync([]byte("kept")))
	killed := disk.Clone()
	must(t, l.Close())

	next := newLog(t, killed, 2)
	must(t, next.Abandon())
	groups, report, err := replayed(t, killed)
	if err != nil || len(groups) != 1 || groups[0] != "kept" || report.Segments[1].CleanEnd {
		t.Errorf("%q, %+v, %v", groups, report, err)
	}
	for _, again := range []error{next.Abandon(), next.Close(), next.Append(nil), next.AppendSync(nil), next.Sync()} {
		if !errors.Is(again, ErrClosed) {
			t.Errorf("after Abandon: %v", again)
		}
	}

	closed := newLog(t, killed, 3)
	must(t, closed.Close())
	if _, _, err := replayed(t, killed); err == nil {
		t.Error("a closed log after a torn segment is no damage")
	}
}
