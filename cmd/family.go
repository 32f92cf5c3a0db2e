package cmd

import (
	"github.com/spf13/cobra"

	"siftdb/bloom"
)

// family names a kind of filters that tables can have.
type family string

const (
	familyRecommended family = "recommended"
	familyClassic     family = "classic"
	familyBlocked     family = "blocked"
	familyRibbon      family = "ribbon"
	familyFuse        family = "fuse"
	familyCuckoo      family = "cuckoo"
)

// addFamilyFlag gives c the flag --family.
func addFamilyFlag(c *cobra.Command, f *family) {
	addChoice(c, "family", "", "kind of filters", "family", f,
		familyRecommended, familyClassic, familyBlocked, familyRibbon, familyFuse, familyCuckoo)
}

// policy gives tables filters of the family, of so many bits per key; 0: none.
func (f family) policy(bits float64) bloom.Policy {
	switch f {
	case familyClassic:
		return bloom.Classic(bits)
	case familyBlocked:
		return bloom.Blocked(bits)
	case familyRibbon:
		return bloom.Ribbon(bits)
	case familyFuse:
		return bloom.Fuse(bits)
	case familyCuckoo:
		return bloom.Cuckoo(bits)
	}
	return bloom.BitsPerKey(bits)
}
