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

// wasteOf is the waste of lookups that are done.
func wasteOf(absent, present *tally) Waste {
	a, p := &absent.phase, &present.phase
	vain := a.TablesChecked - a.ReadsSkipped
	w := Waste{
		Absent:       a.PerLookup(vain),
		AbsentTheory: absent.wasteByTheory(),
		Present:      p.PerLookup(p.TablesChecked - p.ReadsSkipped - p.Lookups),
	}
	// Of the tables that were checked so many were searched for nothing: the interval of that share, times the tables
	// that a lookup checks.
	low, high := wilson(vain, a.TablesChecked)
	tables := a.PerLookup(a.TablesChecked)
	w.AbsentLow, w.AbsentHigh = low*tables, high*tables
	return w
}

// wasteByTheory is what lookups of absent keys were to waste, each: every table that no filter was asked about, and the
// others at the rates of their filters.
func (t *tally) wasteByTheory() float64 {
	p := &t.phase
	if p.Lookups == 0 {
		return 0
	}
	return (float64(p.TablesChecked-p.FilterChecks) + t.expected) / float64(p.Lookups)
}
