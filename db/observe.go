package db

import (
	"iter"
	"slices"
	"time"

	"siftdb/compaction"
	"siftdb/internal/manifest"
)

// Metrics says what the store knows of itself now. After Close it is the last state, without what was in memory.
func (db *DB) Metrics() Metrics {
	hits := db.cache.Metrics()
	m := Metrics{
		TableReads:        db.tables.calls.Reads.Load(),
		TableBytesRead:    db.tables.calls.BytesRead.Load(),
		WarmUpReads:       db.stats.warmUpReads.Load(),
		WarmUpBytesRead:   db.stats.warmUpBytes.Load(),
		TableOpens:        db.tables.opens.Load(),
		OpenTables:        int64(db.tables.count()),
		UnusableFilters:   db.keeper.problems.Load(),
		FilterLoads:       db.keeper.loads.Load(),
		FilterDrops:       db.keeper.drops.Load(),
		CacheHits:         hits.Hits,
		CacheMisses:       hits.Misses,
		CacheBytes:        hits.Bytes,
		CacheEntries:      hits.Entries,
		CacheCompressed:   hits.Packed,
		LogBytes:          db.stats.logBytes.Load(),
		LogDropped:        db.stats.logDropped.Load(),
		Commits:           db.stats.commits.Load(),
		Writes:            db.stats.writes.Load(),
		Flushes:           db.stats.flushes.Load(),
		FlushedBytes:      db.stats.flushedBytes.Load(),
		Compactions:       db.stats.compactions.Load(),
		TrivialMoves:      db.stats.moves.Load(),
		DeletionsPassed:   db.stats.deletionsPassed.Load(),
		FiltersRebuilt:    db.stats.rebuilt.Load(),
		CompactionRead:    db.stats.compactionRead.Load(),
		CompactionWritten: db.stats.compactionWrote.Load(),
		Slowdowns:         db.stats.slowdowns.Load(),
		Stops:             db.stats.stops.Load(),
		StallTime:         time.Duration(db.stats.stallNanos.Load()),
		BackgroundErrors:  db.stats.backgroundErrors.Load(),
		LastSequence:      db.visible.Load(),
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	m.RunningFlushes, m.RunningCompactions = db.flushing, len(db.running)
	m.Iterators, m.Snapshots = len(db.iterators), len(db.snapshots)
	m.OldestView = db.oldestViewLocked()
	if seqs := db.snapshotSeqsLocked(); len(seqs) > 0 {
		m.OldestSnapshot = uint64(seqs[0])
	}
	db.addTablesLocked(&m)
	if v := db.view.Load(); v != nil {
		db.addMemTablesLocked(&m, v)
		m.CompactionDebt = compaction.Debt(db.stateLocked(v), db.planOptions())
	}
	return m
}

// addTablesLocked fills in what is known of tables and levels. DB.mu is held.
func (db *DB) addTablesLocked(m *Metrics) {
	current := &manifest.Version{}
	if v := db.view.Load(); v != nil {
		current = v.version
	}
	inVersion := current.Numbers()
	filters, unfiltered := db.filterMetricsLocked(inVersion)
	m.UnfilteredProbes = unfiltered
	for level, filter := range filters {
		l := LevelMetrics{Level: level, Tables: len(current.Levels[level]), Bytes: current.Bytes(level), Filter: filter}
		for _, meta := range current.Levels[level] {
			l.Entries += int64(meta.Entries)
		}
		m.DiskBytes += l.Bytes
		m.Filter.add(filter)
		m.Levels = append(m.Levels, l)
	}
	for number, t := range db.live {
		if !inVersion[number] {
			m.ObsoleteTables++
			m.ObsoleteBytes += t.meta.Size
		}
		if r := t.reader.Load(); r != nil {
			m.IndexBytes += r.MemoryBytes()
		}
	}
	m.FilterBytes, m.FilterLimit = db.keeper.memory()
	m.DiskBytes += m.ObsoleteBytes
}

// addMemTablesLocked fills in what is in memory and in the log. DB.mu is held.
func (db *DB) addMemTablesLocked(m *Metrics, v *view) {
	m.MemTables = 1 + len(v.frozen)
	m.MemTableBytes = v.mem.Bytes()
	for _, frozen := range v.frozen {
		m.MemTableBytes += frozen.Bytes()
	}
	m.OffHeapBytes = db.memory.Mapped()
	if db.log != nil {
		m.LogSegments = int(db.log.Number()-db.oldestLog) + 1
		m.DiskBytes += db.log.SegmentSize()
	}
}

func (db *DB) oldestViewLocked() time.Duration {
	oldest := time.Now()
	for _, made := range db.iterators {
		if made.Before(oldest) {
			oldest = made
		}
	}
	for s := range db.snapshots {
		if s.made.Before(oldest) {
			oldest = s.made
		}
	}
	return time.Since(oldest)
}

// Tables describes the tables of the store as they are when the loop starts, in the order a read asks them:
// level 0 newest first, then down. Nothing is read from disk for it. After Close there are none.
func (db *DB) Tables() iter.Seq[TableInfo] {
	return func(yield func(TableInfo) bool) {
		for _, info := range db.tableInfos() {
			if !yield(info) {
				return
			}
		}
	}
}

func (db *DB) tableInfos() (infos []TableInfo) {
	v := db.acquire(callUser)
	if v == nil {
		return nil
	}
	defer db.release(v, callUser)
	for level, tables := range v.tables {
		for _, t := range tables {
			infos = append(infos, t.info(level))
		}
	}
	return infos
}

// info describes t; the keys are copies.
func (t *table) info(level int) TableInfo {
	info := TableInfo{
		File:            t.fileName(),
		Level:           level,
		Size:            t.meta.Size,
		Smallest:        slices.Clone(t.meta.Smallest.User),
		Largest:         slices.Clone(t.meta.Largest.User),
		SmallestSeq:     uint64(t.meta.SmallestSeq),
		LargestSeq:      uint64(t.meta.LargestSeq),
		Entries:         t.meta.Entries,
		Keys:            t.meta.Keys,
		Deletions:       t.meta.Deletions,
		RawBytes:        t.meta.RawBytes,
		FilterPolicy:    t.meta.FilterPolicy,
		FilterFamily:    t.meta.FilterFamily,
		AskedBitsPerKey: t.meta.AskedBits,
		FilterBits:      int64(t.meta.FilterBits),
		FilterPlanes:    t.meta.FilterPlanes,
		ResidentPlanes:  t.resident.Load().steps(),
		Filter:          t.metrics(),
	}
	if problem := t.problem.Load(); problem != nil {
		info.FilterProblem = *problem
	}
	if r := t.reader.Load(); r != nil {
		p := r.Properties()
		info.Open = true
		info.DataBlocks = p.DataBlocks
	}
	return info
}
