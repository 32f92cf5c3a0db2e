package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/wal"
)

const scriptSteps = 130

// upkeep is what the script does beside writing.
func (j *journal) upkeep(store *DB, step int) {
	ctx := context.Background()
	var err error
	switch step {
	case 20, 100:
		err = store.Sync()
	case 40:
		err = store.Flush(ctx)
	case 60, 120:
		err = store.Compact(ctx, Range{})
	case 70:
		err = store.Compact(ctx, Range{Lower: []byte("k10"), Upper: []byte("k20")})
	default:
		return
	}
	if err == nil {
		j.allDurable()
	} else {
		j.failed = append(j.failed, err)
	}
}

// TestEachOperationFails runs the script while the n-th file operation fails, once or it and all later ones, with
// EIO or ENOSPC, for all n. Nothing panics or hangs, nothing that is read is wrong, writes go on when the cause is
// gone, and no write that was acknowledged as synced is lost by a kill or a power cut (IOE-01, IOE-02, CON-04).
func TestEachOperationFails(t *testing.T) {
	operations := operationsOfScript(t)
	step := int64(1)
	if testing.Short() {
		step = 1 + operations/20
	}
	for n := int64(1); n <= operations && !t.Failed(); n += step {
		// Background work shifts the operations, so that each meets both causes in time.
		once, forGood := syscall.EIO, syscall.ENOSPC
		if n/step%2 == 0 {
			once, forGood = forGood, once
		}
		runWithFault(t, fmt.Sprintf("operation %d fails once with %v", n, once), once, fsys.FailNth(n, once), true)
		runWithFault(t, fmt.Sprintf("all fail from operation %d on with %v", n, forGood), forGood, fsys.FailFrom(n, forGood), false)
	}
}

// operationsOfScript is about how many operations the script takes after Open; background work makes it vary.
func operationsOfScript(t *testing.T) int64 {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault)
	before := fault.Calls()
	new(journal).script(store, scriptSteps, func(int) {})
	check(t, store.Close())
	if n := fault.Calls() - before; n > 100 {
		return n
	}
	t.Fatal("the script does hardly anything")
	return 0
}

func runWithFault(t *testing.T, what string, cause error, hook fsys.Hook, passes bool) {
	t.Helper()
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	store := openStore(t, fault)
	fault.SetHook(func(op fsys.Op, name string) error {
		err := hook(op, name)
		if err != nil && op == fsys.OpSync {
			disk.ForgetUnsynced(name) // as systems do: a second sync would succeed and save nothing
		}
		return err
	})
	var j journal
	within(t, what, func() {
		j.script(store, scriptSteps, func(step int) {
			if step%10 == 0 {
				readUnderFault(t, what, store, &j, cause)
			}
		})
	})
	for _, err := range j.failed {
		if !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "siftdb: ") {
			t.Errorf("%s: a call gives %v", what, err)
		}
	}
	for _, w := range j.writes {
		if w.answer == pending {
			t.Errorf("%s: a write has no answer", what)
		}
	}
	if passes {
		fault.SetHook(nil)
		writesGoOn(t, what, store, &j)
	}
	images := map[string]*fsys.Mem{
		"killed": disk.Clone(), "power cut": disk.CrashClone(nil), "power cut, some of it written": disk.CrashClone(rand.New(rand.NewPCG(1, uint64(len(what))))),
	}
	durable := j.durableNow()
	within(t, what+": Close", func() {
		if err := store.Close(); err == nil {
			images["closed"] = disk.CrashClone(nil)
		} else if !errors.Is(err, cause) {
			t.Errorf("%s: Close: %v", what, err)
		}
	})
	for name, image := range images {
		if name == "closed" {
			reopenAndJudge(t, what+", "+name, image, &j, len(j.writes))
		} else {
			reopenAndJudge(t, what+", "+name, image, &j, durable)
		}
	}
}

