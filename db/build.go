package db

import (
	"context"
	"fmt"

	"siftdb/bloom"
	"siftdb/internal/fsys"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// builder makes the tables of one flush, recovery or compaction. All tables of the store come from here, so that
// all get the filter that was set. It is a merge.Sink.
type builder struct {
	db     *DB
	place  bloom.Place
	origin manifest.Origin

	number uint64
	file   fsys.File
	writer *sstable.Writer // nil between tables
	built  []*manifest.Table
}

func (db *DB) newBuilder(level int, bottommost bottommost, reason bloom.Reason, origin manifest.Origin) *builder {
	return &builder{
		db:     db,
		place:  bloom.Place{Level: level, Bottommost: bool(bottommost), Reason: reason},
		origin: origin,
	}
}

// bottommost says that no level below holds keys of the table's range.
type bottommost bool

// Add appends an entry to the table being built, which it starts if need be.
func (b *builder) Add(k key.Key, value []byte) error {
	if b.writer == nil {
		if err := b.start(); err != nil {
			return err
		}
	}
	return b.writer.Add(k, value)
}

// Size is how large the table being built has become, in bytes; 0 between tables.
func (b *builder) Size() int64 {
	if b.writer == nil {
		return 0
	}
	return b.writer.Size()
}

func (b *builder) start() error {
	opts, policy := &b.db.opts, b.db.keeper.policyNow()
	b.number = b.db.nextFile.Add(1) - 1
	file, err := b.db.fs.Create(b.name())
	if err != nil {
		return notBuilt(err)
	}
	b.file = file
	b.writer = sstable.NewWriter(file, b.name(), sstable.WriterOptions{
		BlockSize:   opts.BlockSize,
		Compression: opts.Compression,
		Filter:      policy.Builder(b.place),
		FilterName:  policy.String(),
		AskedBits:   policy.AskedBits(),
	})
	return nil
}

func (b *builder) name() string { return b.db.tables.path(b.number) }

// Cut finishes the table being built, if there is one: its file is whole and durable.
func (b *builder) Cut(context.Context) error {
	if b.writer == nil {
		return nil
	}
	p, err := b.writer.Finish()
	filter := b.writer.Filter()
	if err == nil {
		err = b.file.Sync()
	}
	if closeErr := b.file.Close(); err == nil {
		err = closeErr
	}
	b.writer, b.file = nil, nil
	if err != nil {
		b.db.fs.Remove(b.name()) // what stays is removed at the next open
		return notBuilt(err)
	}
	b.built = append(b.built, tableOf(b.number, b.origin, &p))
	b.db.keeper.offer(b.number, filter)
	return nil
}

// finish makes the names of the files durable, when all are cut.
func (b *builder) finish() ([]*manifest.Table, error) {
	if len(b.built) == 0 {
		return nil, nil
	}
	if err := b.db.fs.SyncDir(b.db.dir); err != nil {
		return nil, notBuilt(err)
	}
	return b.built, nil
}

func notBuilt(cause error) error { return fmt.Errorf("siftdb: building a table: %w", cause) }

// abandon removes what was built.
func (b *builder) abandon() {
	if b.writer != nil {
		b.file.Close()
		b.db.fs.Remove(b.name())
		b.writer, b.file = nil, nil
	}
	for _, t := range b.built {
		b.db.fs.Remove(b.db.tables.path(t.Number))
	}
	b.db.keeper.withdraw(b.built)
	b.built = nil
}

// tableOf is the manifest's record of a finished table.
func tableOf(number uint64, origin manifest.Origin, p *sstable.Properties) *manifest.Table {
	return &manifest.Table{
		Number:       number,
		Size:         p.FileSize,
		TailSize:     p.TailSize,
		Smallest:     p.Smallest,
		Largest:      p.Largest,
		SmallestSeq:  p.SmallestSeq,
		LargestSeq:   p.LargestSeq,
		Entries:      p.Entries,
		Keys:         p.Keys,
		Deletions:    p.Deletions,
		RawBytes:     p.RawKeyBytes + p.RawValueBytes,
		FilterBits:   p.FilterBits,
		FilterPolicy: p.Filter,
		FilterFamily: p.FilterFamily,
		AskedBits:    p.AskedBits,
		FilterRate:   p.FilterRate,
		FilterPlanes: p.FilterPlanes,
		Origin:       origin,
	}
}
