package db

import (
	"sync/atomic"
	"time"

	"siftdb/internal/manifest"
)

// stats are the counters of a store that no other part keeps.
type stats struct {
	commits, writes, logBytes       atomic.Int64
	flushes, flushedBytes           atomic.Int64
	compactions, moves, rebuilt     atomic.Int64
	compactionRead, compactionWrote atomic.Int64
	slowdowns, stops, stallNanos    atomic.Int64
	logDropped, backgroundErrors    atomic.Int64
	deletionsPassed                 atomic.Int64
	warmUpReads, warmUpBytes        atomic.Int64
}

func (s *stats) flushed(built []*manifest.Table) {
	s.flushes.Add(1)
	s.flushedBytes.Add(sizeOf(built))
}

func (s *stats) compacted(read, written int64) {
	s.compactions.Add(1)
	s.compactionRead.Add(read)
	s.compactionWrote.Add(written)
}

func (s *stats) slowed(d time.Duration) {
	s.slowdowns.Add(1)
	s.stallNanos.Add(int64(d))
}

func (s *stats) stopped(d time.Duration) {
	s.stops.Add(1)
	s.stallNanos.Add(int64(d))
}