// readUnderFault reads everything, by scan and one by one: what comes is right, or the failure is told.
func readUnderFault(t *testing.T, what string, store *DB, j *journal, cause error) {
	t.Helper()
	found := make(map[string]string)
	for e, err := range store.Scan(Range{}) {
		if err != nil {
			if !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "siftdb: ") {
				t.Errorf("%s: a scan gives %v", what, err)
			}
			return
		}
		found[string(e.Key)] = string(e.Value)
	}
	if err := j.judge(found, len(j.writes)); err != nil {
		t.Errorf("%s: a scan: %v", what, err)
	}
	for i := range 40 {
		k := fmt.Sprintf("k%02d", i)
		v, err := store.Get([]byte(k))
		want, there := found[k]
		if errors.Is(err, cause) {
			continue
		}
		if (err == nil) != there || string(v) != want {
			t.Errorf("%s: %s is %.20q, %v, a scan gave %.20q", what, k, v, err, want)
		}
	}
}

// writesGoOn waits until the store takes writes again without reopening, durably; unless it was a sync of the log
// that failed, which is for good.
func writesGoOn(t *testing.T, what string, store *DB, j *journal) {
	t.Helper()
	forGood := false
	eventually(t, what+": writes go on", func() bool {
		var b Batch
		b.Put([]byte("after"), []byte("after"))
		err := j.write(store, &b, Sync) // a refused one says why
		forGood = errors.Is(err, wal.ErrSyncFailed)
		return err == nil || forGood
	})
	if forGood {
		return
	}
	if err := store.Flush(context.Background()); err != nil {
		t.Errorf("%s: afterwards Flush: %v", what, err)
	}
	j.allDurable()
}

func reopenAndJudge(t *testing.T, what string, disk *fsys.Mem, j *journal, durable int) {
	t.Helper()
	store, err := Open("store", small(disk))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	defer store.Close()
	found := content(t, store)
	if err := j.judge(found, durable); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if err := store.Put([]byte("goes on"), nil); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// TestPowerCutAtEachOperation takes what a power cut leaves before each operation of the script: reopened, it is a
// prefix of the writes with all synced ones, batches whole (WAL-04, WAL-08, SYN-01, SYN-03, SYN-04).
func TestPowerCutAtEachOperation(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	var j journal
	type cut struct {
		what    string
		disk    *fsys.Mem
		durable int
	}
	cuts := make(chan cut, 100_000)
	lock := make(chan struct{}, 1) // operations of several goroutines take turns
	every := 1
	if testing.Short() {
		every = 15
	}
	number := 0
	fault.SetHook(func(op fsys.Op, name string) error {
		lock <- struct{}{}
		defer func() { <-lock }()
		if number++; op == fsys.OpReadAt || number%every != 0 {
			return nil
		}
		what := fmt.Sprintf("seed %d, cut before operation %d, %v %s", seed, number, op, name)
		durable := j.durableNow()
		cuts <- cut{what + ", only what was synced", disk.CrashClone(nil), durable}
		cuts <- cut{what + ", some of the rest", disk.CrashClone(rng), durable}
		return nil
	})
	for range 2 {
		store := openStore(t, fault)
		j.script(store, scriptSteps, func(int) {})
		check(t, store.Close())
		j.allDurable()
	}
	close(cuts)
	n := 0
	for c := range cuts {
		if n++; n%60 == 0 {
			powerCutInRecovery(t, c.what, c.disk, &j, c.durable, rng)
		}
		reopenAndJudge(t, c.what, c.disk, &j, c.durable)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d power cuts", n)
}

// powerCutInRecovery lets the power go again, before each operation of the opening after a power cut.
func powerCutInRecovery(t *testing.T, what string, disk *fsys.Mem, j *journal, durable int, rng *rand.Rand) {
	t.Helper()
	again := disk.Clone()
	fault := fsys.NewFault(again)
	var images []*fsys.Mem
	var mu sync.Mutex
	fault.SetHook(func(op fsys.Op, _ string) error {
		if op != fsys.OpReadAt {
			mu.Lock()
			defer mu.Unlock()
			images = append(images, again.CrashClone(nil), again.CrashClone(rng))
		}
		return nil
	})
	store, err := Open("store", small(fault))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	check(t, store.Close())
	for i, image := range images {
		reopenAndJudge(t, fmt.Sprintf("%s, then again in recovery, image %d", what, i), image, j, durable)
	}
}
