// Package key defines internal keys: what the store orders by.
//
// An internal key is a user key together with a sequence number and a kind. The sequence number says when the
// entry was written, the kind what it does. Entries of one user key are ordered newest first, so that a seek to
// (user key, sequence) finds the newest version that a view of that sequence may see.
//
// The package knows nothing of memory, files or filters; it stands at the bottom of all three walks.
//
// Encoded key, as Append writes it and Decode reads it; the length comes from around it:
//
//	bytes    field
//	n        user key, n >= 0
//	8        trailer: sequence number << 8 | kind, little-endian
//
// Kinds: 0 deletion, 1 set. The order of encoded keys is not that of their bytes: decode, then Compare.
package key
