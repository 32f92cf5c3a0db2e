package db

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"siftdb/internal/fsys"
)

var (
	crashAll = flag.Bool("crash.all", false,
		"TestPowerCutAtEachOperation cuts at every operation, and again at every operation of every recovery")
	crashSeed = flag.Uint64("crash.seed", 0, "seed of what power cuts leave; 0: a new one each run")
)

// TestPowerCutAtEachOperation cuts the power before each file operation of a store's lives, with several outcomes for
// what was not synced, and again before each operation of the recovery from that. Reopened, a store holds a prefix of
// the writes with all synced ones, batches whole; its filters deny nothing; and it goes on (WAL-04, WAL-08, SYN-01,
// SYN-03, SYN-04).
func TestPowerCutAtEachOperation(t *testing.T) {
	c := newCutter(t)
	disk := fsys.NewMem()
	for life, how := range []struct {
		slow time.Duration // each operation on a table, so that memtables queue up
		end  func(*cutter, *DB, *fsys.Mem) *fsys.Mem
	}{
		{0, (*cutter).close},
		{200 * time.Microsecond, (*cutter).kill},
		{0, (*cutter).kill},
		{200 * time.Microsecond, (*cutter).close},
	} {
		c.life = fmt.Sprintf("-crash.seed=%d, life %d", c.seed, life)
		disk = how.end(c, c.live(disk, how.slow), disk)
		if t.Failed() {
			return
		}
	}
	c.report()
}

// cutter cuts the power of a disk at the operations of a store on it, and judges what is left.
type cutter struct {
	t        *testing.T
	seed     uint64
	rng      *rand.Rand
	life     string
	j        journal
	mu       sync.Mutex // operations take turns
	first    cuts
	again    cuts                         // in recoveries
	recovers int                          // of so many different outcomes one is recovered from with cuts
	judged   map[uint64]map[string]string // what images came to hold, by their sum
	contents map[string]map[string]string // one of each, by its last write
}

// cuts says how the power is cut, and counts.
type cuts struct {
	every int // of so many operations one is cut at; which ones, chance says
	dice  int // outcomes by chance at each

	operations, points, outcomes, different int
	kinds                                   map[string]int // points, by what would have come next
}

func newCutter(t *testing.T) *cutter {
	c := &cutter{t: t, seed: *crashSeed}
	c.judged, c.contents = make(map[uint64]map[string]string), make(map[string]map[string]string)
	if c.seed == 0 {
		c.seed = rand.Uint64()
	}
	c.rng = rand.New(rand.NewPCG(c.seed, 0))
	switch {
	case *crashAll:
		c.first, c.again, c.recovers = cuts{every: 1, dice: 8}, cuts{every: 1, dice: 2}, 1
	case testing.Short():
		c.first, c.again, c.recovers = cuts{every: 20, dice: 1}, cuts{every: 2, dice: 1}, 50
	default:
		c.first, c.again, c.recovers = cuts{every: 7, dice: 1}, cuts{every: 1, dice: 1}, 80
	}
	c.first.kinds, c.again.kinds = make(map[string]int), make(map[string]int)
	c.first.operations, c.again.operations = c.rng.IntN(c.first.every), c.rng.IntN(c.again.every)
	return c
}

