package db

import (
	"runtime"
	"time"
)

// syncDelay lets writes that are to be durable share syncs. Writers that a sync has let go often write again at once,
// but not before the next leader has looked into the queue; then two halves of them take turns, with a sync for each.
// So a leader waits a little, a small part of what a sync takes, until as many have come as were let go last. The
// leader alone uses it.
type syncDelay struct {
	expected int           // writers that the last sync let go, and those who waited behind it
	sync     time.Duration // about what appending a group with a sync takes
}

const (
	// A leader waits at most for this part of the time of a sync,
	syncDelayShare = 8
	// and looks this many times; so it ends as well where no time passes.
	syncDelayLooks = 1000
)

// wait lets others run until as many are in the queue as are expected.
func (d *syncDelay) wait(queued func() int) {
	if d.expected < 2 {
		return // a writer by itself waits for nobody
	}
	deadline := time.Now().Add(d.sync / syncDelayShare)
	for look := 0; look < syncDelayLooks && queued() < d.expected && time.Now().Before(deadline); look++ {
		runtime.Gosched()
	}
}

// synced takes note of a group that was appended with a sync, while others queued up behind it.
func (d *syncDelay) synced(group, queued int, took time.Duration) {
	d.expected = group + queued
	d.sync += (took - d.sync) / 4
}
