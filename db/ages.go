package db

import (
	"bytes"
	"context"
	"fmt"

	internal "siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/sstable"
)

// age says how what two tables hold of the same user keys lies in time.
type age uint8

const (
	unrelated age = iota // they share no user key, or hold the same of those that they share
	newer                // of each shared key, all that the first holds is at least as new as what the second does
	older                // the other way round
	mixed                // some of it is newer and some older: no order of the two reads right
)

// ages is what was found out about two tables; witness is a user key that says so, nil where sequence numbers did.
type ages struct {
	age     age
	witness []byte
}

// agesOf compares two tables. Where their sequence numbers do not settle it, it reads what both hold between the same
// bounds. An entry of sequence number 0 has lost its age in a compaction; of two such the table that was built later
// has the newer one.
func (db *DB) agesOf(ctx context.Context, a, b *table) (ages, error) {
	switch {
	case !a.meta.Overlaps(b.meta.Smallest.User, b.meta.Largest.User):
		return ages{}, nil
	case a.meta.SmallestSeq > b.meta.LargestSeq:
		return ages{age: newer}, nil
	case b.meta.SmallestSeq > a.meta.LargestSeq:
		return ages{age: older}, nil
	}
	w := &ageWalk{later: a.meta.Number > b.meta.Number}
	for i, t := range [2]*table{a, b} {
		r, err := db.tables.reader(t)
		if err != nil {
			return ages{}, err
		}
		w.sides[i] = r.NewIter(&sstable.Access{Mode: sstable.SkipCache})
		defer w.sides[i].Close()
	}
	return w.run(ctx)
}

// ageWalk goes through two tables side by side.
type ageWalk struct {
	sides [2]internal.Iterator
	later bool // the first table was built later
	found ages
	user  []byte
}

// versions are the newest and the oldest sequence number that a table has of a user key.
type versions struct{ newest, oldest key.Seq }

// walkStride is how many steps go between two looks at the context.
const walkStride = 1000

func (w *ageWalk) run(ctx context.Context) (ages, error) {
	a, b := w.sides[0], w.sides[1]
	ok := a.First() && b.First()
	for step := 0; ok && w.found.age != mixed; step++ {
		if step%walkStride == 0 && ctx.Err() != nil {
			return ages{}, ctx.Err()
		}
		switch c := bytes.Compare(a.Key().User, b.Key().User); {
		case c < 0:
			ok = catchUp(a, b.Key().User)
		case c > 0:
			ok = catchUp(b, a.Key().User)
		default:
			w.user = append(w.user[:0], a.Key().User...)
			first, inA := cutVersions(a, w.user)
			second, inB := cutVersions(b, w.user)
			w.note(first, second)
			ok = inA && inB
		}
	}
	for _, side := range w.sides {
		if err := side.Err(); err != nil {
			return ages{}, err
		}
	}
	return w.found, nil
}

// catchUp moves it, which is before user, to the first entry that is not.
func catchUp(it internal.Iterator, user []byte) bool {
	const steps = 8 // before a search in the index costs less
	for range steps {
		if !it.Next() {
			return false
		}
		if bytes.Compare(it.Key().User, user) >= 0 {
			return true
		}
	}
	return it.SeekGE(key.Lookup(user, key.MaxSeq))
}

// cutVersions moves it over all versions of user, at the first of which it stands; more says that an entry follows.
func cutVersions(it internal.Iterator, user []byte) (v versions, more bool) {
	v.newest = it.Key().Seq()
	for more = true; more && bytes.Equal(it.Key().User, user); more = it.Next() {
		v.oldest = it.Key().Seq()
	}
	return v, more
}

// note takes in what both hold of the current key.
func (w *ageWalk) note(a, b versions) {
	was := w.found.age
	switch aNewer, bNewer := a.oldest >= b.newest, b.oldest >= a.newest; {
	case aNewer && bNewer && a.newest > 0: // the same entry
	case aNewer && bNewer && w.later, aNewer && !bNewer:
		w.found.age = newer
	case bNewer:
		w.found.age = older
	default:
		w.found.age = mixed
	}
	if was != unrelated && w.found.age != was {
		w.found.age = mixed
	}
	if w.found.age != was {
		w.found.witness = bytes.Clone(w.user)
	}
}

// String is for errors.
func (a ages) String() string {
	if a.witness == nil {
		return "by their sequence numbers"
	}
	return fmt.Sprintf("by key %q", a.witness)
}
