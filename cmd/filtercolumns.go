package cmd

import "fmt"

func filterColumns() []column[filterRow] {
	type R = filterRow
	// measured makes a number of a rate, and nothing of it before the first check of an absent key.
	measured := func(of func(R) float64) func(R) any {
		return func(r R) any {
			if r.absent() == 0 {
				return nil
			}
			return of(r)
		}
	}
	// ofTable makes nothing of what only tables have, elsewhere.
	ofTable := func(of func(R) any) func(R) any {
		return func(r R) any {
			if r.scope != "table" {
				return nil
			}
			return of(r)
		}
	}
	return []column[R]{
		{name: "scope", title: "filters of", value: func(r R) any { return r.scope }, text: R.where},
		{name: "level", value: func(r R) any {
			if r.level < 0 {
				return nil
			}
			return r.level
		}},
		{name: "table", value: func(r R) any { return textOrNil(r.table) }},
		{name: "family", title: "kind", value: func(r R) any { return textOrNil(r.info.FilterFamily) }},
		countColumn("keys", "keys", func(r R) int64 { return r.metrics.Keys }),
		sizeColumn("filter_bytes", "size", func(r R) int64 { return (r.metrics.Bits + 7) / 8 }),
		{name: "bits_asked", title: "asked", value: func(r R) any {
			if r.info.FilterFamily == "" {
				return nil
			}
			return r.info.AskedBitsPerKey
		}},
		{name: "bits_per_key", title: "bits/key", value: func(r R) any { return r.metrics.BitsPerKey() },
			text: func(r R) string { return bitsText(r.metrics.BitsPerKey()) }},
		{name: "planes_resident", title: "planes",
			value: ofTable(func(r R) any { return r.info.ResidentPlanes }), text: R.planesText},
		{name: "planes_built", value: ofTable(func(r R) any { return r.info.FilterPlanes })},
		{name: "file_bytes", value: ofTable(func(r R) any { return (r.info.FilterBits + 7) / 8 })},
		{name: "policy", value: ofTable(func(r R) any { return r.info.FilterPolicy })},
		{name: "rate_expected", title: "expected", value: func(r R) any {
			if r.metrics.Bits == 0 {
				return nil
			}
			return r.metrics.Expected()
		}, text: R.expectedText},
		{name: "rate_measured", title: "measured (95 %)",
			value: measured(func(r R) float64 { return r.metrics.Rate() }), text: R.measuredText},
		{name: "rate_low", value: measured(func(r R) float64 { low, _ := r.metrics.RateBounds(); return low })},
		{name: "rate_high", value: measured(func(r R) float64 { _, high := r.metrics.RateBounds(); return high })},
		countColumn("checks", "checks", func(r R) int64 { return r.metrics.Checks }),
		countColumn("skips", "skips", func(r R) int64 { return r.metrics.Skips }),
		countColumn("true_passes", "true", func(r R) int64 { return r.metrics.TruePasses }),
		countColumn("false_passes", "false", func(r R) int64 { return r.metrics.FalsePasses }),
		countColumn("reads_saved", "reads saved", func(r R) int64 { return r.metrics.BlockReadsSkipped }),
		{name: "mark", title: "mark", value: func(r R) any { return textOrNil(r.mark()) }},
	}
}

// planesText is the planes in memory, of those in the file; nothing for what is not divided.
func (r filterRow) planesText() string {
	if r.info.FilterPlanes <= 1 {
		return ""
	}
	return fmt.Sprintf("%d/%d", r.info.ResidentPlanes, r.info.FilterPlanes)
}

func (r filterRow) expectedText() string {
	if r.metrics.Bits == 0 {
		return ""
	}
	return percentText(r.metrics.Expected())
}

func (r filterRow) measuredText() string {
	if r.absent() == 0 {
		return ""
	}
	low, high := r.metrics.RateBounds()
	return fmt.Sprintf("%s (%s to %s)", percentText(r.metrics.Rate()), percentText(low), percentText(high))
}

// percentText is a rate for people.
func percentText(rate float64) string { return fmt.Sprintf("%.3g %%", 100*rate) }
