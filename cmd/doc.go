// Package cmd holds the commands of the siftdb program, a file each, so that other programs can mount them: New gives
// the whole tree, to be added to a host's own as it is; a command taken out of the tree must leave its GroupID behind.
//
// A command named X is made by newXCommand in x.go. It writes data to the command's output and everything else to its
// error output, takes its context for cancelling, and returns errors instead of ending the process; ExitCode says
// which exit code an error stands for. What flags mean is known here; how things are measured, read or checked is known
// by the packages that the commands call.
package cmd