// live opens the store and runs the script on it.
func (c *cutter) live(disk *fsys.Mem, slow time.Duration) *DB {
	fault := fsys.NewFault(disk)
	pause := fsys.Slow(slow)
	fault.SetHook(func(op fsys.Op, name string) error {
		if slow > 0 && strings.HasSuffix(name, ".sst") {
			pause(op, name)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.before(moment{&c.first, disk, c.life, c.j.durableNow()}, op, name)
		return nil
	})
	store := openStore(c.t, fault)
	found := content(c.t, store)
	if err := c.j.settle(found); err != nil {
		c.t.Fatalf("%s: %v", c.life, err)
	}
	c.j.script(store, func(int) {})
	return store
}

// close ends a life by Close.
func (c *cutter) close(store *DB, disk *fsys.Mem) *fsys.Mem {
	check(c.t, store.Close())
	c.j.allDurable()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut(moment{&c.first, disk, c.life + ", closed", c.j.durableNow()})
	return disk
}

// kill ends a life as the death of the process does: its buffers are lost, and what the system has is kept.
func (c *cutter) kill(store *DB, disk *fsys.Mem) *fsys.Mem {
	killed := disk.Clone()
	check(c.t, store.Close())
	return killed
}

// moment is when the power may be cut: in the lives or in a recovery, with so many writes promised to be durable.
type moment struct {
	at      *cuts
	disk    *fsys.Mem
	what    string
	durable int
}

// before cuts the power before an operation. Those that change nothing are passed over: what a cut before them leaves,
// one before the next that does leaves too, when at least as much has been promised.
func (c *cutter) before(m moment, op fsys.Op, name string) {
	switch op {
	case fsys.OpReadAt, fsys.OpStat, fsys.OpList, fsys.OpOpen, fsys.OpClose:
		return
	}
	if m.at.operations++; m.at.operations%m.at.every != 0 || c.t.Failed() {
		return
	}
	m.at.kinds[op.String()+" "+fileKind(name)]++
	m.what = fmt.Sprintf("%s, cut before operation %d, %v %s", m.what, m.at.operations, op, name)
	c.cut(m)
}

// cut judges what a power cut now may leave.
func (c *cutter) cut(m moment) {
	m.at.points++
	outcomes := []fsys.PowerCut{{}, {Names: fsys.All}, {Data: fsys.All}, {Names: fsys.All, Data: fsys.All}}
	for range m.at.dice {
		outcomes = append(outcomes, fsys.PowerCut{Names: fsys.Some, Data: fsys.Some, Rand: c.rng})
	}
	what := m.what
	for i, outcome := range outcomes {
		m.at.outcomes++
		m.what = fmt.Sprintf("%s, outcome %d", what, i)
		c.judge(m, m.disk.Cut(outcome))
	}
}

// judge opens an image, unless an equal one was opened before, and compares what it holds with the journal. Of the
// different ones, some are then recovered from with cuts.
func (c *cutter) judge(m moment, image *fsys.Mem) {
	sum := imageSum(image)
	found, known := c.judged[sum]
	if !known {
		m.at.different++
		var err error
		if found, err = revived(image.Clone()); err != nil {
			c.t.Errorf("%s: %v", m.what, err)
			return
		}
		found = c.shared(found)
		c.judged[sum] = found
	}
	if err := c.j.judge(found, m.durable); err != nil {
		c.t.Errorf("%s: %v", m.what, err)
	}
	if !known && m.at == &c.first && m.at.different%c.recovers == 0 {
		m.at, m.disk = &c.again, image
		c.recover(m)
	}
}

// shared is an equal content that is held already, or found itself.
func (c *cutter) shared(found map[string]string) map[string]string {
	last := found["marker"]
	if held, there := c.contents[last]; there && maps.Equal(held, found) {
		return held
	}
	c.contents[last] = found
	return found
}

// recover opens an image and lets the power go before each operation of that.
func (c *cutter) recover(m moment) {
	m.what += "; in recovery from it"
	fault := fsys.NewFault(m.disk)
	var mu sync.Mutex
	fault.SetHook(func(op fsys.Op, name string) error {
		mu.Lock()
		defer mu.Unlock()
		c.before(m, op, name)
		return nil
	})
	store, err := Open("store", small(fault))
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		c.t.Errorf("%s: %v", m.what, err)
	}
}

// report says how much was tried.
func (c *cutter) report() {
	c.t.Logf("-crash.seed=%d, %d writes", c.seed, len(c.j.writes))
	for what, at := range map[string]*cuts{"lives": &c.first, "recoveries": &c.again} {
		c.t.Logf("%s: %d operations, cut at %d, %d outcomes, %d of them different", what, at.operations, at.points,
			at.outcomes, at.different)
		for _, kind := range slices.Sorted(maps.Keys(at.kinds)) {
			c.t.Logf("%s: %5d cuts before %s", what, at.kinds[kind], kind)
		}
	}
}

// fileKind is what a name of the store's directory stands for.
func fileKind(name string) string {
	switch base := filepath.Base(name); filepath.Ext(base) {
	case ".sst":
		return "table"
	case ".wal":
		return "log"
	default:
		return strings.TrimRight(base, "-0123456789")
	}
}
