package wal

import (
	"fmt"
	"io"
	"time"
)

const (
	// linger is how long a few bytes wait for company before they are written.
	linger = 5 * time.Millisecond
	// After the time of quiet without a write, no memory is held for the next ones.
	quiet = time.Second
)

// state is what the writer is about, in rising order of haste. Who wants more haste raises it and wakes the
// writer; only the writer lowers it, when it has found nothing to do.
type state uint8

const (
	idle      state = iota // asleep until it is woken
	lingering              // asleep until it is woken or the time is over
	working                // it will look at everything before it sleeps again
	exited                 // its goroutine has ended
)

// rouseLocked makes the writer look.
func (l *Log) rouseLocked(to state) {
	if l.state >= to {
		return
	}
	l.state = to
	select {
	case l.wake <- struct{}{}:
	default: // it has not taken the last word yet
	}
}

// run is the writer's goroutine. Close ends it and waits for it.
func (l *Log) run() {
	defer close(l.exited)
	timer := time.NewTimer(linger)
	defer timer.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for l.stepLocked() {
		}
		if l.closing && l.stuck && l.lastTry {
			l.lastTry, l.retry = false, true
			continue
		}
		if l.closing {
			l.exitLocked()
			return
		}
		l.sleepLocked(timer)
	}
}

// stepLocked does the next thing that is due, in this order, and reports false when nothing is:
//
//	write   what is pending in the oldest segment
//	sync    when somebody waits for it, or the segment is sealed
//	end     add the end record to a sealed segment of which everything is durable; write and sync it as above
//	finish  close a sealed segment, and turn to the next
//
// It lets go of the mutex while it calls the file.
func (l *Log) stepLocked() bool {
	if len(l.queue) == 0 || l.final != nil || l.stuck && !l.retry {
		return false
	}
	s := l.queue[0]
	switch {
	case len(s.writing) > 0 || len(s.pending) > 0 && l.dueLocked(s):
		l.writeLocked(s)
	case s.written > s.synced && (s.sealed || s.want > s.synced):
		l.syncLocked(s)
	case s.sealed && !s.ended:
		l.waiting += s.appendEnd(l.followerLocked())
	case s.sealed:
		l.finishLocked(s)
	default:
		return false
	}
	return true
}

// followerLocked is the number of the segment after the oldest in the queue; 0 when the log is being closed.
func (l *Log) followerLocked() uint64 {
	if len(l.queue) < 2 {
		return 0
	}
	return l.queue[1].number
}

// dueLocked says whether pending bytes are to be written now.
func (l *Log) dueLocked(s *segment) bool {
	return l.waiting >= flushSize || l.overdue || s.sealed || s.want > s.written
}

func (l *Log) writeLocked(s *segment) {
	if len(s.writing) == 0 {
		s.writing, s.pending, s.reached = s.pending, nil, 0
		if !s.sealed {
			s.pending, l.spare = l.spare, nil
		}
	}
	l.retry = false
	bytes, at := s.writing, s.written
	l.mu.Unlock()
	n, err := s.file.WriteAt(bytes, at)
	l.mu.Lock()
	if err == nil && n < len(bytes) {
		err = io.ErrShortWrite
	}
	if err != nil {
		s.reached = max(s.reached, n)
		l.failedLocked(fmt.Errorf("siftdb: log cannot be written: %w", err))
		return
	}
	s.written += int64(len(bytes))
	s.writing = nil
	l.waiting -= int64(len(bytes))
	l.stuck = false
	l.overdue = false
	l.putAwayLocked(bytes)
	l.changed.Broadcast()
}

// failedLocked tells all who wait, and takes back the group of a waiting AppendSync before anybody can have it
// written after all.
func (l *Log) failedLocked(err error) {
	l.failure = err
	l.failures++
	l.withdrawLocked()
	l.stuck = l.waiting > 0
	l.changed.Broadcast()
}

func (l *Log) withdrawLocked() {
	u := &l.unsettled
	if u.segment == nil || u.withdrawn {
		return
	}
	s := u.segment
	end := s.end
	if u.withdrawn = s.withdraw(u.start); !u.withdrawn {
		return
	}
	l.waiting -= end - u.start
	if len(s.writing) == 0 { // it was all that the writer had in hand
		l.putAwayLocked(s.writing)
		s.writing = nil
	}
}

func (l *Log) syncLocked(s *segment) {
	to := s.written
	l.mu.Unlock()
	err := s.file.Sync()
	l.mu.Lock()
	if err != nil {
		l.final = fmt.Errorf("%w: %w", ErrSyncFailed, err)
		l.withdrawLocked()
	} else {
		s.synced = to
	}
	l.changed.Broadcast()
}

func (l *Log) finishLocked(s *segment) {
	l.mu.Unlock()
	err := s.file.Close()
	l.mu.Lock()
	if err != nil && l.closeErr == nil {
		l.closeErr = fmt.Errorf("siftdb: log segment: %w", err)
	}
	s.drop()
	l.queue = l.queue[1:]
	l.changed.Broadcast()
}

// exitLocked closes what was not finished, and gives all memory back.
func (l *Log) exitLocked() {
	for _, s := range l.queue {
		_ = s.file.Close() // why it was not finished is the error that counts
		s.drop()
	}
	l.shrinkLocked()
	l.state = exited
	l.changed.Broadcast()
}

// sleepLocked waits to be woken; with bytes pending no longer than the time of linger, and without until it is
// time to give back memory.
func (l *Log) sleepLocked(timer *time.Timer) {
	var over <-chan time.Time
	l.state = idle
	rests := l.waiting == 0 || l.stuck || l.final != nil
	switch {
	case !rests:
		l.state = lingering
		timer.Reset(linger)
		over = timer.C
	case l.spareLocked() > 0:
		timer.Reset(quiet)
		over = timer.C
	}
	l.mu.Unlock()
	select {
	case <-l.wake:
		l.mu.Lock()
	case <-over:
		l.mu.Lock()
		if rests {
			l.shrinkLocked()
		} else {
			l.overdue = true
		}
	}
}
