package check

import (
	"siftdb/internal/iter"
	"siftdb/internal/key"
)

// Failing wraps an iterator so that the move after the given number of moves fails with err. The moves after that
// one work again, as the contract asks of a later positioning call.
func Failing(it iter.Iterator, moves int, err error) iter.Iterator {
	return &failing{it: it, moves: moves, cause: err}
}

type failing struct {
	it    iter.Iterator
	moves int // left before the failure; negative: behind us
	cause error
	err   error
}

func (f *failing) First() bool           { return f.move() && f.it.First() }
func (f *failing) Last() bool            { return f.move() && f.it.Last() }
func (f *failing) SeekGE(k key.Key) bool { return f.move() && f.it.SeekGE(k) }
func (f *failing) SeekLT(k key.Key) bool { return f.move() && f.it.SeekLT(k) }
func (f *failing) Next() bool            { return f.move() && f.it.Next() }
func (f *failing) Prev() bool            { return f.move() && f.it.Prev() }
func (f *failing) Valid() bool           { return f.err == nil && f.it.Valid() }
func (f *failing) Key() key.Key          { return f.it.Key() }
func (f *failing) Value() []byte         { return f.it.Value() }

func (f *failing) Err() error {
	if f.err != nil {
		return f.err
	}
	return f.it.Err()
}

func (f *failing) Close() error {
	if err := f.it.Close(); f.err == nil {
		f.err = err
	}
	return f.err
}

// move counts one move down and reports whether it may go on.
func (f *failing) move() bool {
	f.err = nil
	if f.moves == 0 {
		f.err = f.cause
	}
	f.moves--
	return f.err == nil
}
