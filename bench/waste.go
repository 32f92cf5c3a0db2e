package bench

// Waste is block reads for nothing, a lookup: of tables that were searched and did not hold the key. They are what
// filters are for, and can be compared between rows of one run at the same bits per key.
type Waste struct {
	Absent       float64 `json:"absent"`        // a lookup of an absent key
	AbsentLow    float64 `json:"absent_low"`    // 95 % interval
	AbsentHigh   float64 `json:"absent_high"`   //
	AbsentTheory float64 `json:"absent_theory"` // by the filters' sizes, as they were asked
	Present      float64 `json:"present"`       // a lookup of a present key, beside the read that finds it
}

// wasteOf is the waste of a row whose lookups are done.
func wasteOf(row *Row) Waste {
	a, p := &row.Absent, &row.Present
	vain := a.TablesChecked - a.ReadsSkipped
	unfiltered := a.TablesChecked - a.FilterChecks
	w := Waste{
		Absent:  a.PerLookup(vain),
		Present: p.PerLookup(p.TablesChecked - p.ReadsSkipped - p.Lookups),
	}
	// Of the tables that were checked so many were searched for nothing: the interval of that share, times the tables
	// that a lookup checks.
	low, high := wilson(vain, a.TablesChecked)
	tables := a.PerLookup(a.TablesChecked)
	w.AbsentLow, w.AbsentHigh = low*tables, high*tables
	if a.Lookups > 0 {
		w.AbsentTheory = (float64(unfiltered) + row.Filter.Expected*float64(row.Filter.Probes)) / float64(a.Lookups)
	}
	return w
}
