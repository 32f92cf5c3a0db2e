package db

import (
	"errors"
	"sync"
)

// damageLog remembers which files the log has called damaged, so that it does so once.
type damageLog struct{ told sync.Map }

// noted is err, after the log has told of the damage that it may be: one line a file.
func (db *DB) noted(err error) error {
	damage, ok := errors.AsType[*CorruptionError](err)
	if !ok {
		return err
	}
	if _, before := db.damage.told.LoadOrStore(damage.File, true); !before {
		db.opts.Logger.Error("siftdb: damage found",
			"file", damage.File, "offset", damage.Offset, "reason", damage.Reason)
	}
	return err
}
