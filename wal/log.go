package wal

import (
	"fmt"
	"sync"

	"siftdb/internal/fsys"
)

const (
	// maxWaiting is how many bytes may wait to be written before Append waits too.
	maxWaiting = 2 << 20
	// flushSize is how many bytes make the writer write at once; fewer wait for company.
	flushSize = 64 << 10
)

// Log is a log that is being written. Append, AppendSync and Rotate are called by one goroutine at a time, which
// calls Close after them; Sync, Number and SegmentSize by any, at any time.
//
// A write that the disk refuses, when it is full say, changes nothing for good: the groups that were taken stay,
// and each later call tries the same bytes at the same place again, and goes on when that works. (A call that
// comes while a write is under way gets that one's error.) A failed sync is final.
type Log struct {
	fs     fsys.FS
	dir    string
	wake   chan struct{} // to the writer: look again; holds one
	exited chan struct{} // closed when the writer has ended

	mu      sync.Mutex
	changed sync.Cond  // the writer got further or failed
	queue   []*segment // not finished yet, oldest first; the writer works on the first
	tail    *segment   // the one that is appended to
	waiting int64      // bytes that are not written yet, in all segments
	spare   []byte     // for the next pending
	state   state
	overdue bool // what is pending has waited long enough for company
	closing bool

	// stuck: the last write failed and bytes are left. The writer rests until retry is set.
	stuck    bool
	retry    bool
	lastTry  bool   // once more, before the log is closed without what is left
	failure  error  // of the last failed write
	failures uint64 // failed writes so far
	final    error  // the failed sync
	closeErr error  // the first that closing a finished segment gave

	unsettled unsettled
}

// unsettled is the group of the AppendSync that is waiting; segment is nil when there is none.
type unsettled struct {
	segment   *segment
	start     int64
	withdrawn bool
}

// Create makes the log's first segment, which is durable when Create returns, and starts the writer. Number must
// not be that of a file in dir; lastEdit is the number of the manifest's last edit.
func Create(fs fsys.FS, dir string, number, lastEdit uint64) (*Log, error) {
	s, err := createSegment(fs, dir, Header{Number: number, LastEdit: lastEdit})
	if err != nil {
		return nil, err
	}
	l := &Log{
		fs: fs, dir: dir,
		wake: make(chan struct{}, 1), exited: make(chan struct{}),
		queue: []*segment{s}, tail: s,
	}
	l.changed.L = &l.mu
	go l.run()
	return l, nil
}

// Append takes a group, copied, to be written in the background. It makes no system call, but for memory where no
// buffer that the log has is large enough, and waits only when 2 MiB are waiting already, or when an earlier write
// failed: then until that has been tried again. With an error the group was not taken.
func (l *Log) Append(group []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.takeLocked(group); err != nil {
		return err
	}
	if l.waiting >= flushSize {
		l.rouseLocked(working)
	} else {
		l.rouseLocked(lingering)
	}
	return nil
}

// AppendSync takes a group, copied, and returns when it and all before it are durable. With an error the group is
// not in the log, unless errors.Is finds ErrUndetermined in it.
func (l *Log) AppendSync(group []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	start, err := l.takeLocked(group)
	if err != nil {
		return err
	}
	s := l.tail
	l.unsettled = unsettled{segment: s, start: start}
	err = l.waitLocked(s, s.end)
	withdrawn := l.unsettled.withdrawn
	l.unsettled = unsettled{}
	if err != nil && !withdrawn {
		return fmt.Errorf("%w: %w", ErrUndetermined, err)
	}
	return err
}

// Sync returns when everything that was appended before the call is durable. An error in which errors.Is finds
// ErrUndetermined is that of a failed sync that the call waited for.
func (l *Log) Sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return ErrClosed
	}
	if l.final != nil {
		return l.final
	}
	err := l.waitLocked(l.tail, l.tail.end)
	if err != nil && err == l.final {
		return fmt.Errorf("%w: %w", ErrUndetermined, err)
	}
	return err
}

