package check

import (
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/key"
)

// Guard wraps an iterator and holds its caller to the contract: a step or a look while it is not Valid, or any use
// after Close but Err and Close, fails the test. It hands out copies of keys and values and overwrites them at the
// next move, so that a caller who keeps bytes too long sees them spoilt.
func Guard(tb testing.TB, it iter.Iterator) iter.Iterator { return &guard{tb: tb, it: it} }

type guard struct {
	tb     testing.TB
	it     iter.Iterator
	lent   [][]byte
	closed bool
}

func (g *guard) First() bool           { return g.open("First") && g.it.First() }
func (g *guard) Last() bool            { return g.open("Last") && g.it.Last() }
func (g *guard) SeekGE(k key.Key) bool { return g.open("SeekGE") && g.it.SeekGE(k) }
func (g *guard) SeekLT(k key.Key) bool { return g.open("SeekLT") && g.it.SeekLT(k) }
func (g *guard) Next() bool            { return g.placed("Next") && g.open("Next") && g.it.Next() }
func (g *guard) Prev() bool            { return g.placed("Prev") && g.open("Prev") && g.it.Prev() }
func (g *guard) Valid() bool           { return !g.closed && g.it.Valid() }
func (g *guard) Err() error            { return g.it.Err() }

func (g *guard) Key() key.Key {
	g.placed("Key")
	k := g.it.Key()
	return key.Key{User: g.lend(k.User), Trailer: k.Trailer}
}

func (g *guard) Value() []byte {
	g.placed("Value")
	return g.lend(g.it.Value())
}

func (g *guard) Close() error {
	g.spoil()
	g.closed = true
	return g.it.Close()
}

// open checks that the iterator may be moved, and takes back what was lent.
func (g *guard) open(call string) bool {
	if g.closed {
		g.tb.Fatalf("%s after Close", call)
	}
	g.spoil()
	return true
}

// placed checks that the iterator is at an entry.
func (g *guard) placed(call string) bool {
	if g.closed || !g.it.Valid() {
		g.tb.Fatalf("%s of an iterator that is not valid", call)
	}
	return true
}

func (g *guard) lend(b []byte) []byte {
	c := append([]byte(nil), b...)
	g.lent = append(g.lent, c)
	return c
}

func (g *guard) spoil() {
	for _, b := range g.lent {
		for i := range b {
			b[i] = 0xAA
		}
	}
	g.lent = g.lent[:0]
}
