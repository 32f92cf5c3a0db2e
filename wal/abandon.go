package wal

// Abandon ends a log to which nothing was appended, without an end record: as if the process had been killed. An
// opening that fails after it made its log uses it, since an ended segment would say that the one before it had
// been finished, which a crash may have kept from happening. A second call, or one after Close, returns
// ErrClosed.
func (l *Log) Abandon() error {
	l.mu.Lock()
	if l.closing {
		l.mu.Unlock()
		return ErrClosed
	}
	l.closing = true
	l.rouseLocked(working)
	l.mu.Unlock()
	<-l.exited
	return nil
}
