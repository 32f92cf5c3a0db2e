// Command peers measures siftdb beside other embedded stores: the same keys, the same values, the same work, in one run
// on one machine. Each store runs in a fresh process; repetitions take turns over the stores, and medians are compared.
//
// A measurement, or campaign (campaign.go), is a row of jobs; a process of its own does each (worker.go) and writes
// rows (package rows). phases.go has what is done to a store in a run, growth.go what is done along the axes of growth.
// engine.go is what a store must do to be measured; each store has a file. Package compare shows rows, with the
// pictures of package plot; show.go has the commands that do that.
//
// It is a module of its own, so that siftdb itself depends on none of the others. README.md says how to run it, which
// settings are equal and which are not.
package main
