package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"siftdb/bloom"
)

// widestSpread of the speed ratios of the rounds, about their median, is that above which they are called doubtful.
const widestSpread = 0.5

// warningsOf names what spoils numbers in r.
func warningsOf(r *Result) []string {
	warnings := []string{}
	warn := func(text string, args ...any) { warnings = append(warnings, fmt.Sprintf(text, args...)) }
	s := &r.Settings
	if raceDetector {
		warn("built with the race detector: times are several times too long")
	}
	if s.CacheSize > 0 && s.DataBytes <= s.CacheSize {
		warn("the data (%s) fits into the block cache (%s): reads end there and disk reads say little",
			humanize.IBytes(uint64(s.DataBytes)), humanize.IBytes(uint64(s.CacheSize)))
	}
	if !s.Cold && s.DeviceLatency == 0 && s.DataBytes < r.Header.MemoryBytes/2 {
		warn("the data (%s) fits into the system's cache of files: disk reads are counted as ever, but cost "+
			"microseconds; --device-latency or --cold shows what a disk would cost",
			humanize.IBytes(uint64(s.DataBytes)))
	}
	warn("writes are not synced while loading: build times are not those of durable writes")
	adaptive := func(row Row) bool { return row.Plan == bloom.Adaptive.String() }
	if s.Warmup == 0 && slices.ContainsFunc(r.Rows, adaptive) {
		warn("the adaptive plan goes by what was looked up, and without --warmup nothing was")
	}
	for _, w := range rowWarnings(r.Rows) {
		warn("%s", w)
	}
	return warnings
}

// rowWarnings names what is doubtful in rows, each kind of doubt once.
func rowWarnings(rows []Row) []string {
	var outside, opened, few, wide []string
	for i := range rows {
		row := &rows[i]
		name := row.Name()
		if f := &row.Filter; f.OutsideTheory {
			outside = append(outside, fmt.Sprintf("%s: %d, not %.0f to %.0f",
				name, f.FalsePasses, f.AcceptedLow, f.AcceptedHigh))
		}
		for _, phase := range []struct {
			name string
			*Phase
		}{{"absent", &row.Absent}, {"present", &row.Present}} {
			if phase.TableOpens > 0 {
				opened = append(opened, fmt.Sprintf("%s %s: %d", name, phase.name, phase.TableOpens))
			}
			if !phase.EnoughForP999() {
				few = append(few, fmt.Sprintf("%s %s: %d", name, phase.name, phase.Lookups))
			}
		}
		wide = append(wide, wideSpreads(name, row.Compared)...)
	}
	var warnings []string
	for _, doubt := range []struct {
		text  string
		where []string
	}{
		{"false passes are outside 4 standard deviations of theory", outside},
		{"tables were opened during lookups, more than the store keeps open; that is in their disk reads", opened},
		{"fewer than 1,000 lookups are too few for a 99.9 % time", few},
		{"the machine is not quiet: the speed ratio spreads wide between rounds", wide},
	} {
		if len(doubt.where) > 0 {
			warnings = append(warnings, doubt.text+" ("+someOf(doubt.where)+")")
		}
	}
	return warnings
}

// mostNamed is how many rows a warning names.
const mostNamed = 4

func someOf(where []string) string {
	if more := len(where) - mostNamed; more > 1 {
		return fmt.Sprintf("%s; and %d more", strings.Join(where[:mostNamed], "; "), more)
	}
	return strings.Join(where, "; ")
}

func wideSpreads(name string, c *Comparison) []string {
	if c == nil {
		return nil
	}
	var wide []string
	for _, side := range []struct {
		name string
		*OnOff
	}{{"absent", &c.Absent}, {"present", &c.Present}} {
		if side.SpeedHigh-side.SpeedLow > widestSpread*side.SpeedRatio {
			wide = append(wide, fmt.Sprintf("%s %s: %.1f to %.1f", name, side.name, side.SpeedLow, side.SpeedHigh))
		}
	}
	return wide
}
