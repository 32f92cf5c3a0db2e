package bench

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// Above these, numbers are called doubtful.
const (
	widestSpread  = 0.5 // of the speed ratios of the rounds, about their median
	fewestLookups = 1000
)

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
		warn("the data (%s) fits into the system's cache of files: disk reads are counted as ever, but cost microseconds; "+
			"--device-latency or --cold shows what a disk would cost", humanize.IBytes(uint64(s.DataBytes)))
	}
	warn("writes are not synced while loading: build times are not those of durable writes")
	for i := range r.Rows {
		rowWarnings(&r.Rows[i], warn)
	}
	return warnings
}

func rowWarnings(row *Row, warn func(string, ...any)) {
	if row.Filter.OutsideTheory {
		f := &row.Filter
		warn("bits %s: %d false passes are outside the %.0f to %.0f that theory allows (4 standard deviations)",
			row.Bits, f.FalsePasses, f.AcceptedLow, f.AcceptedHigh)
	}
	if opens := row.Absent.TableOpens + row.Present.TableOpens; opens > 0 {
		warn("bits %s: tables were opened %d times during lookups, which is in their disk reads", row.Bits, opens)
	}
	for _, phase := range []struct {
		name string
		*Phase
	}{{"absent", &row.Absent}, {"present", &row.Present}} {
		if phase.Lookups < fewestLookups {
			warn("bits %s: %d lookups of %s keys are too few for the 99.9 %% time", row.Bits, phase.Lookups, phase.name)
		}
	}
	if row.Compared == nil {
		return
	}
	for _, side := range []struct {
		name string
		*OnOff
	}{{"absent", &row.Compared.Absent}, {"present", &row.Compared.Present}} {
		if side.SpeedHigh-side.SpeedLow > widestSpread*side.SpeedRatio {
			warn("bits %s: the speed ratio for %s keys spreads from %.2f to %.2f between rounds: the machine is not quiet",
				row.Bits, side.name, side.SpeedLow, side.SpeedHigh)
		}
	}
}
