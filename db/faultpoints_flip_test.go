package db

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"sync/atomic"
	"testing"

	"siftdb/internal/fsys"
)

// TestOpenReadsFlippedBits flips a bit of each read of an Open. It is found: Open tells of damage and changes nothing,
// or what is in the store is right. Of a log that was not ended the last records, and no others, can also be taken for
// torn; then that is reported.
func TestOpenReadsFlippedBits(t *testing.T) {
	killed, synced := crashedDisk(t)
	closed := killed.Clone()
	store := openStore(t, closed)
	check(t, store.Delete([]byte("unsynced")))
	check(t, store.Close())
	for name, image := range map[string]*fsys.Mem{"killed": killed, "closed": closed} {
		right, told, dropped := 0, 0, 0
		reads := openWithFlip(t, image.Clone(), math.MaxInt64, 0).reads
		for n := int64(1); n <= reads; n++ {
			for step := range 40 {
				bit := step * 397
				what := fmt.Sprintf("%s, read %d, bit %d", name, n, bit)
				o := openWithFlip(t, image.Clone(), n, bit)
				switch {
				case o.err != nil:
					told++
					if e, ok := errors.AsType[*CorruptionError](o.err); !ok || e.File == "" || o.changed {
						t.Errorf("%s: %v, and changed: %v", what, o.err, o.changed)
					}
				case o.dropped > 0 && name == "killed":
					dropped++
				default:
					right++
					if !maps.Equal(o.content, synced) {
						t.Errorf("%s: the content is not what it was", what)
					}
				}
			}
		}
		t.Logf("%s, %d reads: right %d times, told %d times, end of the log dropped %d times",
			name, reads, right, told, dropped)
		if told == 0 {
			t.Errorf("%s: no damage was found", name)
		}
	}
}

// flippedOpen is what an Open that read a flipped bit came to.
type flippedOpen struct {
	reads   int64
	err     error
	changed bool              // the disk, though Open failed
	dropped int64             // bytes of the log
	content map[string]string // without the one that was not synced
}

func openWithFlip(t *testing.T, disk *fsys.Mem, n int64, bit int) (o flippedOpen) {
	t.Helper()
	fault := fsys.NewFault(disk)
	before := imageSum(disk)
	flip := fsys.FailNth(n, &fsys.BitFlip{Bit: bit}, fsys.OpReadAt)
	var reads atomic.Int64
	fault.SetHook(func(op fsys.Op, name string) error {
		if op == fsys.OpReadAt {
			reads.Add(1)
		}
		return flip(op, name)
	})
	store, err := Open("store", small(fault))
	fault.SetHook(nil)
	o.reads, o.err = reads.Load(), err
	if err != nil {
		o.changed = imageSum(disk) != before
		return o
	}
	o.dropped = store.Metrics().LogDropped
	o.content = content(t, store)
	delete(o.content, "unsynced")
	check(t, store.Close())
	return o
}
