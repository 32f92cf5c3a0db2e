package simulate

import (
	"math/rand/v2"
	"testing"

	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// TestCursorWalks: a cursor walks in both directions, and finds what it is sent to.
func TestCursorWalks(t *testing.T) {
	entries := []entry{makeEntry(3, false), makeEntry(5, true), makeEntry(9, false)}
	var want []check.Entry
	for _, e := range entries {
		kind := key.KindSet
		if e.deleted() {
			kind = key.KindDelete
		}
		want = append(want, check.Entry{Key: key.Make(userKey(e.user()), 4, kind)})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		script := make([]byte, 100)
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		check.Walk(t, &cursor{entries: entries, age: 4}, want, script)
	}
}
