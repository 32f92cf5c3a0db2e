package cmd

import (
	"fmt"
	"io"

	"siftdb/internal/simulate"
)

// simulated is what came of a workload under one style of compaction.
type simulated struct {
	style  string
	result simulate.Result
}

func writeSimulated(w io.Writer, format outputFormat, rows []simulated) error {
	var levels []simulatedLevel
	for _, r := range rows {
		for _, l := range r.result.Levels {
			levels = append(levels, simulatedLevel{r.style, l})
		}
	}
	return writeSections(w, format, "simulated", []section{
		listed("simulated", simulatedColumns(), rows),
		listed("levels", simulatedLevelColumns(), levels),
	}, nil)
}

func simulatedColumns() []column[simulated] {
	type R = simulate.Result
	times := func(name, title string, of func(R) float64) column[simulated] {
		return column[simulated]{name: name, title: title,
			value: func(s simulated) any { return of(s.result) },
			text:  func(s simulated) string { return fmt.Sprintf("%.2f", of(s.result)) }}
	}
	number := func(name, title string, of func(R) int64) column[simulated] {
		return countColumn(name, title, func(s simulated) int64 { return of(s.result) })
	}
	size := func(name string, of func(R) int64) column[simulated] {
		return sizeColumn(name, "", func(s simulated) int64 { return of(s.result) })
	}
	return []column[simulated]{
		{name: "compaction", title: "compaction", value: func(s simulated) any { return s.style }},
		times("write_amplification", "written/byte", R.WriteAmplification),
		times("peak_amplification", "room, at most", R.PeakAmplification),
		times("space_amplification", "at the end", R.SpaceAmplification),
		times("mean_runs", "tables a lookup", func(r R) float64 { return r.MeanRuns }),
		number("most_runs", "at most", func(r R) int64 { return int64(r.MostRuns) }),
		number("writes", "", func(r R) int64 { return r.Writes }),
		number("flushes", "flushes", func(r R) int64 { return r.Flushes }),
		number("merges", "merges", func(r R) int64 { return r.Merges }),
		number("moves", "moves", func(r R) int64 { return r.Moves }),
		{name: "stopped", title: "stopped", value: func(s simulated) any { return s.result.Stopped },
			text: func(s simulated) string { return percentText(s.result.Stopped) }},
		size("user_bytes", func(r R) int64 { return r.UserBytes }),
		size("flushed_bytes", func(r R) int64 { return r.FlushedBytes }),
		size("compacted_bytes", func(r R) int64 { return r.CompactedBytes }),
		size("live_bytes", func(r R) int64 { return r.LiveBytes }),
		size("end_bytes", func(r R) int64 { return r.EndBytes }),
		size("peak_bytes", func(r R) int64 { return r.PeakBytes }),
	}
}

// simulatedLevel is a level that holds tables at the end.
type simulatedLevel struct {
	style string
	simulate.Level
}

func simulatedLevelColumns() []column[simulatedLevel] {
	type L = simulatedLevel
	return []column[L]{
		{name: "compaction", title: "compaction", value: func(l L) any { return l.style }},
		{name: "level", title: "level", value: func(l L) any { return l.Level.Level },
			text: func(l L) string { return levelText(l.Level.Level) }},
		countColumn("tables", "tables", func(l L) int { return l.Tables }),
		sizeColumn("bytes", "size", func(l L) int64 { return l.Bytes }),
	}
}
