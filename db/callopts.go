package db

import "siftdb/sstable"

// ReadOption changes how one read goes about its work, never what it answers.
type ReadOption struct {
	flags readFlags
	trace *Trace
}

type readFlags uint8

const (
	readIgnoresFilters readFlags = 1 << iota
	readSkipsCache
)

// Options of single reads.
var (
	// IgnoreFilters makes the read go to the data of every table whose key range holds the key.
	IgnoreFilters = ReadOption{flags: readIgnoresFilters}
	// NoCache makes the read neither look into the block cache nor fill it.
	NoCache = ReadOption{flags: readSkipsCache}
)

// TraceTo makes the read add what it does to t. One read at a time may write to t.
func TraceTo(t *Trace) ReadOption { return ReadOption{trace: t} }

// readOptions is what all options of one call come to.
type readOptions struct {
	flags readFlags
	trace *Trace
}

func (db *DB) readOptions(opts []ReadOption) readOptions {
	o := readOptions{flags: db.readDefaults}
	for _, opt := range opts {
		o.flags |= opt.flags
		if opt.trace != nil {
			o.trace = opt.trace
		}
	}
	return o
}

// cacheMode is how the read treats the block cache.
func (o readOptions) cacheMode() sstable.Mode {
	if o.flags&readSkipsCache != 0 {
		return sstable.SkipCache
	}
	return sstable.UseCache
}

// WriteOption says when one write returns. The last one given counts.
type WriteOption struct{ durability durability }

type durability uint8

const (
	durabilityOfStore durability = iota // as Options.NoSync says
	durable
	buffered
)

// Options of single writes.
var (
	// Sync makes the write return when it, and all before it, is on disk.
	Sync = WriteOption{durable}
	// NoSync makes the write return before it is on disk. A crash may lose it, but only together with all
	// later ones.
	NoSync = WriteOption{buffered}
)

// durability is what the options of one write come to: durable or buffered.
func (db *DB) durability(opts []WriteOption) durability {
	d := db.writeDefault
	for _, opt := range opts {
		if opt.durability != durabilityOfStore {
			d = opt.durability
		}
	}
	return d
}
