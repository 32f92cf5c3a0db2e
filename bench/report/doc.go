// Package report shows what a bench.Result says: as tables for a terminal and in Markdown, and as a page with
// pictures, which are also written as SVG and PNG files.
//
// It stands at the end of a run and knows the result alone: no store, no file but those it writes. It measures
// nothing; what a number means is said in package bench.
package report
