package bench

import (
	"strings"

	"siftdb/bloom"
)

// Setting is what a row is known by: bits per key, how memory is shared out among tables, and the family of filters.
// Without filters, at Off, plan and family say nothing.
type Setting struct {
	Bits   Bits
	Plan   bloom.Plan
	Family Family
}

// usualPlan and Recommended go without saying.
const usualPlan = bloom.ByLevel

// settings are the rows of c, by bits, then family, then plan. Families whose filters cannot be divided are the same
// under every plan, so that the first is enough.
func (c *Config) settings() []Setting {
	var all []Setting
	for _, bits := range c.Bits {
		if bits == Off {
			all = append(all, Setting{})
			continue
		}
		for _, family := range c.Families {
			for i, plan := range c.Plans {
				if i == 0 || family.divisible() {
					all = append(all, Setting{bits, plan, family})
				}
			}
		}
	}
	return all
}

// NumRows is how many rows, or live changes, a whole run of c has.
func (c *Config) NumRows() int {
	if len(c.Live) > 0 {
		return len(c.Live) - 1
	}
	return len(c.settings())
}

// Policy is the filter policy of the setting.
func (s Setting) Policy() bloom.Policy {
	if s.Bits == Off {
		return bloom.None
	}
	return s.Family.policy(float64(s.Bits))
}

// row begins the row of the setting.
func (s Setting) row() Row {
	row := Row{Bits: s.Bits, Policy: s.Policy().String()}
	if s.Bits != Off {
		row.Plan, row.Family = s.Plan.String(), s.Family
	}
	return row
}

// String is the row's name.
func (s Setting) String() string {
	row := s.row()
	return row.Name()
}

// dir is the name of the directory of the setting's store.
func (s Setting) dir() string {
	row := s.row()
	return "bits-" + strings.Join(row.words(), "-")
}

// Name is "bits 10", and what is not as usual, as in "bits 10, uniform, blocked".
func (r *Row) Name() string { return "bits " + strings.Join(r.words(), ", ") }

// Kind is the row's policy without its bits per key, such as "ribbon".
func (r *Row) Kind() string { return strings.TrimSuffix(r.Policy, " "+r.Bits.String()) }

// UnusualPlan says whether the row's filters share memory in another way than they do without being asked.
func (r *Row) UnusualPlan() bool { return r.Plan != "" && r.Plan != usualPlan.String() }

// UnusualFamily says whether the row has another family of filters than rows have without being asked.
func (r *Row) UnusualFamily() bool { return r.Family != "" && r.Family != Recommended }

// words are what tells the row from others; plan and family only where they are not as usual.
func (r *Row) words() []string {
	words := []string{r.Bits.String()}
	if r.Bits == Off {
		return words
	}
	if r.UnusualPlan() {
		words = append(words, r.Plan)
	}
	if r.UnusualFamily() {
		words = append(words, string(r.Family))
	}
	return words
}
