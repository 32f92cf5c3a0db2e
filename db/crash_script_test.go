package db

import (
	"bytes"
	"context"
	"fmt"

	"siftdb/bloom"
)

// scriptSteps is how long the script is.
const scriptSteps = 130

// script is a small store's working day, the same each time: writes of all kinds, with upkeep between them. Errors of
// the store do not stop it. Between the steps it calls pause.
func (j *journal) script(store *DB, pause func(step int)) {
	for step := range scriptSteps {
		var b Batch
		for i := range 1 + step%4 {
			k := fmt.Appendf(nil, "k%02d", (step*7+i*3)%40)
			if (step+i)%5 == 0 {
				b.Delete(k)
			} else {
				b.Put(k, bytes.Repeat([]byte{byte('a' + step%26)}, 100+step%200))
			}
		}
		when := NoSync
		if step%6 == 0 {
			when = Sync
		}
		j.write(store, &b, when)
		j.upkeep(store, step)
		pause(step)
	}
}

// upkeep is what the script does beside writing.
func (j *journal) upkeep(store *DB, step int) {
	ctx := context.Background()
	switch step {
	case 20, 100:
		j.saved(store.Sync())
	case 40, 85:
		j.saved(store.Flush(ctx))
	case 60, 120:
		j.saved(store.Compact(ctx, Range{}))
	case 70:
		j.saved(store.Compact(ctx, Range{Lower: []byte("k10"), Upper: []byte("k20")}))
	case 45, 90:
		j.noteFailure(store.LoadFilters(ctx))
	case 50:
		j.noteFailure(store.RebuildFilters(ctx, bloom.Ribbon(8)))
	case 80:
		j.noteFailure(store.SetBitsPerKey(4))
	case 95:
		j.noteFailure(store.RebuildFilters(ctx, bloom.Classic(6)))
	case 110:
		j.noteFailure(store.SetFilterMemory(1000))
	}
}

// saved notes the answer of a call that makes all earlier writes durable.
func (j *journal) saved(err error) {
	if err == nil {
		j.allDurable()
	}
	j.noteFailure(err)
}

func (j *journal) noteFailure(err error) {
	if err == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failed = append(j.failed, err)
}
