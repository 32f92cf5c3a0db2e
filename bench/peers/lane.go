package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// apart is more bytes than a cache line, so that what begins so far from another shares none with it.
const apart = 128

// lane is what one goroutine of a phase works with. What it writes to is in no cache line of another's: a quick miss
// takes less time than a line does to come from another processor.
type lane struct {
	number    int // from 0
	store     Engine
	contents  *contents
	source    rand.PCG
	rng       *rand.Rand             // that draws from source
	latencies hdrhistogram.Histogram // ns
	given     int64                  // bytes of keys and values that the store was told to write

	key, value, scratch []byte

	_ [apart]byte
}

func newLane(store Engine, c *contents, seed uint64, number int) *lane {
	l := &lane{
		number:    number,
		store:     store,
		contents:  c,
		latencies: *hdrhistogram.New(1, int64(100e9), 3),
		key:       make([]byte, 0, max(keySize, apart)),
		value:     make([]byte, 0, max(c.size+8, apart)),
		scratch:   make([]byte, 0, max(c.size+8, apart)),
	}
	l.source.Seed(seed, uint64(number))
	l.rng = rand.New(&l.source)
	return l
}

// present is any key that is there.
func (l *lane) present() int { return l.rng.IntN(l.contents.keys) }

// fill writes key i for the first time.
func (l *lane) fill(i int) error {
	l.key = appendPresentKey(l.key[:0], i)
	l.value = appendValue(l.value[:0], i, 0, l.contents.size)
	return l.give()
}

// give puts what is in key and value.
func (l *lane) give() error {
	l.given += int64(len(l.key) + len(l.value))
	return l.store.Put(l.key, l.value)
}

// insert writes a key behind all that are there. One goroutine at a time may insert.
func (l *lane) insert() error {
	if err := l.fill(l.contents.keys); err != nil {
		return err
	}
	l.contents.keys++
	return nil
}

// put writes present key i again. One goroutine at a time may put a key.
func (l *lane) put(i int) error {
	l.key = appendPresentKey(l.key[:0], i)
	l.value = appendValue(l.value[:0], i, l.contents.next(i), l.contents.size)
	if err := l.give(); err != nil {
		return err
	}
	l.contents.wrote(i)
	return nil
}

// remove deletes key i, which nothing reads any more.
func (l *lane) remove(i int) error {
	l.key = appendPresentKey(l.key[:0], i)
	l.given += int64(len(l.key))
	return l.store.Delete(l.key)
}

// get reads present key i and checks its value.
func (l *lane) get(i int) error {
	l.key = appendPresentKey(l.key[:0], i)
	from := l.contents.versions[i].Load()
	value, found, err := l.store.AppendGet(l.value[:0], l.key)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("key %d is not found", i)
	}
	l.value = value
	return l.contents.check(i, value, from, l.scratch)
}

// miss looks for the absent key behind present key i.
func (l *lane) miss(i int) error {
	l.key = appendAbsentKey(l.key[:0], i)
	_, found, err := l.store.AppendGet(l.value[:0], l.key)
	if err == nil && found {
		err = fmt.Errorf("an absent key, %q, is found", l.key)
	}
	return err
}

// scan reads entries from present key i on, and checks that they are the next ones.
func (l *lane) scan(i, limit int) error {
	l.key = appendPresentKey(l.key[:0], i)
	var wrong error
	at := i
	n, err := l.store.Scan(l.key, limit, func(key, value []byte) {
		l.value = appendPresentKey(l.value[:0], at)
		if string(key) != string(l.value) {
			wrong = fmt.Errorf("a scan gives %q where key %d should be", key, at)
		} else if len(value) != l.contents.size {
			wrong = wrongValue(at, value)
		}
		at++
	})
	if want := min(limit, l.contents.keys-i); err == nil && wrong == nil && n != want {
		wrong = fmt.Errorf("a scan from key %d gives %d entries, not %d", i, n, want)
	}
	if err != nil {
		return err
	}
	return wrong
}
