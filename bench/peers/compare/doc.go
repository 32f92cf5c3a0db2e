// Package compare shows rows that were measured: as tables in Markdown, as pictures, and in short for a README, with
// what was hoped for beside each figure. It measures nothing, and goes by the rows and their headers alone.
package compare
