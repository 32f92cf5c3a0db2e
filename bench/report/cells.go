package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// How numbers look in tables for people. Files for programs have them in full.

func size(bytes int64) string { return humanize.IBytes(uint64(max(bytes, 0))) }

func mebibytes(bytes int64) string { return fmt.Sprintf("%.3f", float64(bytes)/(1<<20)) }

// percent shows a share with four significant digits, so that small rates can be told apart.
func percent(share float64) string {
	if share == 0 || share == 1 {
		return strconv.Itoa(int(share)*100) + " %"
	}
	return strconv.FormatFloat(share*100, 'f', decimals(share*100, 4), 64) + " %"
}

// decimals is how many digits after the point give x so many significant ones.
func decimals(x float64, significant int) int {
	before := int(math.Floor(math.Log10(math.Abs(x)))) + 1
	return min(max(significant-before, 0), 8)
}

func theory(f *bench.Filter) string {
	if f.Probes == 0 {
		return "–"
	}
	return percent(f.Expected)
}

func measured(f *bench.Filter) string {
	if f.Probes == 0 {
		return "–"
	}
	mark := ""
	if f.OutsideTheory {
		mark = "! "
	}
	return mark + shares(f.Measured, f.MeasuredLow, f.MeasuredHigh)
}

// shares shows a measured share with the interval that holds it, all with as many digits.
func shares(x, low, high float64) string {
	places := 4
	if high > 0 {
		places = decimals(high*100, 4)
	}
	number := func(share float64) string { return strconv.FormatFloat(share*100, 'f', places, 64) }
	return fmt.Sprintf("%s (%s – %s) %%", number(x), number(low), number(high))
}

func perLookupText(p *bench.Phase) string {
	reads := p.PerLookup(p.DiskReads)
	if reads == 0 {
		return "0"
	}
	return strconv.FormatFloat(reads, 'f', max(2, decimals(reads, 3)), 64)
}

func perSecond(l *bench.Latency) string { return humanize.Comma(int64(math.Round(l.PerSecond))) }

func factor(x float64) string {
	if x == 0 {
		return "–"
	}
	return strconv.FormatFloat(x, 'f', decimals(x, 3), 64)
}

// duration shows three significant digits in the unit that fits.
func duration(d time.Duration) string {
	x, unit := inUnit(d)
	if x == 0 {
		return "0"
	}
	return strconv.FormatFloat(x, 'f', decimals(x, 3), 64) + " " + unit
}

// plainDuration is duration without zeros at the end, as axes have it.
func plainDuration(d time.Duration) string {
	x, unit := inUnit(d)
	if x == 0 {
		return "0"
	}
	return plain(x) + " " + unit
}

func inUnit(d time.Duration) (x float64, unit string) {
	switch {
	case d >= time.Second:
		return d.Seconds(), "s"
	case d >= time.Millisecond:
		return float64(d) / 1e6, "ms"
	case d >= time.Microsecond:
		return float64(d) / 1e3, "µs"
	}
	return float64(d), "ns"
}

// plain shows three significant digits at most, without zeros at the end.
func plain(x float64) string {
	if x == 0 {
		return "0"
	}
	text := strconv.FormatFloat(x, 'f', decimals(x, 3), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
