package cmd

import (
	"fmt"
	"io"
	"strings"

	"siftdb/internal/forecast"
)

// write writes what was computed, and the advice.
func (t *tuning) write(w io.Writer, format outputFormat, notes []string) error {
	levels := make([]int, len(t.now.Levels))
	for i := range levels {
		levels[i] = i
	}
	sections := []section{
		listed("levels", t.levelColumns(), levels),
		listed("curve", t.curveColumns(), t.curve),
	}
	if format == outputJSON { // people have it in the notes
		sections = append(sections, stated("sums", t.sums()))
	}
	return writeSections(w, format, "curve", sections, notes)
}

// sums are the numbers that the advice rests on.
func (t *tuning) sums() []fact {
	facts := []fact{
		{name: "bits_set", value: t.bits},
		{name: "bits_now", value: t.now.BitsPerKey()},
		{name: "memory_now_bytes", value: bytesOfBits(t.now.Memory)},
		{name: "wasted_now", value: t.now.Wasted},
		{name: "best", value: t.best.Kind.String()},
		{name: "memory_best_bytes", value: bytesOfBits(t.best.Memory)},
		{name: "wasted_best", value: t.best.Wasted},
		{name: "next_mib_saves", value: t.best.Wasted - t.next.Wasted},
	}
	if t.probed != nil {
		facts = append(facts,
			fact{name: "lookups", value: t.probed.lookups()},
			fact{name: "found", value: t.store.Found},
			fact{name: "wasted_measured", value: part(t.probed.searched, t.probed.lookups())},
			fact{name: "wasted_theory", value: t.theory})
	}
	if t.cache != nil {
		facts = append(facts,
			fact{name: "wasted_from_files", value: t.probed.fromFile()},
			fact{name: "next_mib_of_cache_saves", value: t.cache.perMiB()})
	}
	return facts
}

// levelColumns are about the levels by their index: what their filters are now, what is best in the same memory, and
// what level the next MiB goes to.
func (t *tuning) levelColumns() []column[int] {
	number := func(name, title string, of func(i int) float64, text func(float64) string) column[int] {
		return column[int]{name, title, func(i int) any { return of(i) }, func(i int) string { return text(of(i)) }}
	}
	bits := func(o *forecast.Outcome) func(int) float64 {
		return func(i int) float64 { return o.Levels[i].BitsPerKey() }
	}
	rate := func(o *forecast.Outcome) func(int) float64 { return func(i int) float64 { return o.Levels[i].Rate() } }
	return []column[int]{
		{name: "level", title: "level", value: func(i int) any { return t.now.Levels[i].Level },
			text: func(i int) string { return levelText(t.now.Levels[i].Level) }},
		countColumn("tables", "tables", func(i int) int64 { return t.now.Levels[i].Tables }),
		countColumn("keys", "keys", func(i int) uint64 { return t.now.Levels[i].Keys }),
		number("misses", "misses /lookup", func(i int) float64 { return t.now.Levels[i].Misses }, readsText),
		number("bits_now", "bits/key now", bits(&t.now), bitsText),
		number("rate_now", "rate", rate(&t.now), percentText),
		number("bits_best", "best", bits(&t.best), bitsText),
		number("rate_best", "rate", rate(&t.best), percentText),
		sizeColumn("next_mib_bytes", "of the next MiB", t.getsOfNextMiB),
	}
}

// curveColumns are the wasted reads of a lookup for each kind.
func (t *tuning) curveColumns() []column[curvePoint] {
	columns := []column[curvePoint]{
		{name: "bits_per_key", title: "bits/key", value: func(p curvePoint) any { return p.bits }},
		sizeColumn("memory_bytes", "memory",
			func(p curvePoint) int64 { return bytesOfBits(uint64(p.bits * float64(t.store.Keys()))) }),
	}
	for i, kind := range t.curveKinds() {
		columns = append(columns, column[curvePoint]{
			name: strings.NewReplacer(", ", "_", " ", "_", "-", "_").Replace(kind.String()), title: kind.String(),
			value: func(p curvePoint) any { return p.outcomes[i].Wasted },
			text:  func(p curvePoint) string { return fmt.Sprintf("%.3g", p.outcomes[i].Wasted) },
		})
	}
	return columns
}
