package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/wal"
)

// faultPoint is one run of the script with one failure.
type faultPoint struct {
	t    *testing.T
	way  wayToFail
	n    int64
	what string
	rng  *rand.Rand
	disk *fsys.Mem

	fault *fsys.Fault
	store *DB
	j     journal
	view  *Snapshot         // taken on the way
	seen  map[string]string // what it showed then; nil: it could not be read

	mu       sync.Mutex
	first    string          // the operation that failed first
	unsynced map[string]bool // files whose sync has failed
}

func (p *faultPoint) run() {
	p.unsynced = make(map[string]bool)
	p.fault = fsys.NewFault(p.disk)
	p.store = openStore(p.t, p.fault)
	p.fault.SetHook(p.watching(p.way.fail(p.n, p.way.failure(p.way.cause, p.rng), p.way.ops...)))
	p.j.script(p.store, p.step)
	p.judgeAnswers()
	if p.way.ending == resumes {
		p.fault.SetHook(p.watching(func(fsys.Op, string) error { return nil }))
		p.goesOn()
	}
	durable := p.j.durableNow()
	images := map[string]*fsys.Mem{"killed": p.disk.Clone()}
	some := fsys.PowerCut{Names: fsys.Some, Data: fsys.Some, Rand: p.rng}
	for i, c := range []fsys.PowerCut{{}, {Names: fsys.All}, {Data: fsys.All}, some} {
		images[fmt.Sprintf("power cut %d", i)] = p.disk.Cut(c)
	}
	p.close()
	for how, image := range images {
		reopenAndJudge(p.t, p.what+", "+how, image, &p.j, durable)
	}
	// Here what a failed sync lost can still be read, until the power goes.
	reopenAndJudge(p.t, p.what+", reopened", p.disk, &p.j, durable)
}

// watching notes what fails first, has a failed sync lose what was not synced, as systems do, and tells of a second
// sync of that file, which would succeed and save nothing.
func (p *faultPoint) watching(hook fsys.Hook) fsys.Hook {
	return func(op fsys.Op, name string) error {
		err := hook(op, name)
		p.mu.Lock()
		defer p.mu.Unlock()
		if err != nil && p.first == "" {
			p.first = op.String() + " " + fileKind(name)
		}
		switch {
		case op == fsys.OpCreate:
			delete(p.unsynced, name)
		case op == fsys.OpSync && p.unsynced[name]:
			p.t.Errorf("%s: the failed sync of %s is tried again", p.what, name)
		case op == fsys.OpSync && err != nil:
			p.unsynced[name] = true
			p.disk.ForgetUnsynced(name)
		}
		return err
	}
}

// step is what is looked at between the steps of the script.
func (p *faultPoint) step(step int) {
	switch {
	case step == 35:
		p.view = p.store.Snapshot()
		p.seen = p.scan("a snapshot", p.view)
	case step == 75:
		if again := p.scan("a snapshot", p.view); p.seen != nil && again != nil && !maps.Equal(p.seen, again) {
			p.t.Errorf("%s: a snapshot shows other things later", p.what)
		}
		check(p.t, p.view.Close())
	case step%10 == 0:
		p.read()
	}
}

// read reads everything, by scan and one by one: what comes is right, or the failure is told.
func (p *faultPoint) read() {
	found := p.scan("a scan", p.store)
	if found == nil {
		return
	}
	if err := p.j.judge(found, len(p.j.writes)); err != nil {
		p.t.Errorf("%s: a scan: %v", p.what, err)
	}
	for _, keys := range [][][]byte{scriptKeys, strangeKeys} {
		for _, k := range keys {
			v, err := p.store.Get(k)
			want, there := found[string(k)]
			if err != nil && err != ErrNotFound {
				p.mayFail("a read", err)
			} else if (err == nil) != there || string(v) != want {
				p.t.Errorf("%s: %s is %.20q, %v, a scan gave %.20q", p.what, k, v, err, want)
			}
		}
	}
}

// scan returns all that from shows; nil when it cannot be read.
func (p *faultPoint) scan(what string, from Reader) map[string]string {
	found := make(map[string]string)
	for e, err := range from.Scan(Range{}) {
		if err != nil {
			p.mayFail(what, err)
			return nil
		}
		found[string(e.Key)] = string(e.Value)
	}
	return found
}

// mayFail judges the error of a read: only where operations fail that read, and with the cause.
func (p *faultPoint) mayFail(what string, err error) {
	reads := len(p.way.ops) == 0 || slices.Contains(p.way.ops, fsys.OpReadAt)
	if !reads || !errors.Is(err, p.way.cause) || !strings.HasPrefix(err.Error(), "siftdb: ") {
		p.t.Errorf("%s: %s gives %v", p.what, what, err)
	}
}

// judgeAnswers: each write was answered; who was turned away was told why, and whether the write can be there.
func (p *faultPoint) judgeAnswers() {
	for i, w := range p.j.writes {
		if w.answer == pending {
			p.t.Errorf("%s: write %d has no answer", p.what, i)
		}
		if w.err != nil && errors.Is(w.err, ErrRefused) == errors.Is(w.err, ErrUndetermined) {
			p.t.Errorf("%s: write %d: %v", p.what, i, w.err)
		}
	}
	for _, err := range p.j.failed {
		if !errors.Is(err, p.way.cause) || !strings.HasPrefix(err.Error(), "siftdb: ") {
			p.t.Errorf("%s: a call gives %v", p.what, err)
		}
	}
}

// goesOn waits until the store takes writes again without reopening, and all of it is durable; unless it was a sync of
// the log that failed, which is for good.
func (p *faultPoint) goesOn() {
	p.t.Helper()
	writesGoOn(p.t, p.what, p.store, &p.j)
	p.read()
}

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

// close ends the store. When it says that all is well, all is there.
func (p *faultPoint) close() {
	err := p.store.Close()
	if err != nil && !errors.Is(err, p.way.cause) {
		p.t.Errorf("%s: Close: %v", p.what, err)
	}
	if err == nil {
		reopenAndJudge(p.t, p.what+", closed", p.disk.CrashClone(nil), &p.j, len(p.j.writes))
	}
}

func reopenAndJudge(t *testing.T, what string, disk *fsys.Mem, j *journal, durable int) {
	t.Helper()
	found, err := revived(disk)
	if err == nil {
		err = j.judge(found, durable)
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}
