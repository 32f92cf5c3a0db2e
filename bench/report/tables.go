package report

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// gridsOf are the tables of a report, without those that r has nothing for.
func gridsOf(r *bench.Result) []grid {
	all := []grid{mainGrid(r), wasteGrid(r), shapeGrid(r), presentGrid(r), cacheGrid(r), comparedGrid(r), liveGrid(r)}
	return slices.DeleteFunc(all, func(g grid) bool { return len(g.rows) == 0 })
}

func mainGrid(r *bench.Result) grid {
	g := grid{
		title: "Filters and absent keys",
		columns: settingColumns(r, "filter MiB", "true bits/key", "rate theory", "rate measured (95 %)",
			"lookups made", "tables checked", "reads /absent", "reads /present", "reads skipped", "skipped %",
			"p50", "p99", "p99.9", "lookups /s"),
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		f, a, p := &row.Filter, &row.Absent, &row.Present
		g.rows = append(g.rows, append(settingCells(r, row,
			mebibytes(f.Bytes), fmt.Sprintf("%.2f", f.BitsPerKey), theory(f), measured(f),
			humanize.Comma(a.Lookups), fmt.Sprintf("%.2f", a.PerLookup(a.TablesChecked)),
			perLookupText(a), perLookupText(p), humanize.Comma(a.ReadsSkipped), percent(a.SkippedShare()),
		), latencyCells(a)...))
		if f.OutsideTheory {
			g.notes = []string{"! measured is outside 4 standard deviations of theory"}
		}
	}
	if len(g.rows) > 0 {
		g.notes = append(g.notes,
			"Tables checked and reads are a lookup's. Lookups, skipped reads and times are those of absent keys.",
			"Skipped % is of the reads that the lookups would have needed without filters.")
	}
	return g
}

func presentGrid(r *bench.Result) grid {
	g := grid{
		title: "Present keys",
		columns: settingColumns(r, "lookups made", "tables checked", "disk reads", "reads skipped", "skipped %",
			"p50", "p99", "p99.9", "lookups /s"),
	}
	for i := range r.Rows {
		p := &r.Rows[i].Present
		g.rows = append(g.rows, append(settingCells(r, &r.Rows[i],
			humanize.Comma(p.Lookups), fmt.Sprintf("%.2f", p.PerLookup(p.TablesChecked)),
			perLookupText(p), humanize.Comma(p.ReadsSkipped), percent(p.SkippedShare()),
		), latencyCells(p)...))
	}
	return g
}

func comparedGrid(r *bench.Result) grid {
	g := grid{
		title: "Filters on beside filters off, same files, taking turns",
		columns: settingColumns(r, "keys", "lookups each", "reads on", "reads off", "reads off/on",
			"p50 on", "p50 off", "lookups/s on", "lookups/s off", "speed on/off", "rounds' range"),
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Compared == nil {
			continue
		}
		for _, side := range []struct {
			name string
			*bench.OnOff
		}{{"absent", &row.Compared.Absent}, {"present", &row.Compared.Present}} {
			ratio := "all saved"
			if side.ReadsRatio != nil {
				ratio = factor(*side.ReadsRatio)
			}
			g.rows = append(g.rows, settingCells(r, row,
				side.name, humanize.Comma(side.On.Lookups),
				perLookupText(&side.On), perLookupText(&side.Off), ratio,
				duration(side.On.Latency.P50), duration(side.Off.Latency.P50),
				perSecond(&side.On.Latency), perSecond(&side.Off.Latency),
				factor(side.SpeedRatio), factor(side.SpeedLow)+" – "+factor(side.SpeedHigh),
			))
		}
	}
	return g
}

func latencyCells(p *bench.Phase) []string {
	p999 := "–"
	if p.EnoughForP999() {
		p999 = duration(p.Latency.P999)
	}
	return []string{duration(p.Latency.P50), duration(p.Latency.P99), p999, perSecond(&p.Latency)}
}
