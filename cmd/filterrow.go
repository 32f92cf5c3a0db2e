package cmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"siftdb/db"
	"siftdb/sstable"
)

// filterRow is the filters of a store, a level or a table.
type filterRow struct {
	scope   string // "store", "level" or "table"
	level   int    // -1 for the store
	table   string
	metrics db.FilterMetrics
	// What follows is of tables only. problem is why the whole filter cannot be used, and outdated the setting that it
	// was made for if that is another than it should be.
	info     db.TableInfo
	problem  error
	outdated string
}

// filterRows has the store first, then each level that holds or held something, and its tables.
func filterRows(store *db.DB, dir string, setting filterSetting) []filterRow {
	metrics := store.Metrics()
	tables := make(map[int][]db.TableInfo)
	for t := range store.Tables() {
		tables[t.Level] = append(tables[t.Level], t)
	}
	rows := []filterRow{{scope: "store", level: -1, metrics: metrics.Filter}}
	for _, level := range metrics.Levels {
		if level.Tables == 0 && level.Filter.Checks == 0 {
			continue
		}
		rows = append(rows, filterRow{scope: "level", level: level.Level, metrics: level.Filter})
		for _, t := range tables[level.Level] {
			rows = append(rows, filterRow{
				scope: "table", level: t.Level, table: t.File, metrics: t.Filter, info: t,
				problem: filterProblem(filepath.Join(dir, t.File)), outdated: setting.outdated(t),
			})
		}
	}
	return rows
}

// filterProblem says why a table's filter cannot be used, or the table itself. The file is read apart from the
// store, whose counters and open tables stay as they are.
func filterProblem(file string) error {
	return withTable(file, func(r *sstable.Reader) error {
		_, err := r.LoadFilter()
		return err
	})
}

// where is the row's name for people.
func (r filterRow) where() string {
	switch r.scope {
	case "store":
		return "store"
	case "level":
		return fmt.Sprintf("L%d", r.level)
	}
	return "   " + r.table
}

// absent is how many of the row's checks were for keys that are not there: what rates are about.
func (r filterRow) absent() int64 { return r.metrics.Skips + r.metrics.FalsePasses }

// suspect says on which side of theory the measured rate lies, if it contradicts it.
func (r filterRow) suspect() string {
	switch {
	case !r.metrics.Suspect():
		return ""
	case r.metrics.Rate() > r.metrics.Expected():
		return "above theory"
	}
	return "below theory"
}

// mark is what must not be overlooked.
func (r filterRow) mark() string {
	var marks []string
	switch {
	case r.problem != nil:
		marks = append(marks, "unusable: "+reasonOf(r.problem))
	case r.info.FilterProblem != nil: // of some planes
		marks = append(marks, "partly unusable: "+reasonOf(r.info.FilterProblem))
	}
	if r.scope == "table" && r.info.FilterFamily == "" {
		marks = append(marks, "no filter")
	}
	if r.outdated != "" {
		marks = append(marks, "older setting: "+r.outdated)
	}
	if side := r.suspect(); side != "" {
		marks = append(marks, side)
	}
	return strings.Join(marks, "; ")
}
