package merge

import (
	"bytes"
	"slices"

	"siftdb/internal/key"
)

// retainer decides which versions of a user key survive. It is fed the versions newest first.
//
// The snapshots divide the sequence numbers into stripes: a version lies in the stripe of the oldest snapshot that
// sees it, or in the newest stripe when none does. All views agree on versions of one stripe, so that the newest
// version of each stripe hides the others. With snapshots at 4 and 8:
//
//	a#9,SET  newest stripe   kept: the newest state
//	a#7,SET  stripe of 8     kept: what snapshot 8 sees
//	a#6,SET  stripe of 8     hidden by #7
//	a#3,DEL  stripe of 4     dropped if nothing of a lies below the output, as there is nothing to hide
//
// A deletion waits until the next survivor of its key is known. Where that is a value, the deletion hides it from
// newer views and comes out. Where that is another deletion, the newer of the two says nothing more: every view
// finds the key absent by the older one. Where there is none, and nothing lies below the output, the deletion goes.
//
// The oldest survivor, when all views see it and nothing lies below, gets sequence number 0: nothing it could be
// compared with is left, and 0 takes one byte in the table.
type retainer struct {
	snapshots []key.Seq
	elide     func(user []byte) bool

	user    []byte // the current user key, a copy
	started bool   // there is one
	stripe  int    // that of the last survivor; only valid after the first
	first   bool   // no version of the key has been seen

	tombstone key.Trailer // a deletion that waits
	waiting   bool
	asked     bool // elide was asked for the key; nothing is the answer
	nothing   bool
}

// verdict is what becomes of a version.
type verdict uint8

const (
	hidden       verdict = iota // no view sees it
	comes                       // it comes out now, after a deletion that waits
	waits                       // it is a deletion and waits
	waitsInstead                // it is a deletion and waits; the one that waited is not needed any more
)

// isNew reports whether user is another user key than the current one.
func (r *retainer) isNew(user []byte) bool { return !r.started || !bytes.Equal(r.user, user) }

// begin makes user the current key. No deletion may be waiting.
func (r *retainer) begin(user []byte) {
	r.user = append(r.user[:0], user...)
	r.started, r.first, r.asked = true, true, false
}

// judge decides about the next older version of the current key.
func (r *retainer) judge(t key.Trailer) verdict {
	stripe := r.stripeOf(t.Seq())
	if !r.first && stripe == r.stripe {
		return hidden
	}
	r.first, r.stripe = false, stripe
	if t.Kind() != key.KindDelete {
		return comes
	}
	waited := r.waiting
	r.tombstone, r.waiting = t, true
	if waited {
		return waitsInstead
	}
	return waits
}

// stripeOf is the number of snapshots that do not see seq; 0 is the stripe that all views see.
func (r *retainer) stripeOf(seq key.Seq) int {
	if len(r.snapshots) == 0 {
		return 0
	}
	at, _ := slices.BinarySearch(r.snapshots, seq)
	return at
}

// takeTombstone hands out the deletion that waits, if there is one.
func (r *retainer) takeTombstone() (key.Trailer, bool) {
	ok := r.waiting
	r.waiting = false
	return r.tombstone, ok
}

// trailer is the trailer that a surviving value gets.
func (r *retainer) trailer(t key.Trailer) key.Trailer {
	if r.stripe == 0 && r.nothingBelow() {
		return key.MakeTrailer(0, t.Kind())
	}
	return t
}

// nothingBelow asks, once a key, whether nothing of it lies below the output.
func (r *retainer) nothingBelow() bool {
	if !r.asked {
		r.asked = true
		r.nothing = r.elide != nil && r.elide(r.user)
	}
	return r.nothing
}
