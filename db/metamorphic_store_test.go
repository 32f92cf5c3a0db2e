package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"siftdb/internal/fsys"
)

// storeSubject carries scripts out on a store, which each reopening puts under the next option set.
type storeSubject struct {
	sets      []optionSet
	set       int
	disk      *fsys.Mem
	store     *DB
	snapshots map[string]*Snapshot
	iterators map[string]*Iterator
}

func newStoreSubject(sets []optionSet, first int) (*storeSubject, error) {
	s := &storeSubject{sets: sets, set: first, disk: fsys.NewMem()}
	return s, s.start()
}

func (s *storeSubject) start() error {
	o, err := s.sets[s.set%len(s.sets)].options(s.disk)
	if err != nil {
		return err
	}
	s.snapshots, s.iterators = make(map[string]*Snapshot), make(map[string]*Iterator)
	s.store, err = Open("store", o)
	return err
}

// end closes all views and the store.
func (s *storeSubject) end() error {
	var errs []error
	for _, v := range s.snapshots {
		errs = append(errs, v.Close())
	}
	for _, v := range s.iterators {
		errs = append(errs, v.Close())
	}
	return joined(append(errs, s.store.Close()))
}

func outcome(err error) string {
	if err != nil {
		return err.Error()
	}
	return done
}

func (s *storeSubject) write(verb string, b *Batch) string {
	if verb == "batch" {
		return outcome(s.store.Apply(b))
	}
	var errs []error
	for op := range b.Ops() {
		k, v := slices.Clone(op.Key), slices.Clone(op.Value)
		if op.Kind == OpDelete {
			errs = append(errs, s.store.Delete(k))
		} else {
			errs = append(errs, s.store.Put(k, v))
		}
		scribble(k, v)
	}
	return outcome(joined(errs))
}

// in is what to read: the store, or a snapshot; nil where there is none of that name.
func (s *storeSubject) in(view string) Reader {
	if view == "" {
		return s.store
	}
	if v := s.snapshots[view]; v != nil {
		return v
	}
	return nil
}

func (s *storeSubject) read(how, key, view string, opts []ReadOption) string {
	from := s.in(view)
	if from == nil {
		return noView
	}
	var value []byte
	var err error
	switch how {
	case "has":
		there, err := from.Has([]byte(key), opts...)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(there)
	case "get":
		value, err = from.Get([]byte(key), opts...)
	case "append-get":
		value, err = from.AppendGet([]byte{}, []byte(key), opts...)
	case "get-func":
		err = from.GetFunc([]byte(key), func(v []byte) error { value = slices.Clone(v); return nil }, opts...)
	case "view-get":
		read := func(s *Snapshot) error { value, err = s.Get([]byte(key), opts...); return err }
		if v, isSnapshot := from.(*Snapshot); isSnapshot {
			err = read(v)
		} else {
			err = s.store.View(read)
		}
	}
	switch {
	case err == ErrNotFound:
		return missing
	case err != nil:
		return err.Error()
	}
	return spell(value)
}

func (s *storeSubject) scan(r Range, view string, opts []ReadOption) string {
	from := s.in(view)
	if from == nil {
		return noView
	}
	var shown strings.Builder
	for e, err := range from.Scan(r, opts...) {
		if err != nil {
			return err.Error()
		}
		shown.WriteString(entryText(string(e.Key), e.Value, r))
	}
	return shown.String()
}

func (s *storeSubject) snapshot(view string) string {
	if answer := s.vacate(view); answer != done {
		return answer
	}
	s.snapshots[view] = s.store.Snapshot()
	return done
}

func (s *storeSubject) iterator(view string, r Range, from string) string {
	reader := s.in(from)
	if reader == nil {
		return noView
	}
	if answer := s.vacate(view); answer != done {
		return answer
	}
	s.iterators[view] = reader.NewIter(r)
	scribble(r.Lower, r.Upper)
	return done
}

// vacate closes what has a name.
func (s *storeSubject) vacate(view string) string {
	if answer := s.close(view); answer != noView {
		return answer
	}
	return done
}

func (s *storeSubject) move(view, step, target string) string {
	it := s.iterators[view]
	if it == nil {
		return noView
	}
	var there bool
	switch step {
	case "first":
		there = it.First()
	case "last":
		there = it.Last()
	case "next":
		there = it.Next()
	case "prev":
		there = it.Prev()
	case "seek-ge":
		there = it.SeekGE([]byte(target))
	case "seek-lt":
		there = it.SeekLT([]byte(target))
	}
	switch {
	case it.Err() != nil:
		return it.Err().Error()
	case there != it.Valid():
		return "the move and Valid disagree"
	case !there:
		return missing
	}
	return entryText(string(it.Key()), it.Value(), it.bounds)
}