// Rotate makes the next segment, durably; later groups go there. The number must be larger than the current one,
// and lastEdit is as for Create. The old segment is finished in the background, before anything is written to
// the new one. With an error nothing has changed, and the number is used up.
func (l *Log) Rotate(number, lastEdit uint64) error {
	l.mu.Lock()
	previous, err := l.tail.number, l.endedLocked()
	l.mu.Unlock()
	if err != nil {
		return err
	}
	if number <= previous {
		return fmt.Errorf("siftdb: new log segment %d does not come after %d", number, previous)
	}
	s, err := createSegment(l.fs, l.dir, Header{Number: number, Previous: previous, LastEdit: lastEdit})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.endedLocked(); err != nil {
		s.abandon(l.fs, l.dir)
		return err
	}
	l.tail.sealed = true
	s.pending, l.spare = l.spare, nil
	l.tail = s
	l.queue = append(l.queue, s)
	l.rouseLocked(working)
	return nil
}

// Close writes what is waiting, ends the segment, syncs it, and ends the writer. When the disk refuses, it tries
// once more and gives up: what was taken by Append and is not durable is lost then, and the error says why.
// Nothing is left open in any case. A second Close returns ErrClosed.
func (l *Log) Close() error {
	l.mu.Lock()
	if l.closing {
		l.mu.Unlock()
		return ErrClosed
	}
	l.closing = true
	l.lastTry = true
	l.tail.sealed = true
	l.rouseLocked(working)
	l.mu.Unlock()

	<-l.exited
	switch {
	case l.final != nil:
		return l.final
	case len(l.queue) > 0:
		return fmt.Errorf("siftdb: log closed with %d bytes lost: %w", l.waiting, l.failure)
	}
	return l.closeErr
}

// Number is the number of the segment that is appended to.
func (l *Log) Number() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tail.number
}

// SegmentSize is the size in bytes of the segment that is appended to, with what is not written yet.
func (l *Log) SegmentSize() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tail.end
}

// takeLocked copies a group to the end of the tail, once it can be taken, and returns the offset of its record.
func (l *Log) takeLocked(group []byte) (start int64, err error) {
	if uint64(len(group)) > MaxGroup {
		return 0, fmt.Errorf("siftdb: a group of %d bytes is too large for the log, the limit is %d",
			len(group), uint64(MaxGroup))
	}
	if err := l.readyLocked(); err != nil {
		return 0, err
	}
	l.waiting += recordSize(group)
	return l.tail.append(group), nil
}

// endedLocked is the error of a log that takes nothing more.
func (l *Log) endedLocked() error {
	if l.closing {
		return ErrClosed
	}
	return l.final
}

// readyLocked waits until a group can be taken: there is room, and no failed write is left behind, or it has been
// tried again.
func (l *Log) readyLocked() error {
	failures := l.failures
	for {
		if err := l.endedLocked(); err != nil {
			return err
		}
		if l.failures != failures {
			return l.failure
		}
		if !l.stuck && l.waiting <= maxWaiting {
			return nil
		}
		l.retry = l.retry || l.stuck
		l.rouseLocked(working)
		l.changed.Wait()
	}
}

// waitLocked waits until a segment and all before it are durable up to an offset, or a write or sync fails.
func (l *Log) waitLocked(s *segment, offset int64) error {
	failures := l.failures
	s.want = max(s.want, offset)
	for !l.durableLocked(s, offset) {
		switch {
		case l.final != nil:
			return l.final
		case l.failures != failures:
			return l.failure
		case l.state == exited:
			return ErrClosed
		}
		l.retry = l.retry || l.stuck
		l.rouseLocked(working)
		l.changed.Wait()
	}
	return nil
}

func (l *Log) durableLocked(s *segment, offset int64) bool {
	return s.synced >= offset && (len(l.queue) == 0 || l.queue[0].number >= s.number)
}
