// Package rules holds the house rules as tests: which package may import which, what no file may do, and that the
// pages for people say what is so. A rule that fails names the remedy.
package rules
