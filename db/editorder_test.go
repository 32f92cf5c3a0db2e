package db

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

// TestEditsComeInOneOrder has many writers, four compactions and calls of Compact change the store at once, and cuts
// the power now and then: the manifest that is left replays, one edit on top of the other, without a table added twice
// or removed where it is not, every table that it names is there, and no write is torn (WAL-10).
func TestEditsComeInOneOrder(t *testing.T) {
	cuts := 60
	if testing.Short() {
		cuts = 10
	}
	const writers, keysEach = 8, 40
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.Workers, o.LevelRatio = 4, 2 })
	var stop atomic.Bool
	var working sync.WaitGroup
	for w := range writers {
		working.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(w)))
			for round := 0; !stop.Load(); round++ {
				var b Batch
				for i := range keysEach {
					b.Put(fmt.Appendf(nil, "key%03d.%d", i, w), filled(fmt.Sprint(round), 20+rng.IntN(100), ""))
				}
				if err := store.Apply(&b, NoSync); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	working.Go(func() {
		rng := rand.New(rand.NewPCG(seed, writers))
		for !stop.Load() {
			from := fmt.Appendf(nil, "key%03d", rng.IntN(keysEach))
			if err := store.Compact(context.Background(), Range{Lower: from}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	rng := rand.New(rand.NewPCG(seed, 99))
	edits := uint64(0)
	for cut := range cuts {
		next := edits + 1 + uint64(rng.IntN(8))
		eventually(t, "edits of the manifest", func() bool { return store.lastEdit.Load() >= next || t.Failed() })
		left := disk.CrashClone(rand.New(rand.NewPCG(seed, uint64(100+cut))))
		if cut%2 == 0 {
			left = disk.Clone() // the process is killed
		}
		edits = wholeAfterCut(t, left, keysEach)
		if t.Failed() {
			break
		}
	}
	stop.Store(true)
	within(t, "the writers' end", working.Wait)
	if m := store.Metrics(); m.Compactions == 0 {
		t.Error("nothing was compacted: the test is too weak")
	}
}

// wholeAfterCut opens what is left of the store, and gives the number of its manifest's last edit.
func wholeAfterCut(t *testing.T, left *fsys.Mem, keysEach int) (edits uint64) {
	t.Helper()
	loaded, err := manifest.Load(left, "store") // applies each edit to the version before it
	check(t, err)
	edits = loaded.State().EditNumber
	check(t, loaded.Close())
	store := openStore(t, left)
	defer store.Close()
	rounds := make(map[byte]string) // of each writer
	count := 0
	for e, err := range store.Scan(Range{}) {
		check(t, err)
		w := e.Key[len(e.Key)-1]
		round, _, _ := strings.Cut(string(e.Value), ".")
		if before, there := rounds[w]; there && before != round {
			t.Fatalf("writer %c: %q is of round %s, others of round %s", w, e.Key, round, before)
		}
		rounds[w] = round
		count++
	}
	if count != len(rounds)*keysEach {
		t.Fatalf("%d keys of %d writers", count, len(rounds))
	}
	check(t, lastOf(store.Verify(context.Background())))
	return edits
}
