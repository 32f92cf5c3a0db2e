package check

import (
	"bytes"
	"fmt"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/key"
)

// Walk moves it as script says and compares every answer with the sorted entries. Any bytes are a script, so that
// a fuzzer can write one: each move takes one byte, a seek two more that choose its key. A step that the contract
// forbids at that point becomes a positioning call.
//
// Walk does not close it. A difference fails the test with the moves that led there.
func Walk(tb testing.TB, it iter.Iterator, entries []Entry, script []byte) {
	tb.Helper()
	w := walk{tb: tb, it: it, model: NewSlice(entries), entries: entries}
	for len(script) > 0 {
		script = w.follow(script)
	}
}

// walk is one run of Walk: the iterator, the model beside it, and the moves so far for the report. Its methods do not
// call tb.Helper, which would take more time than everything else; the moves say where it failed.
type walk struct {
	tb      testing.TB
	it      iter.Iterator
	model   *Slice
	entries []Entry
	trail   []move
}

// move is one call of a walk; key is that of a seek, else nil.
type move struct {
	call string
	key  *key.Key
}

func (m move) String() string {
	if m.key == nil {
		return m.call
	}
	return fmt.Sprintf("%s(%v)", m.call, *m.key)
}

// follow takes one move off the front of script and returns the rest.
func (w *walk) follow(script []byte) []byte {
	op, rest := script[0], script[1:]
	switch {
	case w.model.Valid() && op < 112: // steps are the common case, so that walks get far from where a seek left them
		w.compare("Next", w.it.Next(), w.model.Next())
	case w.model.Valid() && op < 224:
		w.compare("Prev", w.it.Prev(), w.model.Prev())
	case op%16 == 0:
		w.compare("First", w.it.First(), w.model.First())
	case op%16 == 1:
		w.compare("Last", w.it.Last(), w.model.Last())
	case len(rest) < 2:
		return nil
	default:
		k := w.seekKey(rest[0], rest[1])
		rest = rest[2:]
		if op%2 == 0 {
			w.compareAfter(move{"SeekGE", &k}, w.seek(w.it.SeekGE, k), w.model.SeekGE(k))
		} else {
			w.compareAfter(move{"SeekLT", &k}, w.seek(w.it.SeekLT, k), w.model.SeekLT(k))
		}
	}
	return rest
}

// seek passes a copy of k and spoils it afterwards: the key of a seek is borrowed for the call.
func (w *walk) seek(move func(key.Key) bool, k key.Key) bool {
	k = k.Clone()
	defer func() {
		for i := range k.User {
			k.User[i] = 0xFF
		}
	}()
	return move(k)
}

// seekKey chooses a key near an entry: itself, a neighbour in age, or a user key just before or after it.
func (w *walk) seekKey(where, how byte) key.Key {
	if len(w.entries) == 0 {
		return key.Make([]byte{where}, key.Seq(how), key.KindSet)
	}
	// The entry's index from 12 bits, so that all of a few thousand entries can be reached.
	k := w.entries[(int(where)<<4|int(how)>>4)%len(w.entries)].Key.Clone()
	switch how % 16 {
	case 0, 1, 2:
	case 3:
		k.Trailer++
	case 4:
		k.Trailer = max(k.Trailer, 1) - 1
	case 5:
		k = key.Lookup(k.User, key.MaxSeq)
	case 6:
		k.Trailer = 0
	case 7:
		k.User = append(k.User, 0)
	case 8:
		k.User = append(k.User, 0xff)
	case 9:
		k.User = k.User[:len(k.User)/2]
	case 10:
		k.User = k.User[:max(len(k.User)-1, 0)]
	case 11:
		k.User = append(k.User[:len(k.User)/2], where)
	case 12:
		k.User = bytes.Repeat([]byte{0xff}, int(how)%3)
	case 13:
		k = key.Key{User: nil, Trailer: k.Trailer}
	default:
		k.Trailer = key.MakeTrailer(k.Seq()+1, k.Kind())
	}
	return k
}

// compare is compareAfter a call without a key.
func (w *walk) compare(call string, got, want bool) {
	w.compareAfter(move{call: call}, got, want)
}

// compareAfter checks everything that the iterator tells against the model after a move.
func (w *walk) compareAfter(m move, got, want bool) {
	w.trail = append(w.trail, m)
	if got != want || w.it.Valid() != want {
		w.fail("moved: %v, Valid: %v, want %v", got, w.it.Valid(), want)
	}
	if err := w.it.Err(); err != nil {
		w.fail("Err: %v", err)
	}
	if !want {
		return
	}
	k, v := w.it.Key(), w.it.Value()
	if key.Compare(k, w.model.Key()) != 0 || !bytes.Equal(v, w.model.Value()) {
		w.fail("at %v, want %v", Entry{k, v}, Entry{w.model.Key(), w.model.Value()})
	}
}

func (w *walk) fail(format string, args ...any) {
	const shown = 50
	w.tb.Fatalf("%d entries, after move %d: %s\nlast moves: %v",
		len(w.entries), len(w.trail), fmt.Sprintf(format, args...), w.trail[max(0, len(w.trail)-shown):])
}
