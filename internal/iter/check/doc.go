// Package check is the one test suite of the iterator contract: every implementation of iter.Iterator passes Run.
//
// It compares long random walks, direction changes anywhere, with a sorted slice, and hands out the pieces that
// tests of iterators over iterators need: a Slice to stand in for a source, Guard to catch a caller that breaks
// the contract, Failing to fail a chosen move.
//
// It knows entries and moves only, nothing of the implementations; it is imported by tests alone.
package check
