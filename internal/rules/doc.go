// Package rules holds the house rules as tests: which package may import which, and what no file may do. A rule
// that fails names the remedy.
package rules
