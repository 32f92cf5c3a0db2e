package db

import "bytes"

// Range says which keys Scan and NewIter run over, and in what shape. The zero Range is everything. Bounds are
// copied when Scan or NewIter is called and may be longer than the longest key.
type Range struct {
	// Lower <= key < Upper, bytewise; nil: no bound. Lower >= Upper holds nothing, and so does a non-nil empty
	// Upper; neither is an error.
	Lower, Upper []byte
	// Reverse makes Scan and Iterator.All go from the largest key to the smallest.
	Reverse bool
	// KeysOnly leaves values out: they come as nil.
	KeysOnly bool
	// Limit ends Scan and Iterator.All after so many entries; 0 or less: no limit.
	Limit int
}

// Prefix is the Range of all keys that start with p. It copies p.
func Prefix(p []byte) Range {
	lower := append([]byte{}, p...)
	return Range{Lower: lower, Upper: prefixEnd(lower)}
}

// prefixEnd is the smallest key greater than all that start with p; nil when there is none.
func prefixEnd(p []byte) []byte {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] != 0xff {
			end := bytes.Clone(p[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}

// clone is r with bounds of its own.
func (r Range) clone() Range {
	r.Lower, r.Upper = bytes.Clone(r.Lower), bytes.Clone(r.Upper)
	return r
}

// holdsNothing says that no key can be in the range.
func (r Range) holdsNothing() bool {
	return r.Upper != nil && bytes.Compare(r.Lower, r.Upper) >= 0
}

// Entry is a key with its value. Both belong to whoever got the Entry.
type Entry struct{ Key, Value []byte }