func (s *storeSubject) close(view string) string {
	if v := s.snapshots[view]; v != nil {
		delete(s.snapshots, view)
		return outcome(v.Close())
	}
	if v := s.iterators[view]; v != nil {
		delete(s.iterators, view)
		return outcome(v.Close())
	}
	return noView
}

func (s *storeSubject) upkeep(op operation) string {
	ctx := context.Background()
	number, _ := strconv.ParseFloat(op.word(1), 64)
	switch op[0] {
	case "flush":
		return outcome(s.store.Flush(ctx))
	case "compact":
		return outcome(s.store.Compact(ctx, op.bounds()))
	case "sync":
		return outcome(s.store.Sync())
	case "quiet":
		return outcome(s.quiet())
	case "verify":
		return outcome(lastOf(s.store.Verify(ctx)))
	case "bits":
		return outcome(s.store.SetBitsPerKey(number))
	case "filter-memory":
		return outcome(s.store.SetFilterMemory(int64(number)))
	case "load-filters":
		return outcome(s.store.LoadFilters(ctx))
	case "rebuild-filters":
		p, err := policyNamed(op.word(1))
		if err != nil {
			return err.Error()
		}
		return outcome(s.store.RebuildFilters(ctx, p))
	case "counters":
		return outcome(wrongCount(s.store.Metrics()))
	case "reopen":
		return outcome(s.reopen())
	case "repair":
		return outcome(s.repair())
	}
	return outcome(s.crash(uint64(number)))
}

// quiet waits for the background work, after which filters are within their limit.
func (s *storeSubject) quiet() error {
	if err := s.store.WaitQuiet(context.Background()); err != nil {
		return err
	}
	if m := s.store.Metrics(); m.FilterLimit > 0 && m.FilterBytes > m.FilterLimit {
		return fmt.Errorf("%d bytes of filters, %d are the limit", m.FilterBytes, m.FilterLimit)
	}
	return nil
}

// reopen goes on with the store closed and opened under the next option set.
func (s *storeSubject) reopen() error {
	if err := s.end(); err != nil {
		return err
	}
	s.set++
	return s.start()
}

// repair goes on, under the next option set, after a repair of the store, which is sound.
func (s *storeSubject) repair() error {
	if err := s.end(); err != nil {
		return err
	}
	report, err := Repair(context.Background(), "store", &Options{FS: s.disk})
	if err != nil {
		return err
	}
	if !report.Sound() || !report.Whole() {
		return fmt.Errorf("repair of a sound store: %+v", report)
	}
	s.set++
	return s.start()
}

// crash goes on, under the next option set, with what a power cut leaves. All writes are synced before it, so that they
// are there; of the rest of the disk, the seed says what is.
func (s *storeSubject) crash(seed uint64) error {
	if err := s.store.Sync(); err != nil {
		return err
	}
	left := s.disk.CrashClone(rand.New(rand.NewPCG(seed, 0)))
	if err := s.end(); err != nil {
		return err
	}
	s.disk = left
	s.set++
	return s.start()
}

// perform carries an operation out. A panic is an answer, too.
func perform(on subject, op operation) (answer string) {
	defer func() {
		if r := recover(); r != nil {
			answer = fmt.Sprintf("%s: %v", panicked, r)
		}
	}()
	return verbs[op[0]](on, op)
}

const panicked = "panic"

// run carries the script out on a store that begins under one of its option sets. It gives the answers up to the first
// panic, after which the store cannot be closed either.
func (s script) run(first int) (answers []string, err error) {
	on, err := newStoreSubject(s.sets, first)
	if err != nil {
		return nil, err
	}
	for _, op := range s.ops {
		answers = append(answers, perform(on, op))
		if strings.HasPrefix(answers[len(answers)-1], panicked) {
			return answers, errors.New("not closed after a panic")
		}
		if on.store == nil { // it did not open again
			return answers, nil
		}
	}
	return answers, on.end()
}

// model gives the answers that are right.
func (s script) model() (answers []string) {
	on := newModelSubject()
	for _, op := range s.ops {
		answers = append(answers, perform(on, op))
	}
	return answers
}
