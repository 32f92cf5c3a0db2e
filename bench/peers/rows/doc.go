// Package rows holds what a measurement leaves behind: a header that says where and how it was made, and a row for each
// phase of each store in each repetition. It knows how they lie in a file, JSON of one value a line, and nothing of how
// they are measured or shown.
package rows
