package db

import (
	"context"

	"siftdb/bloom"
	"siftdb/internal/commit"
	"siftdb/internal/manifest"
	"siftdb/wal"
)

// replayLogs reads the logs up to the first damage, and writes what no table holds to tables of level 0.
func (r *repair) replayLogs(ctx context.Context) error {
	needed := r.logs
	if r.witness != nil {
		r.rec.lastSeq = r.witness.State.LastSeq
	}
	if r.whole {
		needed = nil
		for _, number := range r.logs {
			if number >= r.witness.State.OldestLog {
				needed = append(needed, number)
			}
		}
	}
	defer r.rec.release()
	read, err := wal.Salvage(r.db.fs, r.db.dir, needed, func(segment uint64, group []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return r.replay(segment, group)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return r.db.cannotOpen(err)
	}
	r.reportLogs(read)
	for _, m := range r.rec.memTables {
		built, err := r.db.buildFrom(ctx, m, bloom.ReasonRecovery)
		r.built = append(r.built, built...)
		if err != nil {
			return err
		}
		for _, meta := range built {
			r.take(meta, 0)
		}
	}
	return nil
}

// replay takes in one commit group. Where the manifest does not tell which writes are in tables, the first group may be
// any: those before it are in tables, or lost with their log.
func (r *repair) replay(segment uint64, group []byte) error {
	if !r.whole && len(r.rec.memTables) == 0 {
		if g, err := commit.ParseGroup(group); err == nil && g.First > r.rec.lastSeq {
			r.rec.lastSeq = g.First - 1
		}
	}
	return r.db.replay(&r.rec, segment, group)
}

// reportLogs says what became of each segment.
func (r *repair) reportLogs(read wal.Report) {
	for _, s := range read.Segments {
		l := RepairedLog{File: wal.Name(s.Number), Groups: s.Groups, Problem: s.Damage}
		if s.TornAt >= 0 {
			l.DroppedBytes = s.Dropped
		}
		if s.TornAt >= 0 && s.Damage == nil {
			l.Torn = s.Reason
		}
		r.report.Logs = append(r.report.Logs, l)
	}
	last := wal.SegmentReport{}
	if n := len(read.Segments); n > 0 {
		last = read.Segments[n-1]
	}
	next := last.Next
	if len(read.Segments) == 0 && r.whole {
		next = r.witness.State.OldestLog
	}
	if next != 0 {
		r.report.Logs = append(r.report.Logs, RepairedLog{File: wal.Name(next), Problem: r.db.missingLog(next)})
	}
}

// take makes a table one of those that the new manifest will name.
func (r *repair) take(meta *manifest.Table, level int) {
	t := r.db.newTable(meta)
	r.tables = append(r.tables, t)
	if level >= 0 {
		r.levels[t] = level
	}
}
