package db

import (
	"runtime"
	"time"
)

// company lets writes that are to be durable share syncs. Writers that a sync has let go often write again at once, but not
// before the next leader has looked into the queue; then two halves of them take turns, with a sync for each. So a leader
// waits a little, a small part of what a sync takes, until as many have come as were let go last. The leader alone uses it.
type company struct {
	let  int           // writers that the last sync let go, and those who waited behind it
	sync time.Duration // about what appending a group with a sync takes
}

const (
	// A leader waits at most for this part of the time of a sync,
	companyShare = 8
	// and looks this many times; so it ends as well where no time passes.
	companyLooks = 1000
)

// await lets others run until as many are in the queue as are expected.
func (c *company) await(queued func() int) {
	if c.let < 2 {
		return // a writer by itself waits for nobody
	}
	deadline := time.Now().Add(c.sync / companyShare)
	for look := 0; look < companyLooks && queued() < c.let && time.Now().Before(deadline); look++ {
		runtime.Gosched()
	}
}

// synced takes note of a group that was appended with a sync, while others queued up behind it.
func (c *company) synced(group, queued int, took time.Duration) {
	c.let = group + queued
	c.sync += (took - c.sync) / 4
}
