package check

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"siftdb/internal/key"
)

// Entry is one entry of an iterator: what Key and Value give there. Its bytes do not change.
type Entry struct {
	Key   key.Key
	Value []byte
}

// String is the key and its value, as messages of tests show them.
func (e Entry) String() string { return fmt.Sprintf("%v=%q", e.Key, e.Value) }

// Sort puts entries into the order of key.Compare.
func Sort(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return key.Compare(a.Key, b.Key) })
}

// Generate makes n distinct entries in order, with at most versions of them for one user key. It favours what
// goes wrong: the empty key, keys that are prefixes of each other, equal first bytes, runs of 0x00 and 0xff, long
// keys, empty values, deletions. No two entries have the same sequence number; in one user key older entries have
// lower ones, as in a store.
func Generate(rng *rand.Rand, n, versions int) []Entry {
	var users [][]byte
	taken := map[string]bool{}
	entries := make([]Entry, 0, n)
	for len(entries) < n {
		user := userKey(rng)
		if taken[string(user)] {
			continue
		}
		taken[string(user)] = true
		for range min(1+rng.IntN(versions), n-len(entries)) {
			users = append(users, user)
			entries = append(entries, Entry{})
		}
	}
	// Shuffled, so that the age of an entry says nothing about its key.
	rng.Shuffle(n, func(i, j int) { users[i], users[j] = users[j], users[i] })
	for i, user := range users {
		seq := key.Seq(2*i + 1) // gaps, so that there are keys to seek between the versions
		if rng.IntN(5) == 0 {
			entries[i] = Entry{key.Make(user, seq, key.KindDelete), nil}
			continue
		}
		value := make([]byte, rng.IntN(20))
		for i := range value {
			value[i] = byte(rng.Uint32())
		}
		entries[i] = Entry{key.Make(user, seq, key.KindSet), value}
	}
	Sort(entries)
	return entries
}

// userKey is a random user key out of several families.
func userKey(rng *rand.Rand) []byte {
	switch rng.IntN(8) {
	case 0: // short over a tiny alphabet: prefixes of each other, the empty key
		return fill(rng, nil, rng.IntN(6), "\x00\x01\xff")
	case 1: // long
		return fill(rng, nil, 200+rng.IntN(3000), "ab")
	case 2: // equal in more than a machine word
		return fill(rng, []byte("common prefix of all/"), rng.IntN(8), "abc")
	case 3: // equal in most of a machine word, and the padding of a shorter key with zeros
		return fill(rng, []byte("word"), rng.IntN(9), "\x00a")
	default:
		return fill(rng, nil, 1+rng.IntN(12), "abcdefghijklmnopqrstuvwxyz")
	}
}

// fill appends n random bytes out of alphabet to dst.
func fill(rng *rand.Rand, dst []byte, n int, alphabet string) []byte {
	for range n {
		dst = append(dst, alphabet[rng.IntN(len(alphabet))])
	}
	return dst
}
