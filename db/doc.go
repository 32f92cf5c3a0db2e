// Package db is siftdb: an embedded key-value store, a log-structured merge tree whose tables carry filters, so
// that a look-up of a key that is not there costs hardly any disk reads.
//
//	store, err := db.Open(dir, nil)
//	...
//	defer store.Close()
//	err = store.Put([]byte("fig"), []byte("green"))
//	value, err := store.Get([]byte("fig"))        // db.ErrNotFound when it is not there
//
// # What it promises
//
// A write that has returned is on disk, unless Options.NoSync or NoSync was asked for; what a crash takes then is
// the end of the order of writes, never the middle. A batch is there whole or not at all. Iterators and snapshots
// see the store as it was when they were made. Every byte on disk is under a checksum: damage is told, as a
// *CorruptionError with file and offset, and not served. Filters change no answer, whatever their kind, size or
// state. The store copies what it is given and what Get, AppendGet and Scan return is the caller's; GetFunc and
// Iterator lend. A store that cannot write, because the disk is full or fails, goes on reading, and writes again
// when it can.
//
// # The write walk
//
// Put, Delete and Apply (write.go) encode their writes and queue them (commit.go). The first in the queue leads:
// it waits a moment for others where a sync would serve them too (syncdelay.go), takes along who waits, makes room
// for them (stall.go, rotate.go), appends one record to the log (package wal) and waits for the disk if any of
// them asked to, adds the writes to the memtable, and makes them visible by one step of the sequence number. A
// full memtable is frozen and flushed to a table of level 0 (flush.go). Its memory goes to a later one when no
// view has it any more (view.go).
//
// # The read walk
//
// Get takes the current view (view.go), one immutable value: memtables, tables, and the newest sequence number
// after it. It hashes the key once, asks the memtables, newest first, and then each table whose key range holds the
// key, newest data first: what is in memory of its filter (resident.go), and only after a "maybe" its index and one
// block (get.go). Where nothing is in memory it lets the keeper know, and goes to the data. Iterators (iterator.go)
// merge the same sources (sources.go), in memory that each hands on to the next (iterstate.go).
//
// # The compaction walk
//
// Compactors (compact.go) ask the planner (package compaction) for a plan, a value; merge its inputs (package
// compaction/merge) into new tables (build.go), put an edit into the manifest (edit.go) and a new view in place.
// Meanwhile they hold a view of the tables alone, as Verify and the keeper do, so that memtables can go (view.go).
// Tables that no view has any more are removed by the cleaner (obsolete.go). RebuildFilters (rebuild.go) goes the same
// way with one table at a time, whose blocks are copied under another filter.
//
// # Damage
//
// Verify (verify.go) checks what an open store has. Repair works on one that is shut: it looks for a manifest to
// believe (repairwitness.go), reads tables (repairtables.go), leaves those that others replaced (repairlineage.go),
// saves what it can, replays the logs (repairlogs.go), finds levels (repairlevels.go, which compares what tables hold,
// ages.go), and puts a new manifest in force (repaircommit.go).
//
// # Filters in memory
//
// A table's filter is apart from the table: a file may be open without it, and it may be in memory, whole or some
// planes of it, while the file is shut. The keeper (keeper.go) sees to that in the background: it shares the memory
// out (share.go, young.go) by the misses that each table serves (traffic.go), drops, and loads for some tables at
// once (loading.go), and books what is taken (ledger.go). A table that is built comes with its filter (offer.go).
// The counters (filters.go) are held against theory (selfcheck.go).
//
// # Locks
//
// In the order they are taken:
//
//	commits    lead of the commit queue: the log's end, the sequence number that reads see, the choice of memtable.
//	           committer.mu guards only the queue and is held for moments.
//	editMu     from the writing of a manifest edit to the view with its tables.
//	mu         views, tables, busy tables, snapshots, iterators; never held during file operations. changed is
//	           its condition: all who wait for another state of the store sleep on it.
//	keeper.mu  settings of filters, the memory booked for them, traffic; never held during file operations.
//	expectation.mu
//	           what theory makes of one table's probes so far.
//	table.opening, tables.mu, tableFile.mu
//	           opening of one table; which files are open; one open file. Whoever takes one of these holds none of
//	           those above.
//
// Point reads of open tables take none of them: a view is taken by a counter, a table's reader and filter by a pointer.
// That counter, and those of what filters answer, are striped (internal/striped): reads do not wait for each other's.
//
// # Goroutines
//
// Each open store has a keeper of filters, which has up to four more load for it, a flusher, a cleaner, Options.Workers
// compactors and the log's writer. Once reads have shown that it pays, one more has two others bring the tables that
// were there when the store was opened into memory (warmup.go). Close ends and waits for all.
package db
