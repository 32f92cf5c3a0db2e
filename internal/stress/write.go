package stress

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"siftdb/db"
)

const (
	writers = 4
	// keysEach is few, so that most writes overwrite or delete something.
	keysEach = 400
)

// writerPrefix is what the keys of a writer begin with, and of no other.
func writerPrefix(writer int) []byte { return fmt.Appendf(nil, "w%d/", writer) }

// keyOf is key number n of a writer. Odd numbers are never written.
func keyOf(writer, n int) []byte {
	return fmt.Appendf(writerPrefix(writer), "%05d%s", n, strings.Repeat("k", n%11))
}

// markerKey is where a writer notes how far it is. It lies in the middle of the writer's keys.
func markerKey(writer int) []byte { return fmt.Appendf(writerPrefix(writer), "%05dmarker", keysEach) }

// operation is a part of a write.
type operation struct {
	key    []byte
	value  []byte
	delete bool
}

// operationsOf is what write number i of a writer does, its marker left out.
func operationsOf(seed uint64, writer, i int) []operation {
	rng := rand.New(rand.NewPCG(seed, uint64(writer)<<48|uint64(i)))
	operations := make([]operation, 1+rng.IntN(8))
	for n := range operations {
		operations[n].key = keyOf(writer, 2*rng.IntN(keysEach))
		if rng.IntN(4) == 0 {
			operations[n].delete = true
			continue
		}
		operations[n].value = valueOf(rng, i)
	}
	return operations
}

// valueOf is mostly short; some values fill blocks of their own, and a few are longer than a memtable's share of a log.
func valueOf(rng *rand.Rand, i int) []byte {
	size := rng.IntN(200)
	switch rng.IntN(400) {
	case 0:
		size = rng.IntN(100 << 10)
	case 1, 2, 3, 4:
		size = rng.IntN(8 << 10)
	}
	value := fmt.Appendf(make([]byte, 0, size+8), "%d:", i)
	for len(value) < size {
		value = append(value, byte('a'+rng.IntN(26)))
	}
	return value
}

// progress is how many writes of each writer there are.
type progress [writers]int

// batchOf is write number i of a writer as a batch; returned are the writes that had returned before it.
func batchOf(seed uint64, writer, i int, returned progress) *db.Batch {
	var b db.Batch
	for _, op := range operationsOf(seed, writer, i) {
		if op.delete {
			b.Delete(op.key)
		} else {
			b.Put(op.key, op.value)
		}
	}
	b.Put(markerKey(writer), appendMarker(nil, i, returned))
	return &b
}

// appendMarker writes a marker: the number of the write and what had returned before it.
func appendMarker(dst []byte, i int, returned progress) []byte {
	dst = strconv.AppendInt(dst, int64(i), 10)
	for _, n := range returned {
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return dst
}

// parseMarker is the reverse of appendMarker.
func parseMarker(p []byte) (i int, returned progress, err error) {
	words := strings.Fields(string(p))
	if len(words) != 1+writers {
		return 0, returned, fmt.Errorf("a marker holds %q", p)
	}
	if i, err = strconv.Atoi(words[0]); err != nil {
		return 0, returned, fmt.Errorf("a marker holds %q", p)
	}
	for w, word := range words[1:] {
		if returned[w], err = strconv.Atoi(word); err != nil {
			return 0, returned, fmt.Errorf("a marker holds %q", p)
		}
	}
	return i, returned, nil
}
