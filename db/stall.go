package db

import (
	"fmt"
	"time"

	"siftdb/compaction"
)

// Writes are slowed down before they are stopped: when level 0 has many tables, reads have many to ask, and
// compaction must be let catch up. Every stop has work scheduled that ends it, or ends with that work's error.
const (
	maxFrozen     = 2                     // full memtables that may wait for their flush
	slowdownAt    = 12                    // tables in level 0 from which on writes are paced
	stopAt        = compaction.Level0Stop // tables in level 0 at which a full memtable must wait
	fastestPacing = 64 << 20
	slowestPacing = 4 << 20 // bytes a second
)

// makeRoom sees to it that the memtable has room for a group, by making a new one when it is full. The leader
// calls it.
func (db *DB) makeRoom() error {
	if db.closed.Load() {
		return ErrClosed
	}
	if db.view.Load().mem.Bytes() < db.opts.MemTableSize {
		return nil
	}
	if err := db.waitForFlush(); err != nil {
		return err
	}
	return db.rotate()
}

// waitForFlush stops the writer while another full memtable would be too many.
func (db *DB) waitForFlush() error {
	reason, err := db.reasonToStop()
	if reason == "" || err != nil {
		return err
	}
	db.opts.Logger.Warn("siftdb: writes stopped", "reason", reason) // without a lock: the handler may look at the store
	start := time.Now()
	if err := db.waitWhileStopped(); err != nil {
		return err
	}
	db.stats.stopped(time.Since(start))
	db.opts.Logger.Debug("siftdb: writes go on", "after", time.Since(start))
	return nil
}

func (db *DB) reasonToStop() (reason string, err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.reasonToStopLocked()
}

func (db *DB) waitWhileStopped() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for {
		if reason, err := db.reasonToStopLocked(); reason == "" || err != nil {
			return err
		}
		db.changed.Wait()
	}
}

// reasonToStopLocked says why a full memtable has to wait, if it has to; the error, if any, keeps the waiting from
// ending. DB.mu is held.
func (db *DB) reasonToStopLocked() (reason string, err error) {
	v := db.view.Load()
	if v == nil || db.closed.Load() {
		return "", ErrClosed
	}
	var cause error
	if len(v.frozen) >= maxFrozen {
		reason, cause = fmt.Sprintf("%d memtables wait for their flush", len(v.frozen)), db.flushErr
	} else if n := len(v.version.Levels[0]); n >= stopAt && !db.opts.NoCompaction {
		reason, cause = fmt.Sprintf("level 0 has %d tables", n), db.compactErr
	}
	if cause != nil {
		return reason, refusal(cause)
	}
	return reason, nil
}

// pacer slows writes down to a rate.
type pacer struct{ debt time.Duration }

// pace makes the leader sleep so that, while level 0 is long, writes come at a rate that falls from
// fastestPacing to slowestPacing as the stop comes nearer.
func (db *DB) pace(bytes int) {
	tables := len(db.view.Load().version.Levels[0])
	if tables < slowdownAt || db.opts.NoCompaction {
		return
	}
	nearness := min(1, float64(tables-slowdownAt)/float64(stopAt-slowdownAt))
	rate := fastestPacing + nearness*(slowestPacing-fastestPacing)
	p := &db.commits.paced
	p.debt += time.Duration(float64(bytes) / rate * float64(time.Second))
	if p.debt < time.Millisecond { // shorter sleeps are not kept by the system
		return
	}
	start := time.Now()
	select {
	case <-time.After(p.debt):
	case <-db.work.Done():
	}
	slept := time.Since(start)
	p.debt = max(0, p.debt-slept)
	db.stats.slowed(slept)
}
