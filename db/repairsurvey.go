package db

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"siftdb/internal/manifest"
	"siftdb/wal"
)

// survey finds out what is there and which manifest to believe.
func (r *repair) survey(context.Context) error {
	names, err := r.db.fs.List(r.db.dir)
	if err != nil {
		return r.db.cannotOpen(err)
	}
	for _, name := range names {
		if !r.db.isDirectory(filepath.Join(r.db.dir, name)) {
			r.names = append(r.names, name)
		}
	}
	if err := r.chooseWitness(); err != nil {
		return err
	}
	r.logs = numbersOf(r.names, wal.ParseName)
	r.db.nextFile.Store(r.freeNumber())
	return r.checkWitness()
}

// numbersOf are the numbers in the names that parse reads, ascending.
func numbersOf(names []string, parse func(string) (uint64, bool)) (numbers []uint64) {
	for _, name := range names {
		if number, ok := parse(name); ok {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// asideSuffix is put behind the names of files that are no part of the store any more; a number follows it where the
// name is taken.
const asideSuffix = ".aside"

// freeNumber is larger than that of every table that is there, was there or was spoken of.
func (r *repair) freeNumber() uint64 {
	next := uint64(1)
	if r.witness != nil {
		next = max(next, r.witness.State.NextFile)
	}
	for _, name := range r.names {
		base, _, _ := strings.Cut(name, asideSuffix)
		if number, ok := manifest.ParseTableName(base); ok {
			next = max(next, number+1)
		}
	}
	return next
}
