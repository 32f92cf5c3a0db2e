package db

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"
)

// journal notes what a store was told and what it answered, and judges what is found in it later. Each write sets
// the key "marker" to its number, so that a content tells which writes it has.
type journal struct {
	mu      sync.Mutex
	base    map[string]string // the content before the first write
	writes  []journaled
	durable int // so many of the first writes are on disk, by what the store has said
	failed  []error
}

// newLife forgets the writes; what they have come to is the base of the next ones.
func (j *journal) newLife(content map[string]string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(content, "marker")
	j.base, j.writes, j.durable, j.failed = content, nil, 0, nil
}

// settle takes what a reopened store shows for what is durable: the writes that are not there are gone for good.
func (j *journal) settle(found map[string]string) error {
	if err := j.judge(found, j.durableNow()); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	last, err := lastWrite(found)
	if err != nil {
		return err
	}
	for i := last + 1; i < len(j.writes); i++ {
		j.writes[i].answer = refused
	}
	j.durable = len(j.writes)
	return nil
}

type journaled struct {
	batch  Batch
	answer answer
	err    error
}

type answer uint8

const (
	pending      answer = iota // not answered yet: it may happen or not
	taken                      // it returned nil
	undetermined               // it returned ErrUndetermined
	refused                    // it returned another error: it did not happen
)

// write carries out a batch on the store and notes the answer, which it returns too.
func (j *journal) write(store *DB, b *Batch, opts ...WriteOption) error {
	j.mu.Lock()
	number := len(j.writes)
	b.Put([]byte("marker"), strconv.AppendInt(nil, int64(number), 10))
	j.writes = append(j.writes, journaled{batch: *b})
	j.mu.Unlock()
	err := store.Apply(b, opts...)
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		j.failed = append(j.failed, err)
	}
	j.writes[number].err = err
	switch {
	case err == nil:
		j.writes[number].answer = taken
		if len(opts) == 0 || opts[len(opts)-1] == Sync {
			j.durable = number + 1
		}
	case errors.Is(err, ErrUndetermined):
		j.writes[number].answer = undetermined
	default:
		j.writes[number].answer = refused
	}
	return err
}

// allDurable notes that the store has made everything durable.
func (j *journal) allDurable() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.durable = len(j.writes)
}

// durableNow is the number of writes that are on disk; those after it may be.
func (j *journal) durableNow() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.durable
}

// judge says what is wrong with a content: it must be that after some write at or past the first durable ones, with
// every write before it that was taken, none that was refused, and those that are undetermined each or not.
func (j *journal) judge(found map[string]string, durable int) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	last, err := lastWrite(found)
	if err != nil {
		return err
	}
	if last >= len(j.writes) {
		return fmt.Errorf("the last write is %d, and there were %d", last, len(j.writes))
	}
	for i := last + 1; i < durable; i++ {
		if j.writes[i].answer == taken {
			return fmt.Errorf("the last write is %d, and %d was durable", last, i)
		}
	}
	if last >= 0 && j.writes[last].answer == refused {
		return fmt.Errorf("write %d was refused and is there", last)
	}
	start := maps.Clone(j.base)
	if start == nil {
		start = make(map[string]string)
	}
	if !j.explains(start, 0, last, found) {
		return fmt.Errorf("no content that write %d can leave: %.300q", last, found)
	}
	return nil
}

// lastWrite is the number of the newest write in a content; -1 when there is none.
func lastWrite(found map[string]string) (int, error) {
	m, there := found["marker"]
	if !there {
		return -1, nil
	}
	last, err := strconv.Atoi(m)
	if err != nil {
		return 0, fmt.Errorf("the marker is %q", m)
	}
	return last, nil
}

// explains says whether the writes from first to last can make found of state.
func (j *journal) explains(state map[string]string, first, last int, found map[string]string) bool {
	for i := first; i <= last; i++ {
		w := &j.writes[i]
		switch {
		case w.answer == refused:
			continue
		case w.answer != taken && i < last && j.explains(maps.Clone(state), i+1, last, found): // as if it had not been
			return true
		}
		for op := range w.batch.Ops() {
			if op.Kind == OpPut {
				state[string(op.Key)] = string(op.Value)
			} else {
				delete(state, string(op.Key))
			}
		}
	}
	return maps.Equal(state, found)
}
