//go:build !windows

package fsys

// heldElsewhere is never so here: an open file can be renamed and removed.
func heldElsewhere(error) bool { return false }
