package db

import (
	"errors"
	"sync"
	"time"

	"siftdb/internal/commit"
	"siftdb/internal/key"
	"siftdb/wal"
)

// committer puts writes in order. Whoever comes while nobody commits becomes the leader and takes along all who
// have queued up since: one log record, one sync, one step of the visible sequence number for the whole group.
// Then it hands the lead to the first who came meanwhile.
type committer struct {
	mu      sync.Mutex
	queue   []*request
	leading bool
	closed  bool

	done sync.Pool // of *request

	// The leader's own:
	record []byte // the log record of a group, kept for its memory
	group  []*request
	paced  pacer
	delay  syncDelay
}

// request is one call that waits for its turn.
type request struct {
	ops        []byte // writes, as commit.AppendWrite makes them
	count      int
	durability durability
	alone      func() error // instead of writes: what to do while nobody commits

	err  error
	turn chan bool // true: lead; false: done, see err
}

// request is a request to fill in: one that an earlier write is done with, so that a put does not allocate.
func (c *committer) request() *request {
	if r, ok := c.done.Get().(*request); ok {
		return r
	}
	return &request{turn: make(chan bool, 1)}
}

// groupBytes bounds what one leader takes along, so that the first of a group does not wait for ever.
const groupBytes = 1 << 20

// commit carries out r, together with others or by itself, and returns when it is done.
func (db *DB) commit(r *request) error {
	c := &db.commits
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return ErrClosed
	}
	c.queue = append(c.queue, r)
	if !c.leading {
		c.leading = true
		c.mu.Unlock()
		return db.lead(r)
	}
	c.mu.Unlock()
	if lead := <-r.turn; lead {
		return db.lead(r)
	}
	return r.err
}

// lead commits the group that r, the first in the queue, leads.
func (db *DB) lead(r *request) error {
	c := &db.commits
	if r.durability == durable && r.alone == nil {
		c.delay.wait(c.queued)
	}
	var err error
	switch open := c.takeGroup(); {
	case !open: // it was in the queue when Close came by
		err = ErrClosed
	case r.alone != nil:
		err = r.alone()
	default:
		err = db.commitGroup(c.group)
	}
	for _, member := range c.group {
		if member != r {
			member.err = err
			member.turn <- false
		}
	}
	clear(c.group)
	c.passLead()
	return err
}

// takeGroup moves what can be committed at once from the head of the queue to the group, and says whether the
// store is open.
func (c *committer) takeGroup() (open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, bytes := 1, len(c.queue[0].ops)
	if c.queue[0].alone == nil {
		for n < len(c.queue) && c.queue[n].alone == nil && bytes+len(c.queue[n].ops) <= groupBytes {
			bytes += len(c.queue[n].ops)
			n++
		}
	}
	c.group = append(c.group[:0], c.queue[:n]...)
	rest := copy(c.queue, c.queue[n:])
	clear(c.queue[rest:])
	c.queue = c.queue[:rest]
	return !c.closed
}

// queued is how many wait for their turn, the leader of a group that is not taken yet among them.
func (c *committer) queued() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue)
}

// passLead makes the first in the queue the leader.
func (c *committer) passLead() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		c.leading = false
		return
	}
	c.queue[0].turn <- true
}

// alone runs fn while nobody commits.
func (db *DB) alone(fn func() error) error {
	return db.commit(&request{alone: fn, turn: make(chan bool, 1)})
}

// commitGroup writes a group to the log and the memtable and makes it visible: all of it, or nothing. A group whose
// outcome is undetermined is visible if the log goes on with it.
func (db *DB) commitGroup(group []*request) error {
	c := &db.commits
	if err := db.makeRoom(); err != nil {
		return err
	}
	first := db.sequence() + 1
	c.record = commit.AppendHeader(c.record[:0], first)
	count, when := 0, buffered
	for _, r := range group {
		c.record = append(c.record, r.ops...)
		count += r.count
		if r.durability == durable {
			when = durable
		}
	}
	err := db.appendToLog(c.record, when)
	if err != nil && !comesYet(err) {
		return err
	}
	db.view.Load().mem.apply(commit.Group{First: first, Count: count, Writes: c.record[commit.HeaderSize:]})
	db.visible.Add(uint64(count))
	db.stats.commits.Add(1)
	db.stats.writes.Add(int64(count))
	db.stats.logBytes.Add(int64(len(c.record)))
	db.pace(len(c.record))
	if cap(c.record) > 4*groupBytes {
		c.record = nil
	}
	return err
}

// apply adds the writes of a group.
func (m *memTable) apply(g commit.Group) {
	for seq, w := range g.All() {
		m.Add(key.Make(w.Key, seq, w.Kind), w.Value)
	}
}

func (db *DB) appendToLog(record []byte, when durability) error {
	write := db.log.Append
	if when == durable {
		write = db.syncedAppend
	}
	if err := write(record); err != nil {
		return logFailure(err)
	}
	return nil
}

// syncedAppend is AppendSync of the log, of which the next leader learns how long it took and for how many.
func (db *DB) syncedAppend(record []byte) error {
	c := &db.commits
	start := time.Now()
	err := db.log.AppendSync(record)
	c.delay.synced(len(c.group), c.queued(), time.Since(start))
	return err
}

// comesYet says of a failed append that the log has the group all the same and goes on: it comes before all later
// ones, so that its sequence numbers are used. After a failed sync there are no later ones.
func comesYet(err error) bool {
	return errors.Is(err, wal.ErrUndetermined) && !errors.Is(err, wal.ErrSyncFailed)
}
