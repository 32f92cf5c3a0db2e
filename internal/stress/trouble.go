package stress

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"siftdb/internal/fsys"
)

// trouble is what happens to file operations in a round, and when: from begins after the store was opened, for lasts.
type trouble struct {
	kind   troubleKind
	begins time.Duration // below 0: while the store is being opened
	lasts  time.Duration
}

func (t trouble) String() string {
	return fmt.Sprintf("%s from %v for %v", t.kind.name, t.begins, t.lasts)
}

// troubleKind is which operations fail, how often and with what.
type troubleKind struct {
	name  string
	err   syscall.Errno
	every int // one in so many of the operations fails; 1: all
	ops   []fsys.Op
	part  bool // of a write gets through
	// heals says that the store takes writes again when the trouble is over. After a failed sync it must not.
	heals bool
}

var troubles = []troubleKind{
	{name: "disk full", err: syscall.ENOSPC, every: 1, ops: []fsys.Op{fsys.OpCreate, fsys.OpWriteAt, fsys.OpMkdirAll},
		part: true, heals: true},
	{name: "writes fail", err: syscall.EIO, every: 5, ops: []fsys.Op{fsys.OpWriteAt}, part: true, heals: true},
	{name: "reads fail", err: syscall.EIO, every: 10, ops: []fsys.Op{fsys.OpReadAt}, heals: true},
	{name: "too many files", err: syscall.EMFILE, every: 2, ops: []fsys.Op{fsys.OpOpen, fsys.OpCreate}, heals: true},
	{name: "no renames, no removals", err: syscall.EACCES, every: 2, ops: []fsys.Op{fsys.OpRename, fsys.OpRemove},
		heals: true},
	{name: "syncs fail", err: syscall.EIO, every: 20, ops: []fsys.Op{fsys.OpSync, fsys.OpSyncDir}},
	{name: "all fails now and then", err: syscall.EIO, every: 200, ops: anyOperation},
	{name: "all fails", err: syscall.EIO, every: 1, ops: anyOperation},
}

// anyOperation is all that can fail but taking the lock.
var anyOperation = []fsys.Op{fsys.OpCreate, fsys.OpOpen, fsys.OpReadAt, fsys.OpWriteAt, fsys.OpSync, fsys.OpClose,
	fsys.OpRename, fsys.OpRemove, fsys.OpSyncDir, fsys.OpList, fsys.OpStat, fsys.OpMkdirAll}

// drawTrouble draws a trouble that is over before a round of that length ends.
func drawTrouble(rng *rand.Rand, round time.Duration) trouble {
	t := trouble{kind: pick(rng, troubles...), begins: time.Duration(rng.Int64N(int64(round/2 + 1)))}
	t.lasts = time.Duration(rng.Int64N(int64(round/2 + 1)))
	if rng.IntN(6) == 0 {
		t.begins = -1
	}
	return t
}

// injected is the error of an operation that failed on purpose.
type injected struct{ errno syscall.Errno }

func (e *injected) Error() string { return "injected: " + e.errno.Error() }

func (e *injected) Unwrap() error { return e.errno }

// saboteur makes the operations of a round fail.
type saboteur struct {
	trouble trouble
	begun   atomic.Bool
	failed  atomic.Int64 // operations
	calls   atomic.Int64
}

// hook fails one in so many of the operations that the trouble is about, whichever they are.
func (s *saboteur) hook(op fsys.Op, _ string) error {
	if !slices.Contains(s.trouble.kind.ops, op) {
		return nil
	}
	n := s.calls.Add(1)
	if n%int64(s.trouble.kind.every) != 0 {
		return nil
	}
	s.failed.Add(1)
	err := &injected{s.trouble.kind.err}
	if s.trouble.kind.part && op == fsys.OpWriteAt {
		return &fsys.ShortWrite{N: int(n*7919) % 4096, Err: err}
	}
	return err
}
