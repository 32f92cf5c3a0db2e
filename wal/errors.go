package wal

import "errors"

var (
	// ErrClosed is returned by every call after Close.
	ErrClosed = errors.New("siftdb: log is closed")
	// ErrUndetermined is found by errors.Is in the error of a call whose groups may be in the log or not: only the
	// next opening of the store tells. The cause is found in the same error.
	ErrUndetermined = errors.New("siftdb: whether the write is in the log is not known until the store is opened again")
	// ErrSyncFailed is found by errors.Is in every error after a failed sync. What the segment holds on disk is
	// unknown then, and the log takes nothing more.
	ErrSyncFailed = errors.New("siftdb: sync of the log failed, it takes no writes until the store is opened again")
)
