// Command peers measures siftdb beside other embedded stores: the same keys, the same values, the same work, in one run
// on one machine. Each store runs in a fresh process; repetitions take turns over the stores, and medians are compared.
//
// It is a module of its own, so that siftdb itself depends on none of the others. README.md says how to run it, which
// settings are equal and which are not.
package main
