// Package offheap gives memory outside the Go heap, where the system allows that, for bytes whose end is known. The
// collector lets the heap grow to twice what is alive before it looks for garbage; what is outside neither counts
// towards that nor waits for it.
//
// It knows nothing of what the bytes are for. It is under all that holds much for a while: memtables, logs, and tables
// that are being built.
package offheap
