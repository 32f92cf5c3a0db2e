package sstable

import "siftdb/internal/key"

// Outcome says what a table has of a user key.
type Outcome uint8

const (
	// Absent: no version of the key is in the table. If its filter said maybe, that was a false positive.
	Absent Outcome = iota
	// Hidden: the table has versions of the key, all newer than the sequence number that was asked for.
	Hidden
	// Found: the newest visible version is in the table.
	Found
)

// String is "absent", "hidden" or "found".
func (o Outcome) String() string {
	switch o {
	case Absent:
		return "absent"
	case Hidden:
		return "hidden"
	}
	return "found"
}

// Get looks for the newest version of user that a view at seq sees. It does not ask the filter: the caller did,
// with a hash made once for all tables. With Found, kind says what the version does, and value is a view of a block:
// it must not be changed, and is valid until a is given to another Get or released. With blocks in the cache nothing
// is allocated, but for the content of one that is hot enough to be held uncompressed. A damaged block is a
// *corrupt.Error.
func (r *Reader) Get(user []byte, seq key.Seq, a *Access) (value []byte, kind key.Kind, o Outcome, err error) {
	newest, from := key.Lookup(user, seq).Trailer, r.sourceFor(a.Mode)
	for i := r.index.search(user); i < r.index.blocks(); i++ {
		b, err := r.blockInto(a.room(), i, from, a)
		if err != nil {
			return nil, 0, o, err
		}
		f := b.find(user, newest)
		if f.hidden {
			o = Hidden
		}
		switch f.verdict {
		case verdictBad:
			return nil, 0, o, r.badEntry(i, f.where)
		case verdictFound:
			return f.value, f.trailer.Kind(), Found, nil
		case verdictPassed, verdictEnd:
			return nil, 0, o, nil
		}
		// The block ends in versions of the key that are too new: the next begins with older ones, or none.
	}
	return nil, 0, o, nil
}
