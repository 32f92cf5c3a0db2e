// Package striped spreads what many goroutines write to at the same time over cache lines.
//
// A counter that two processors write to in turns costs each of them a wait for the line it lies in, a hundred
// nanoseconds and more, which is as much as a look-up that a filter answers takes in all, and the more processors there
// are, the longer they wait. So there is a line for each of some goroutines, and who wants the count adds all of them
// up (Dice, Lev and Moir, "Scalable Statistics Counters", 2013).
//
// It knows nothing of what is counted. It is under what each read passes: memtables, the view of a store, and the
// counts of its filters.
package striped
