package iter

import "siftdb/internal/key"

// Iterator walks over entries in the order of key.Compare, in both directions. One goroutine at a time.
//
// A fresh iterator is at no entry; only First, Last, SeekGE and SeekLT may be called. Each move reports whether
// the iterator is at an entry afterwards, as Valid does. Next and Prev may be called only while Valid, and may
// change direction at any entry. After a move that returned false only a positioning call (First, Last, SeekGE,
// SeekLT) may follow.
//
// An error ends the walk: the move returns false and Err says why; a later positioning call tries anew.
//
// The key of a seek is borrowed for the call. It must not be one that this iterator handed out, since the move
// may overwrite those bytes before it has read them: seek to a Clone.
//
// Key and Value may be called only while Valid. Their bytes belong to the iterator and live until its next move
// or Close.
type Iterator interface {
	// First moves to the smallest entry.
	First() bool
	// Last moves to the largest entry.
	Last() bool
	// SeekGE moves to the smallest entry that is >= k.
	SeekGE(k key.Key) bool
	// SeekLT moves to the largest entry that is < k.
	SeekLT(k key.Key) bool
	// Next moves to the next larger entry.
	Next() bool
	// Prev moves to the next smaller entry.
	Prev() bool
	// Valid reports whether the iterator is at an entry.
	Valid() bool
	// Key is the entry's internal key.
	Key() key.Key
	// Value is the entry's value; empty for a deletion.
	Value() []byte
	// Err is the error that ended the walk, or nil.
	Err() error
	// Close gives up what the iterator holds. It returns Err; closing again does nothing and returns the same.
	Close() error
}
