package db

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

var (
	faultAll  = flag.Bool("fault.all", false, "TestEachOperationFails fails each operation in every way")
	faultSeed = flag.Uint64("fault.seed", 0, "seed of TestEachOperationFails; 0: a new one each run")
)

// wayToFail is how the n-th of some operations fails, and what follows from that.
type wayToFail struct {
	name    string
	cause   error
	ops     []fsys.Op // that are counted; none: all
	fail    func(n int64, err error, ops ...fsys.Op) fsys.Hook
	failure func(cause error, rng *rand.Rand) error
	ending  ending
}

// ending is what comes after the script.
type ending uint8

const (
	resumes ending = iota // nothing fails any more: the store goes on
	closes                // the store is closed while operations fail
)

func plainly(cause error, _ *rand.Rand) error { return cause }

func late(cause error, _ *rand.Rand) error { return &fsys.Late{Err: cause} }

func inPart(cause error, rng *rand.Rand) error {
	return &fsys.ShortWrite{N: rng.IntN(2000), Err: cause}
}

// flipped is no failure: the reader finds the damage.
func flipped(_ error, rng *rand.Rand) error { return &fsys.BitFlip{Bit: rng.IntN(1 << 15)} }

var (
	// changingOps are the operations that a disk refuses when it takes no writes.
	changingOps = []fsys.Op{fsys.OpCreate, fsys.OpWriteAt, fsys.OpSync, fsys.OpRename, fsys.OpRemove, fsys.OpSyncDir}
	writeOps    = []fsys.Op{fsys.OpWriteAt}
	syncOps     = []fsys.Op{fsys.OpSync, fsys.OpSyncDir}
	readOps     = []fsys.Op{fsys.OpReadAt}
)

var waysToFail = []wayToFail{
	{"fails once", syscall.EIO, nil, fsys.FailNth, plainly, resumes},
	{"and all later ones fail", syscall.ENOSPC, nil, fsys.FailFrom, plainly, resumes},
	{"and all later ones fail, Close too", syscall.EIO, nil, fsys.FailFrom, plainly, closes},
	{"fails once, after the fact", syscall.EIO, changingOps, fsys.FailNth, late, resumes},
	{"of those that write and all later ones fail", syscall.EROFS, changingOps, fsys.FailFrom, plainly, resumes},
	{"of the writes fails once, in part", syscall.ENOSPC, writeOps, fsys.FailNth, inPart, resumes},
	{"of the writes and all later ones fail, in part", syscall.ENOSPC, writeOps, fsys.FailFrom, inPart, resumes},
	{"of the syncs fails once", syscall.EIO, syncOps, fsys.FailNth, plainly, resumes},
	{"of the reads flips a bit", ErrCorrupt, readOps, fsys.FailNth, flipped, resumes},
	{"of the reads and all later ones flip a bit", ErrCorrupt, readOps, fsys.FailFrom, flipped, resumes},
}

// TestEachOperationFails runs the script while the n-th file operation fails, for all n: once, or it and all later
// ones; wholly, in part, after the fact, or so that a bit of what is read is another. Nothing panics or hangs, nothing
// that is read is wrong, refused writes name the cause, a sync that failed is not tried again, writes go on when
// nothing fails any more, and no write that was acknowledged as synced is lost by a kill or a power cut (IOE-01,
// IOE-02, IOE-03, CON-04).
func TestEachOperationFails(t *testing.T) {
	seed := *faultSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	points := int64(14)
	if testing.Short() {
		points = 5
	}
	second, before := secondLife(t)
	tally, runs := make(map[string]int), 0
	for i, way := range waysToFail {
		operations := way.operationsOfScript(t)
		step := max(1, operations/points)
		if *faultAll {
			step = 1
		}
		for n := 1 + rng.Int64N(step); n <= operations; n += step {
			p := &faultPoint{t: t, way: way, n: n, rng: rand.New(rand.NewPCG(seed, uint64(n)<<8|uint64(i)))}
			if p.disk = fsys.NewMem(); p.rng.IntN(2) == 0 {
				p.disk, p.j.base = second.Clone(), before
			}
			p.what = fmt.Sprintf("-fault.seed=%d, operation %d %s", seed, n, way.name)
			within(t, p.what, p.run)
			if t.Failed() {
				return
			}
			runs++
			tally[cmp.Or(p.first, "nothing: the script was over")]++
		}
		t.Logf("%d operations, each %d. %s", operations, step, way.name)
	}
	t.Logf("-fault.seed=%d: %d runs; what failed, or failed first:", seed, runs)
	for _, kind := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%5d of %s", tally[kind], kind)
	}
}

// secondLife is a disk with a store that was closed, with something in the log, and what it holds.
func secondLife(t *testing.T) (*fsys.Mem, map[string]string) {
	t.Helper()
	disk := fsys.NewMem()
	store := openStore(t, disk)
	new(journal).script(store, func(int) {})
	check(t, store.Delete([]byte("marker")))
	holds := content(t, store)
	check(t, store.Close())
	return disk, holds
}

// operationsOfScript is about how many operations the script takes, of those that way counts; background work makes it
// vary.
func (way wayToFail) operationsOfScript(t *testing.T) int64 {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault)
	var n atomic.Int64
	fault.SetHook(func(op fsys.Op, _ string) error {
		if len(way.ops) == 0 || slices.Contains(way.ops, op) {
			n.Add(1)
		}
		return nil
	})
	new(journal).script(store, func(int) {})
	check(t, store.Close())
	if n.Load() < 20 {
		t.Fatal("the script does hardly anything")
	}
	return n.Load()
}
