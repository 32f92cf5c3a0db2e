// Package bench measures what filters save. It makes a store for each setting of bits per key, looks up keys that
// are there and keys that are not, and reports disk reads, skipped reads and times, beside what theory says.
//
// It stands outside the store: it uses packages db and bloom as any program would, and refuses to know how tables,
// logs and filters look inside. What it says about disk reads is what the store counted where it meets the file
// system (db.Metrics.TableReads); trace-reads.sh compares that count with a system call tracer's.
//
// A run goes row by row (run.go), a row being one setting: bits per key, plan and family (setting.go):
//
//	store.go    opens a store; before the lookups, each of its tables
//	load.go     fills it, waits until nothing is due; levels.go makes the store of full levels that rows share
//	mixture.go  lets it see traffic beforehand, where that is asked for
//	measure.go  looks up absent keys, then present ones; or both in turns (mixture.go)
//	compare.go  the same files again, filters on beside filters off
//
// Or it changes the bits per key of one store that is being looked up in (live.go). scenario.go has runs that tell a
// story.
//
// Keys come from a Workload: keys.go makes them from a seed, keyfile.go reads them from files; traffic.go says which
// are looked up more than others. Absent keys lie between present ones, as otherwise the key range of a table would
// answer before its filter. What absent and present lookups cost is never mixed, since a mixed figure hides what
// filters do. Every answer is checked.
//
// The result is a plain value (result.go), from which the writers make JSON (files.go), CSV (csv.go) and Go's benchmark
// format (gobench.go). Package bench/report makes what people look at.
package bench
