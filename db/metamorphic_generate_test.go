package db

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// scriptWriter makes random scripts.
type scriptWriter struct {
	rng       *rand.Rand
	keys      int
	snapshots []string // that may be open
	iterators []string
	ops       []operation
}

// randomScript is what a seed stands for: option sets, and operations that look at everything in the end.
func randomScript(seed uint64, ops int) script {
	w := &scriptWriter{rng: rand.New(rand.NewPCG(seed, 0))}
	w.keys = 20 << w.rng.IntN(9)
	var s script
	for range 2 + w.rng.IntN(3) {
		s.sets = append(s.sets, randomOptions(w.rng))
	}
	for len(w.ops) < ops {
		w.operation()
	}
	w.add("quiet")
	w.add("scan")
	w.add("verify")
	w.add("counters")
	s.ops = w.ops
	return s
}

func (w *scriptWriter) add(words ...string) { w.ops = append(w.ops, words) }

func (w *scriptWriter) key() string { return scriptKey(w.rng.IntN(w.keys)) }

// run is some keys in a row: the words of the first and of their number.
func (w *scriptWriter) run() []string {
	from := w.rng.IntN(w.keys)
	return []string{fmt.Sprint(from), fmt.Sprint(1 + w.rng.IntN(w.keys-from))}
}

func (w *scriptWriter) value() string {
	size := w.rng.IntN(60)
	switch w.rng.IntN(40) {
	case 0, 1:
		size = w.rng.IntN(3000)
	case 2:
		size = w.rng.IntN(20_000)
	}
	return fmt.Sprintf("%d*%c", size, 'a'+w.rng.IntN(26))
}

// bounds are the words of a range.
func (w *scriptWriter) bounds() (words []string) {
	if w.rng.IntN(2) == 0 {
		words = append(words, "lower", w.key())
	}
	if w.rng.IntN(2) == 0 {
		words = append(words, "upper", w.key())
	}
	return words
}

// shape are the words of a range that is scanned.
func (w *scriptWriter) shape() []string {
	words := w.bounds()
	if w.rng.IntN(2) == 0 {
		words = append(words, "reverse")
	}
	if w.rng.IntN(4) == 0 {
		words = append(words, "keys-only")
	}
	if w.rng.IntN(3) == 0 {
		words = append(words, "limit", fmt.Sprint(w.rng.IntN(20)))
	}
	return words
}

// source are the words that say what is read, and how.
func (w *scriptWriter) source() (words []string) {
	words = w.from()
	if w.rng.IntN(4) == 0 {
		words = append(words, "ignore-filters")
	}
	if w.rng.IntN(4) == 0 {
		words = append(words, "no-cache")
	}
	return words
}

// from are the words for a snapshot to read, or none for the store as it is.
func (w *scriptWriter) from() []string {
	if len(w.snapshots) == 0 || w.rng.IntN(2) == 0 {
		return nil
	}
	return []string{"from", w.oneOf(w.snapshots)}
}

func (w *scriptWriter) oneOf(words []string) string { return words[w.rng.IntN(len(words))] }

func (w *scriptWriter) operation() {
	switch n := w.rng.IntN(1000); {
	case n < 250:
		w.add("put", w.key(), w.value())
	case n < 330:
		w.add("delete", w.key())
	case n < 390:
		w.batch()
	case n < 400:
		w.add(append(append([]string{"fill"}, w.run()...), fmt.Sprintf("%d*%c", w.rng.IntN(30), 'a'+w.rng.IntN(26)))...)
	case n < 410:
		w.add(append(append([]string{"has-each"}, w.run()...), w.source()...)...)
	case n < 620:
		how := w.oneOf([]string{"get", "append-get", "get-func", "has", "view-get"})
		w.add(append([]string{how, w.key()}, w.source()...)...)
	case n < 660:
		w.add(append(append([]string{"scan"}, w.shape()...), w.source()...)...)
	case n < 700:
		w.open()
	case n < 880 && len(w.iterators) > 0:
		w.walk()
	case n < 900 && len(w.iterators)+len(w.snapshots) > 0:
		w.add("close", w.oneOf(slices.Concat(w.iterators, w.snapshots)))
	default:
		w.upkeep()
	}
}

func (w *scriptWriter) batch() {
	words := []string{"batch"}
	for range w.rng.IntN(30) {
		if w.rng.IntN(3) == 0 {
			words = append(words, "delete", w.key())
		} else {
			words = append(words, "put", w.key(), w.value())
		}
	}
	w.add(words...)
}

func (w *scriptWriter) open() {
	if w.rng.IntN(2) == 0 {
		name := fmt.Sprintf("s%d", w.rng.IntN(3))
		w.snapshots = append(w.snapshots, name)
		w.add("snapshot", name)
		return
	}
	name := fmt.Sprintf("i%d", w.rng.IntN(3))
	w.add(append(append([]string{"iterator", name}, w.bounds()...), w.from()...)...)
	w.iterators = append(w.iterators, name)
}

// walk moves an iterator a few times.
func (w *scriptWriter) walk() {
	name := w.oneOf(w.iterators)
	for range 1 + w.rng.IntN(6) {
		switch step := w.oneOf([]string{"first", "last", "next", "next", "prev", "prev", "seek-ge", "seek-lt"}); step {
		case "seek-ge", "seek-lt":
			w.add("move", name, step, w.key())
		default:
			w.add("move", name, step)
		}
	}
}

func (w *scriptWriter) upkeep() {
	switch w.rng.IntN(20) {
	case 0, 1, 2:
		w.add("flush")
	case 3, 4:
		w.add(append([]string{"compact"}, w.bounds()...)...)
	case 5:
		w.add("sync")
	case 6, 7:
		w.add(w.oneOf([]string{"reopen", "reopen", "reopen", "repair"}))
		w.snapshots, w.iterators = nil, nil
	case 8:
		w.add("crash", fmt.Sprint(w.rng.IntN(1000)))
		w.snapshots, w.iterators = nil, nil
	case 9, 10, 11:
		w.add("bits", fmt.Sprintf("%.1f", max(0, 18*w.rng.Float64()-1)))
	case 12, 13:
		w.add("filter-memory", fmt.Sprint(max(0, w.rng.IntN(4000)-500)))
	case 14, 15:
		w.add("load-filters")
	case 16:
		w.add("rebuild-filters", randomPolicy(w.rng))
	case 17:
		w.add("verify")
	case 18:
		w.add("quiet")
	case 19:
		w.add("counters")
	}
}
