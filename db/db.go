package db

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"siftdb/compaction"
	"siftdb/internal/cache"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
	"siftdb/internal/striped"
	"siftdb/memtable"
	"siftdb/wal"
)

// DB is an open store. Several goroutines may call all its methods.
type DB struct {
	dir  string
	opts Options // with defaults filled in
	fs   fsys.FS
	lock io.Closer

	readDefaults readFlags
	writeDefault durability

	view      atomic.Pointer[view] // nil after Close
	visible   atomic.Uint64        // sequence number of the newest write that reads see
	closed    atomic.Bool
	callbacks *striped.Counter // functions of GetFunc and View running

	commits    committer
	log        *wal.Log // nil when read-only
	tables     *tables
	keeper     *keeper
	cache      *cache.Cache
	memory     *memtable.Pool // of the memtables
	stats      stats
	damage     damageLog
	iterStates sync.Pool // of *iterState

	// editMu is held from the writing of a manifest edit until its view is in place, so that edits and views
	// come in one order. It is taken before mu.
	editMu   sync.Mutex
	manifest *manifest.Store
	doubtful []*manifest.Table // of edits that may be found on disk, though they failed
	lastEdit atomic.Uint64     // number of the newest edit on disk

	nextFile atomic.Uint64 // number of the next table or manifest file

	// mu guards what follows. changed is signalled when any of it changes, and when closed does.
	mu             sync.Mutex
	changed        *sync.Cond
	views          map[*view]struct{} // those with users
	live           map[uint64]*table  // by number: the tables of all views
	obsolete       []*table           // gone from all views; the cleaner removes their files
	oldestLog      uint64             // oldest log segment that is needed
	oldLogs        []uint64           // log segments that are flushed; the cleaner removes them
	cleaning       bool               // the cleaner is removing files
	warmingUp      bool               // tables that were there at Open are brought into memory
	running        []compaction.Plan  // being carried out
	flushing       int
	manual         bool  // a call of Compact is at work
	flushErr       error // why the last flush failed; nil after one that worked
	flushFailures  int   // flushes that failed since Open
	compactErr     error
	snapshots      map[*Snapshot]struct{}
	iterators      map[*Iterator]time.Time
	unfilteredGone UnfilteredProbes                  // of tables that are gone
	levelGone      [manifest.NumLevels]FilterMetrics // counted by tables while at a level they have left

	flushNow chan struct{}   // has the flusher end its pause after a failure; holds one
	workers  sync.WaitGroup  // background goroutines
	work     context.Context // ends when Close begins
	stopWork context.CancelFunc
}
