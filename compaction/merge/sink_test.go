package merge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// tables is a Sink that keeps what it is given. The size of a table is that of its keys and values.
type tables struct {
	done [][]check.Entry
	work []check.Entry
	size int64
	fail map[string]error // by method
}

func (s *tables) Add(k key.Key, value []byte) error {
	if err := s.fail["Add"]; err != nil {
		return err
	}
	if n := len(s.work); n > 0 && key.Compare(s.work[n-1].Key, k) >= 0 {
		return fmt.Errorf("%v after %v", k, s.work[n-1].Key)
	}
	s.work = append(s.work, check.Entry{Key: k.Clone(), Value: slices.Clone(value)})
	s.size += int64(len(k.User) + len(value))
	return nil
}

func (s *tables) Size() int64 { return s.size }

func (s *tables) Cut(context.Context) error {
	if err := s.fail["Cut"]; err != nil {
		return err
	}
	if len(s.work) == 0 {
		return errors.New("a table without entries")
	}
	s.done = append(s.done, s.work)
	s.work, s.size = nil, 0
	return nil
}

// entries is everything in the order of the tables.
func (s *tables) entries() []check.Entry { return slices.Concat(s.done...) }

// picture is the tables with their keys: a#9,SET a#7,DEL | b#0,SET.
func (s *tables) picture() string {
	var parts []string
	for _, table := range s.done {
		var keys []string
		for _, e := range table {
			keys = append(keys, fmt.Sprintf("%s#%d,%v", e.Key.User, e.Key.Seq(), e.Key.Kind()))
		}
		parts = append(parts, strings.Join(keys, " "))
	}
	return strings.Join(parts, " | ")
}

// parse reads entries from a picture: a#9,SET b#7,DEL. Values are the text of the entry.
func parse(picture string) []check.Entry {
	var entries []check.Entry
	for _, word := range strings.Fields(picture) {
		user, rest, _ := strings.Cut(word, "#")
		var seq uint64
		var kind string
		if _, err := fmt.Sscanf(strings.Replace(rest, ",", " ", 1), "%d %s", &seq, &kind); err != nil {
			panic(err)
		}
		e := check.Entry{Key: key.Make([]byte(user), key.Seq(seq), key.KindDelete)}
		if kind == "SET" {
			e = check.Entry{Key: key.Make([]byte(user), key.Seq(seq), key.KindSet), Value: []byte(word)}
		}
		entries = append(entries, e)
	}
	check.Sort(entries)
	return entries
}

// seededSource is a source of random numbers whose seed is printed when the test fails.
func seededSource(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 1))
}
