package db

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// everyRepair has the tests of repairs try each damage and each cut.
var everyRepair = flag.Bool("repair.all", false, "repair each damage, and cut repairs off at each file operation")

// repairStride is which of many cases are tried: one of so many.
func repairStride(usual int) int {
	switch {
	case *everyRepair:
		return 1
	case testing.Short():
		return 5 * usual
	}
	return usual
}

// mended repairs the store on disk, opens it, and holds each key against its last value: it is right, or the report
// says that something of it is lost.
func mended(t *testing.T, what string, disk FS, h history) {
	t.Helper()
	o := small(disk)
	o.NoCompaction = true
	report, err := Repair(context.Background(), "store", o)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	store, err := Open("store", o)
	if err != nil {
		t.Fatalf("%s: after the repair %v; %+v", what, err, report)
	}
	defer store.Close()
	if err := lastOf(store.Verify(context.Background())); err != nil {
		t.Errorf("%s: after the repair %v; %+v", what, err, report)
	}
	found := content(t, store)
	switch {
	case strings.Contains(what, ".sst"):
		for i := range 25 {
			k := fmt.Sprintf("k%02d", i)
			if found[k] != h.last()[k] && !isLost(&report, k) {
				t.Errorf("%s: %s is %q, want %q; %+v", what, k, found[k], h.last()[k], report)
			}
		}
	case strings.Contains(what, ".wal"):
		torn := report.Sound() // and dropped by Open
		for _, l := range report.Logs {
			torn = torn || l.Torn != ""
		}
		if !h.isPrefix(found) || fmt.Sprint(found) != fmt.Sprint(h.last()) && report.Whole() && !torn {
			t.Errorf("%s: %v, told %+v", what, found, report)
		}
	case fmt.Sprint(found) != fmt.Sprint(h.last()):
		t.Errorf("%s: %v, want %v; %+v", what, found, h.last(), report)
	}
}

// TestRepairEveryDamage flips each byte of each file of a small store, and cuts each file everywhere: the store can be
// repaired, and what is not there afterwards is told.
func TestRepairEveryDamage(t *testing.T) {
	for _, killed := range []bool{false, true} {
		h := lived(t, killed)
		n := 0
		eachDamage(t, h, nil, func(what string, disk *fsys.Mem) {
			if n++; n%repairStride(5) == 0 {
				mended(t, what, disk, h)
			}
		})
		t.Logf("killed %v: one of %d of %d damages repaired", killed, repairStride(5), n)
	}
}

// TestRepairCutOff cuts a repair off at each of its file operations, by an error that stays or passes and by the power,
// with several outcomes for what was not synced. The repair after it finds as much as one that was not cut off.
func TestRepairCutOff(t *testing.T) {
	for name, harm := range map[string]func(disk *fsys.Mem){
		"CURRENT":  func(disk *fsys.Mem) { check(t, disk.Remove("store/CURRENT")) },
		"manifest": func(disk *fsys.Mem) { check(t, disk.Remove(manifestOf(t, disk))) },
		"table": func(disk *fsys.Mem) {
			spoil(t, disk, filepath.Join("store", files(t, disk, "store", withSuffix(".sst"))[0]), flipAt(100))
		},
		"log": func(disk *fsys.Mem) {
			log := files(t, disk, "store", withSuffix(".wal"))[0]
			spoil(t, disk, filepath.Join("store", log), func(b []byte) []byte { return flipAt(len(b) / 2)(b) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			damaged, _ := grown(t, false)
			harm(damaged)
			direct := damaged.Clone()
			repaired(t, direct)
			want := wantSound(t, name, direct)
			points, outcomes := 0, 0
			for _, n := range cutsOf(t, damaged) {
				for what, hook := range map[string]fsys.Hook{
					"stays": fsys.FailFrom(n, syscall.EIO), "passes": fsys.FailNth(n, syscall.EIO),
				} {
					disk := damaged.Clone()
					fault := fsys.NewFault(disk)
					fault.SetHook(hook)
					_, err := Repair(context.Background(), "store", small(fault))
					if err != nil && !errors.Is(err, syscall.EIO) || err == nil && what == "stays" {
						t.Fatalf("cut at %d by a failure that %s: %v", n, what, err)
					}
					points++
					left := []*fsys.Mem{disk.Clone()}
					if what == "stays" {
						left = append(left, disk.CrashClone(nil), disk.CrashClone(rand.New(rand.NewPCG(1, uint64(n)))))
					}
					for i, disk := range left {
						outcomes++
						what := fmt.Sprintf("cut at %d by a failure that %s, outcome %d", n, what, i)
						report := repaired(t, disk)
						wantSame(t, what, wantSound(t, what, disk), want)
						if t.Failed() {
							t.Fatalf("%+v", report)
						}
					}
				}
			}
			t.Logf("%d points, %d outcomes", points, outcomes)
		})
	}
}

// cutsOf are the numbers of the operations at which a repair is cut off: of those that change something all, but with
// -short, and some of the others.
func cutsOf(t *testing.T, damaged *fsys.Mem) (cuts []int64) {
	t.Helper()
	fault := fsys.NewFault(damaged.Clone())
	n, changes := int64(0), 0
	fault.SetHook(func(op fsys.Op, _ string) error {
		n++
		switch op {
		case fsys.OpOpen, fsys.OpReadAt, fsys.OpClose, fsys.OpList, fsys.OpStat, fsys.OpLock:
			if n%int64(repairStride(41)) == 0 {
				cuts = append(cuts, n)
			}
		default:
			if changes++; changes%min(3, repairStride(1)) == 0 {
				cuts = append(cuts, n)
			}
		}
		return nil
	})
	_, err := Repair(context.Background(), "store", small(fault))
	check(t, err)
	return cuts
}
