package cmd

import (
	"fmt"
	"io"
	"time"

	"siftdb/internal/forecast"
)

// planned is a store that need not exist, and what filters would be to it.
type planned struct {
	levels     []forecast.Level
	rows       []plannedFilters
	latency    time.Duration // of a disk read
	hits, skew float64
}

// plannedFilters is what one kind of filters would be.
type plannedFilters struct {
	kind    forecast.Kind
	reached bool // the target; else there is no outcome
	outcome forecast.Outcome
}

func (p *planned) write(w io.Writer, format outputFormat) error {
	names := []column[plannedFilters]{
		{name: "family", title: "filters", value: func(r plannedFilters) any { return r.kind.Family }},
		{name: "plan", title: "shared out", value: func(r plannedFilters) any { return r.kind.Plan.String() }},
	}
	sums, byLevel := append(names, p.sums()...), append(names[:2:2], p.byLevel()...)
	if format == outputCSV {
		sums = append(sums, p.byLevel()...)
	}
	return writeSections(w, format, "filters", []section{
		listed("levels", levelColumns(), p.levels),
		listed("filters", sums, p.rows),
		listed("by_level", byLevel, p.rows),
	}, p.notes())
}

func (p *planned) notes() []string {
	return []string{
		fmt.Sprintf("Reads are of data blocks, without a block cache, for a key that is not there and for one that "+
			"is; each takes %v. Under each level: bits per key, and the share of absent keys that its filters let "+
			"pass.", p.latency),
		fmt.Sprintf("Memory is shared out evenly (uniform), as is best if all levels are missed as often (by-level), "+
			"or by the misses there are (adaptive): here %g %% of lookups find their key, and the tables of a level "+
			"are asked with a skew of %g.", 100*p.hits, p.skew),
		"Recommended is what a store does by itself: blocked in level 0, ribbon below. Classic by level is theory: " +
			"no store here builds it.",
	}
}

func levelColumns() []column[forecast.Level] {
	type L = forecast.Level
	return []column[L]{
		{name: "level", title: "level", value: func(l L) any { return l.Number },
			text: func(l L) string { return levelText(l.Number) }},
		countColumn("tables", "tables", func(l L) int64 { return l.Tables }),
		countColumn("keys", "keys", func(l L) uint64 { return l.Keys }),
		sizeColumn("bytes", "size", func(l L) int64 { return int64(l.Bytes) }),
		{name: "cover", title: "of the range", value: func(l L) any { return l.Cover },
			text: func(l L) string { return fmt.Sprintf("%.0f %%", 100*l.Cover) }},
	}
}

func levelText(level int) string { return fmt.Sprintf("L%d", level) }

// outcomeColumn is a column of a number of what filters would be, and empty where a target is beyond their reach.
func outcomeColumn[N wholeNumber | float64](
	name, title string, of func(forecast.Outcome) N, text func(N) string,
) column[plannedFilters] {
	return column[plannedFilters]{name, title,
		func(r plannedFilters) any {
			if !r.reached {
				return nil
			}
			return of(r.outcome)
		},
		func(r plannedFilters) string {
			if !r.reached {
				return "–"
			}
			return text(of(r.outcome))
		}}
}

// sums are the columns about the whole store.
func (p *planned) sums() []column[plannedFilters] {
	type O = forecast.Outcome
	absent := func(o O) float64 { return o.Absent }
	present := func(o O) float64 { return 1 + o.Present }
	took := func(reads func(O) float64) func(O) float64 {
		return func(o O) float64 { return reads(o) * float64(p.latency) }
	}
	return []column[plannedFilters]{
		outcomeColumn("bits_per_key", "bits/key", O.BitsPerKey, bitsText),
		outcomeColumn("memory_bytes", "memory", func(o O) int64 { return bytesOfBits(o.Memory) }, sizeText),
		outcomeColumn("absent_reads", "reads /absent", absent, readsText),
		outcomeColumn("present_reads", "/present", present,
			func(reads float64) string { return fmt.Sprintf("%.4f", reads) }),
		outcomeColumn("absent_ns", "time /absent", took(absent), timeText),
		outcomeColumn("present_ns", "/present", took(present), timeText),
	}
}

// byLevel are two columns a level; people get both numbers in one.
func (p *planned) byLevel() (columns []column[plannedFilters]) {
	for i, l := range p.levels {
		level := func(o forecast.Outcome) forecast.LevelOutcome { return o.Levels[i] }
		bits := outcomeColumn("bits_"+levelText(l.Number), levelText(l.Number),
			func(o forecast.Outcome) float64 { return level(o).BitsPerKey() }, bitsText)
		rate := outcomeColumn("rate_"+levelText(l.Number), "",
			func(o forecast.Outcome) float64 { return level(o).Rate() }, percentText)
		bits.text = func(r plannedFilters) string {
			if !r.reached {
				return "–"
			}
			return fmt.Sprintf("%.1f  %s", level(r.outcome).BitsPerKey(), percentText(level(r.outcome).Rate()))
		}
		columns = append(columns, bits, rate)
	}
	return columns
}
