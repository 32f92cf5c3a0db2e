package db

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// warmUpSize is how much of a table is read at once to bring it in, in bytes.
const warmUpSize = 1 << 20

// newWarmUp is how the tables of found, which were there when the store was opened, come into memory: into the block
// cache if it has room for all, else into the system's file cache.
func (db *DB) newWarmUp(found *manifest.Version) *sstable.WarmUp {
	var bytes int64
	for level := range found.Levels {
		bytes += found.Bytes(level)
	}
	return sstable.NewWarmUp(bytes, db.startWarmUp)
}

// startWarmUp has a goroutine bring the tables in that were there when the store was opened. A read calls it, which may
// be an iterator's while the store closes: under the lock, it begins before Close waits for all of them, or not at all.
func (db *DB) startWarmUp() {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed.Load() {
		return
	}
	found := db.foundLocked()
	db.warmingUp = true
	db.workers.Go(func() {
		db.warmUp(db.work, found)
		db.endWarmUp()
	})
}

// foundLocked are the tables that were there when the store was opened, and still are, in the order of their numbers.
// DB.mu is held.
func (db *DB) foundLocked() []*table {
	var found []*table
	for _, t := range db.live {
		if t.around != nil {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(a, b *table) int { return cmp.Compare(a.meta.Number, b.meta.Number) })
	return found
}

// warmUpLanes is how many tables are brought in side by side: what one has read goes into the cache while the other
// waits for the disk. More are no faster, and take the processor from those who read meanwhile.
const warmUpLanes = 2

// warmUp brings tables in until ctx ends.
func (db *DB) warmUp(ctx context.Context, tables []*table) {
	var bytes int64
	for _, t := range tables {
		bytes += t.meta.Size
	}
	keep := inFileCache
	if bytes <= db.opts.CacheSize {
		keep = db.inBlockCache
	}
	todo := make(chan *table, len(tables))
	for _, t := range tables {
		todo <- t
	}
	close(todo)
	var lanes sync.WaitGroup
	for range min(warmUpLanes, len(tables)) {
		lanes.Go(func() {
			buf := make([]byte, warmUpSize)
			for t := range todo {
				db.bringIn(ctx, t, buf, keep)
			}
		})
	}
	lanes.Wait()
}

// bringIn reads the file of t from front to back, or until ctx ends or the table is gone, and has keep take each piece.
// What cannot be read is left to whoever asks for it, who is told.
func (db *DB) bringIn(ctx context.Context, t *table, buf []byte, keep keeping) {
	for at := int64(0); at < t.meta.Size && ctx.Err() == nil && !t.retired.Load(); {
		piece := buf[:min(int64(len(buf)), t.meta.Size-at)]
		if _, err := t.file.ReadAt(piece, at); err != nil {
			return
		}
		db.stats.warmUpReads.Add(1)
		db.stats.warmUpBytes.Add(int64(len(piece)))
		at = keep(t, piece, at)
	}
}

// keeping is what becomes of a piece that was read of t's file at an offset. It returns the offset to go on from.
type keeping func(t *table, piece []byte, at int64) (next int64)

// inFileCache does nothing: the system has kept the piece.
func inFileCache(_ *table, piece []byte, at int64) (next int64) { return at + int64(len(piece)) }

// inBlockCache offers the block cache the blocks that lie whole in piece: none of them has to be read again, not even
// from the system's file cache.
func (db *DB) inBlockCache(t *table, piece []byte, at int64) (next int64) {
	r, err := db.tables.reader(t)
	if err != nil {
		return inFileCache(t, piece, at)
	}
	next = r.FillCache(piece, at)
	if t.retired.Load() {
		db.cache.DropFiles(t.meta.Number) // the cleaner may have been there before
	}
	return next
}

func (db *DB) endWarmUp() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.warmingUp = false
	db.changed.Broadcast()
}
