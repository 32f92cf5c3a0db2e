package cache

import "testing"

// admission is a full cache whose blocks came once and then again so many times, and blocks that come from outside.
type admission struct {
	t      *testing.T
	c      plain
	blocks uint64 // that the cache holds
}

const admissionSize = 4000

func newAdmission(t *testing.T, again int) *admission {
	const capacity = 8 << 20
	a := &admission{t, newPlain(capacity), capacity / (admissionSize + entryOverhead)}
	for range 1 + again {
		a.read(1, a.blocks)
	}
	return a
}

// read reads so many blocks of a file, and sets those that are not there.
func (a *admission) read(file, blocks uint64) {
	for i := range blocks {
		id := ID{file, i << 12}
		read(a.c, id, block(id, admissionSize))
	}
}

// held is how many of the first so many blocks of a file are there; it looks without a trace.
func (a *admission) held(file, blocks uint64) (held uint64) {
	for i := range blocks {
		if _, ok := a.c.Peek(ID{file, i << 12}); ok {
			held++
		}
	}
	return held
}

func TestScanLeavesTheHotSet(t *testing.T) {
	const size, capacity = 4000, 8 << 20
	hot := uint64(capacity / (size + entryOverhead) / 2)
	c := newPlain(capacity)
	readIn := func(id ID) bool {
		if _, ok := c.Get(id); ok {
			return true
		}
		c.Set(id, block(id, size))
		return false
	}
	for range 3 {
		for i := range hot {
			readIn(ID{1, i})
		}
	}
	for i := range uint64(20 * capacity / size) {
		readIn(ID{2, i})
	}
	kept := 0
	for i := range hot {
		if readIn(ID{1, i}) {
			kept++
		}
	}
	if kept < int(hot)*9/10 {
		t.Errorf("of %d hot blocks %d are left after a scan of 20 times the cache", hot, kept)
	}
}

// A block that comes again soon after it fell out is kept, in the place of one that came once.
func TestSecondComingIsKept(t *testing.T) {
	a := newAdmission(t, 0)
	const twice = 100
	a.read(2, twice)
	a.read(3, a.blocks) // pushes them out
	if a.held(2, twice) != 0 {
		t.Fatal("a new block outlived a scan; the test needs a longer one")
	}
	a.read(2, twice)
	a.read(4, a.blocks)
	if kept := a.held(2, twice); kept < twice*9/10 {
		t.Errorf("of %d blocks that came twice %d are left", twice, kept)
	}
}

// A block is let in over another only when it was asked for more often: two comings are not enough where the others were
// read three times, four are.
func TestABlockIsLetInWhenItWasAskedForMoreOften(t *testing.T) {
	a := newAdmission(t, 2)
	const some = 100
	for coming := 1; coming <= 5; coming++ {
		a.read(2, some)
		a.read(uint64(10+coming), a.blocks/4)
		kept := a.held(2, some)
		if coming <= 2 && kept > some/10 || coming >= 5 && kept < some*9/10 {
			t.Errorf("of %d blocks %d are there after they came %d times", some, kept, coming)
		}
	}
	if hot := a.held(1, a.blocks); hot < a.blocks*8/10 {
		t.Errorf("of %d blocks that were read three times %d are left", a.blocks, hot)
	}
}

// What was popular once makes room for what is now.
func TestPopularityAges(t *testing.T) {
	a := newAdmission(t, 10)
	for range 12 {
		a.read(2, a.blocks/2)
	}
	if now := a.held(2, a.blocks/2); now < a.blocks/2*9/10 {
		t.Errorf("of %d blocks that are read now %d are held", a.blocks/2, now)
	}
}

// Peeking leaves a cache as it is: nothing is counted, and a block that was only peeked at is the first to go.
func TestPeekLeavesNoTrace(t *testing.T) {
	a := newAdmission(t, 0)
	before := a.c.Metrics()
	for range 5 {
		if a.held(1, a.blocks) == 0 || a.held(9, a.blocks) != 0 {
			t.Fatal("peeking sees other blocks than are there")
		}
	}
	if after := a.c.Metrics(); after != before {
		t.Errorf("metrics went from %+v to %+v", before, after)
	}
	a.read(2, 100)
	a.read(3, a.blocks)
	a.read(2, 100)
	a.read(4, a.blocks)
	if kept := a.held(2, 100); kept < 90 {
		t.Errorf("of 100 blocks that came twice %d are left beside those that were only peeked at", kept)
	}
	if b, ok := (*Cache)(nil).Peek(ID{}); ok || b.Bytes != nil {
		t.Error("no cache has a block")
	}
}

// The share of reads that find their block: what admission is for. The numbers beside other caches are in doc.go.
func TestHitShares(t *testing.T) {
	reads := 500_000
	if testing.Short() {
		reads = 200_000
	}
	for name, least := range map[string]float64{"zipf": 6, "zipf and one-time reads": 7, "zipf and scans": 6, "moving": 1, "uniform": -1, "loop": 30} {
		for _, w := range workloads {
			if w.name != name {
				continue
			}
			own, plain := 100*hitShare(newPlain(cacheSize), w, reads), 100*hitShare(newLRU(cacheSize), w, reads)
			if own < plain+least {
				t.Errorf("%s: %.1f %% hits, want at least %g points more than the %.1f %% of plain LRU", name, own, least, plain)
			}
		}
	}
}
