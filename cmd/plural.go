package cmd

import "github.com/dustin/go-humanize"

// plural is a number of things, such as "1 table" or "2,000 tables"; thing is one of them, and takes an s.
func plural[N wholeNumber](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return humanize.Comma(int64(n)) + " " + thing + "s"
}
