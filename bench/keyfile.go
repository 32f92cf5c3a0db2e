package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// fileKeys is a workload whose keys are read from files.
type fileKeys struct {
	from    string // the files' names
	present []line
	absent  []line
	size    int64
	values  generatedValue // of keys without a value in the file
}

// line is one line of a key file: a key and, after the first tab, its value. A nil value: the line has no tab.
type line struct {
	key, value []byte
	number     int // in the file, from 1
}

// maxLine bounds a line of a key file, in bytes.
const maxLine = 64 << 20

// readKeyFiles reads present keys, one a line, each alone or with a value after a tab, and absent keys, one a line
// (what follows a tab is left out). A name that ends in .gz is decompressed. Empty lines are left out. A key that
// comes several times counts once, with its last value. Without an absent file, the absent keys are the present ones
// with a zero byte after them. An absent key that is present is an error.
func readKeyFiles(presentFile, absentFile string, values generatedValue) (*fileKeys, error) {
	present, err := readLines(presentFile)
	if err != nil {
		return nil, err
	}
	w := &fileKeys{from: presentFile, present: present, values: values}
	for i := range w.present {
		w.size += int64(len(w.present[i].key) + w.valueSize(i))
	}
	if absentFile == "" {
		w.from += ", absent ones a zero byte longer"
		w.absent = successors(w.present)
		return w, nil
	}
	w.from += " and " + absentFile
	if w.absent, err = readLines(absentFile); err != nil {
		return nil, err
	}
	for _, l := range w.absent {
		if _, found := slices.BinarySearchFunc(w.present, l, compareLines); found {
			return nil, fmt.Errorf("siftdb: bench: %s line %d: %q is also in %s, so it is not absent",
				absentFile, l.number, l.key, presentFile)
		}
	}
	return w, nil
}

// successors gives each key but the last with a zero byte after it, where that is not a key itself.
func successors(keys []line) []line {
	var out []line
	for i := 0; i+1 < len(keys); i++ {
		next := append(slices.Clip(slices.Clone(keys[i].key)), 0)
		if !bytes.Equal(next, keys[i+1].key) {
			out = append(out, line{key: next, number: keys[i].number})
		}
	}
	return out
}

func compareLines(a, b line) int { return bytes.Compare(a.key, b.key) }

// readLines reads a key file, sorted by key, each key once.
func readLines(name string) ([]line, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("siftdb: bench: key file: %w", err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		zr, err := gzip.NewReader(f)
		if err != nil {
			return nil, fmt.Errorf("siftdb: bench: key file %s: %w", name, err)
		}
		r = zr
	}
	lines, err := splitLines(r)
	if err != nil {
		return nil, fmt.Errorf("siftdb: bench: key file %s: %w", name, err)
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(compareLines(a, b), cmp.Compare(b.number, a.number))
	})
	lines = slices.CompactFunc(lines, func(a, b line) bool { return bytes.Equal(a.key, b.key) })
	if len(lines) == 0 {
		return nil, fmt.Errorf("siftdb: bench: key file %s: no keys in it", name)
	}
	return lines, nil
}

func splitLines(r io.Reader) ([]line, error) {
	var lines []line
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 64<<10), maxLine)
	number := 1
	for ; scanner.Scan(); number++ {
		text := bytes.TrimSuffix(scanner.Bytes(), []byte("\r"))
		if len(text) == 0 {
			continue
		}
		key, value, tab := bytes.Cut(bytes.Clone(text), []byte("\t"))
		if !tab {
			value = nil
		}
		lines = append(lines, line{key: key, value: value, number: number})
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d bytes", number, maxLine)
	}
	return lines, scanner.Err()
}

func (w *fileKeys) Present() int { return len(w.present) }

func (w *fileKeys) Absent() int { return len(w.absent) }

func (w *fileKeys) AppendKey(dst []byte, i int) []byte { return append(dst, w.present[i].key...) }

func (w *fileKeys) AppendAbsent(dst []byte, i int) []byte {
	return append(dst, w.absent[i%len(w.absent)].key...)
}

func (w *fileKeys) AppendValue(dst []byte, i int) []byte {
	if v := w.present[i].value; v != nil {
		return append(dst, v...)
	}
	return w.values.append(dst, i)
}

func (w *fileKeys) valueSize(i int) int {
	if v := w.present[i].value; v != nil {
		return len(v)
	}
	return w.values.size
}

func (w *fileKeys) Size() int64 { return w.size }

func (w *fileKeys) String() string { return "read from " + w.from }
