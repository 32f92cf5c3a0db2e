// Package failurecases holds the list of what happened to other stores, in README.md, and the test that every case of
// it is accounted for.
package failurecases
