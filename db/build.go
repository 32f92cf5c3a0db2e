package db

import (
	"context"
	"fmt"

	"siftdb/bloom"
	"siftdb/compaction/merge"
	"siftdb/internal/fsys"
	internal "siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// builder makes the tables of one flush, recovery, compaction or rebuild. All tables of the store come from here, so
// that all get the filter that was set. It is a merge.Sink.
type builder struct {
	db       *DB
	place    bloom.Place
	replaces []uint64 // numbers of the tables that a merge makes new ones of

	number uint64
	file   fsys.File
	writer *sstable.Writer // nil between tables
	built  []*manifest.Table
}

func (db *DB) newBuilder(place bloom.Place) *builder { return &builder{db: db, place: place} }

// merge builds tables of those entries of in that are to stay. After an error there are none.
func (b *builder) merge(ctx context.Context, in internal.Iterator, o merge.Options) ([]*manifest.Table, error) {
	if _, err := merge.Run(ctx, in, b, o); err != nil {
		b.abandon()
		return nil, err
	}
	return b.finish()
}

// copy builds one table of all blocks of another. After an error there is none.
func (b *builder) copy(ctx context.Context, from *sstable.Reader) ([]*manifest.Table, error) {
	err := b.start()
	if err == nil {
		err = b.writer.CopyBlocks(ctx, from)
	}
	if err == nil {
		err = b.Cut(ctx)
	}
	if err != nil {
		b.abandon()
		return nil, err
	}
	return b.finish()
}

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
		Replaces:    b.replaces,
		Part:        uint64(len(b.built)),
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
	b.built = append(b.built, tableOf(b.number, originOf(b.place.Reason), &p))
	b.db.keeper.offer(b.number, filter)
	return nil
}

// finish makes the names of the files durable, when all are cut.
func (b *builder) finish() ([]*manifest.Table, error) {
	if len(b.built) == 0 {
		return nil, nil
	}
	if err := b.db.fs.SyncDir(b.db.dir); err != nil {
		b.abandon()
		return nil, notBuilt(err)
	}
	return b.built, nil
}

func notBuilt(cause error) error { return fmt.Errorf("siftdb: building a table: %w", cause) }

// abandon removes what was built.
func (b *builder) abandon() {
	if b.writer != nil {
		b.writer.Abandon()
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

// originOf is the manifest's word for why a table was built.
func originOf(reason bloom.Reason) manifest.Origin {
	switch reason {
	case bloom.ReasonRecovery:
		return manifest.OriginRecovery
	case bloom.ReasonCompaction:
		return manifest.OriginCompaction
	case bloom.ReasonRebuild:
		return manifest.OriginRebuild
	}
	return manifest.OriginFlush
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
