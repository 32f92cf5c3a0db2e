// Package report shows what a bench.Result says: as tables for a terminal and in Markdown, and as a page with
// pictures, which are also written as SVG and PNG files.
//
// It stands at the end of a run and knows the result alone: no store, no file but those it writes. It measures
// nothing; what a number means is said in package bench.
//
// Tables are grids of cells (tables.go, grid.go, cells.go), which text.go writes for a terminal and in Markdown. A
// picture is a chart (chart.go), a value that says what is in it: each kind is made from the result in a file of its
// own (rate.go, reads.go, latency.go, speed.go, saved.go, levels.go, build.go). Rows fall into groups by their policies
// (groups.go), and a group is a line. draw.go draws a chart with gonum's plot, in any size, on a surface: SVG (svg.go)
// or pixels (surface.go). The page (page.go, page.html, page.css, page.js) holds each chart twice, for wide screens
// and for phones, with the tables; its script only adds to what is there.
//
// The same result gives the same bytes. Marks differ in shape and dashes besides colour, and each picture has its
// values in a table.
package report
