package stress

import (
	"bytes"
	"errors"
	"fmt"
	"maps"

	"siftdb/db"
)

// state is what the keys of one writer hold after its write number done, the marker left out. Writes are numbered
// from 1; a writer that has not begun is at 0.
type state struct {
	seed   uint64
	writer int
	done   int
	values map[string]string
}

func newState(seed uint64, writer int) *state {
	return &state{seed: seed, writer: writer, values: make(map[string]string)}
}

// clone is a state of its own, for a snapshot.
func (s *state) clone() *state {
	c := *s
	c.values = maps.Clone(s.values)
	return &c
}

// advance makes the writes up to number i.
func (s *state) advance(i int) {
	for s.done < i {
		s.done++
		for _, op := range operationsOf(s.seed, s.writer, s.done) {
			if op.delete {
				delete(s.values, string(op.key))
			} else {
				s.values[string(op.key)] = string(op.value)
			}
		}
	}
}

// wrong is an answer of a store that is not what it must be. It is never put up with.
type wrong struct{ text string }

func (w *wrong) Error() string { return "wrong answer: " + w.text }

func wrongf(format string, args ...any) error { return &wrong{fmt.Sprintf(format, args...)} }

// markerIn is how far the writer is in from, and what had returned before that write.
func (s *state) markerIn(from db.Reader) (int, progress, error) {
	v, err := from.Get(markerKey(s.writer))
	if errors.Is(err, db.ErrNotFound) {
		return 0, progress{}, nil
	}
	if err != nil {
		return 0, progress{}, err
	}
	return parseMarker(v)
}

// compareKey looks one key up.
func (s *state) compareKey(from db.Reader, key []byte, opts ...db.ReadOption) error {
	got, err := from.Get(key, opts...)
	want, there := s.values[string(key)]
	switch {
	case errors.Is(err, db.ErrNotFound) && !there:
		return nil
	case errors.Is(err, db.ErrNotFound):
		return wrongf("%q is not found after write %d, which left it %q", key, s.done, brief(want))
	case err != nil:
		return err
	case !there:
		return wrongf("%q is %q after write %d, which left it deleted", key, brief(string(got)), s.done)
	case string(got) != want:
		return wrongf("%q is %q after write %d, which left it %q", key, brief(string(got)), s.done, brief(want))
	}
	return nil
}

// compareAll walks over all keys of the writer, forwards or backwards.
func (s *state) compareAll(from db.Reader, r db.Range) error {
	r.Lower, r.Upper = writerPrefix(s.writer), db.Prefix(writerPrefix(s.writer)).Upper
	seen, marker := 0, markerKey(s.writer)
	var last []byte
	for e, err := range from.Scan(r) {
		if err != nil {
			return err
		}
		if order := bytes.Compare(last, e.Key); last != nil && (order == 0 || (order > 0) != r.Reverse) {
			return wrongf("a scan gives %q after %q", e.Key, last)
		}
		last = e.Key
		if bytes.Equal(e.Key, marker) {
			continue
		}
		if want, there := s.values[string(e.Key)]; !there || want != string(e.Value) {
			return wrongf("a scan finds %q with %q after write %d, which left %q (there: %v)",
				e.Key, brief(string(e.Value)), s.done, brief(want), there)
		}
		seen++
	}
	if seen != len(s.values) {
		return wrongf("a scan finds %d keys of writer %d after write %d, which left %d",
			seen, s.writer, s.done, len(s.values))
	}
	return nil
}

// brief is the beginning of a value, for a message.
func brief(v string) string {
	const most = 40
	if len(v) > most {
		return v[:most] + "…"
	}
	return v
}
