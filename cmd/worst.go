package cmd

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
)

// worstFlag asks for the tables whose filters are worst, and for how many of them; 0: for the whole list as it is. It
// is also the flag's value.
type worstFlag int

// add gives c the flag --worst.
func (n *worstFlag) add(c *cobra.Command) {
	c.Flags().Var(n, "worst", "list only the tables whose filters are worst, 10 of them or so many")
	c.Flags().Lookup("worst").NoOptDefVal = "10"
}

func (n *worstFlag) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Set takes a number of tables.
func (n *worstFlag) Set(word string) error {
	x, err := strconv.Atoi(word)
	if err != nil || x < 1 {
		return errors.New("a number of tables is expected after =, such as --worst=5")
	}
	*n = worstFlag(x)
	return nil
}

// Type is how help names the flag's values.
func (n *worstFlag) Type() string { return "tables" }

// of picks the worst of rows, the worst first: filters that cannot be used, those whose rate contradicts theory, and
// then by the reads that they have let pass for nothing; where there were none, by those that they should.
func (n worstFlag) of(rows []filterRow) []filterRow {
	if n == 0 {
		return rows
	}
	keys := make(map[int]float64)
	for _, r := range rows {
		if r.scope == "level" {
			keys[r.level] = float64(r.metrics.Keys)
		}
	}
	foretold := func(r filterRow) float64 {
		part := 1.0
		if r.level > 0 {
			part = float64(r.metrics.Keys) / keys[r.level]
		}
		return part * r.letThrough()
	}
	tables := slices.DeleteFunc(slices.Clone(rows), func(r filterRow) bool { return r.scope != "table" })
	slices.SortStableFunc(tables, func(a, b filterRow) int {
		return cmp.Or(
			cmp.Compare(a.order(), b.order()),
			cmp.Compare(b.metrics.FalsePasses, a.metrics.FalsePasses),
			cmp.Compare(foretold(b), foretold(a)))
	})
	return tables[:min(int(n), len(tables))]
}

// order is that of what is wrong with a filter.
func (r filterRow) order() int {
	switch {
	case r.problem != nil || r.info.FilterProblem != nil:
		return 0
	case r.suspect() != "":
		return 1
	}
	return 2
}

// letThrough is the share of absent keys that are let through by what is in memory of the filter.
func (r filterRow) letThrough() float64 {
	if r.metrics.Bits == 0 {
		return 1
	}
	return r.metrics.Expected()
}
