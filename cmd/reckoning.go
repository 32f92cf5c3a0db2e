package cmd

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// readsText is a number of reads, which may be a small part of one, with the three digits that forecasts are good for.
func readsText(reads float64) string {
	if reads >= 999.5 {
		return humanize.Comma(int64(reads + 0.5))
	}
	return fmt.Sprintf("%.3g", reads)
}

// timeText is a time in nanoseconds, or a small part of one.
func timeText(ns float64) string {
	unit := "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if ns < 999.5 {
			break
		}
		ns, unit = ns/1000, larger
	}
	return readsText(ns) + " " + unit
}

// bytesOfBits is how many bytes hold so many bits.
func bytesOfBits(bits uint64) int64 { return int64((bits + 7) / 8) }
