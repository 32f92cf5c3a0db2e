package bench

import (
	"fmt"
	"slices"
	"strings"

	"siftdb/bloom"
)

// Family is the kind of filter that a row's tables get.
type Family string

// The families. Recommended is the store's own choice, of another family at each place.
const (
	Recommended Family = "recommended"
	Blocked     Family = "blocked"
	Classic     Family = "classic"
	Ribbon      Family = "ribbon"
	Fuse        Family = "fuse"
	Cuckoo      Family = "cuckoo"
)

// families are the policies behind the names, in the order in which they are listed.
var families = []struct {
	name   Family
	policy func(bits float64) bloom.Policy
	planes bool // some of its filters can be in memory in part
}{
	{Recommended, bloom.BitsPerKey, true},
	{Blocked, bloom.Blocked, false},
	{Classic, bloom.Classic, false},
	{Ribbon, bloom.Ribbon, true},
	{Fuse, bloom.Fuse, false},
	{Cuckoo, bloom.Cuckoo, false},
}

// FamilyNames are the names that ParseFamilies takes.
func FamilyNames() []string {
	var names []string
	for _, f := range families {
		names = append(names, string(f.name))
	}
	return names
}

// ParseFamilies reads a list of families such as "blocked,ribbon".
func ParseFamilies(list string) ([]Family, error) {
	return parseList(list, "filter family", func(word string) (Family, error) {
		if !slices.Contains(FamilyNames(), word) {
			return "", fmt.Errorf("siftdb: bench: filter family %q is none of %s",
				word, strings.Join(FamilyNames(), ", "))
		}
		return Family(word), nil
	})
}

// policy is the filter policy of a family at so many bits per key. f is valid.
func (f Family) policy(bits float64) bloom.Policy {
	for _, known := range families {
		if known.name == f {
			return known.policy(bits)
		}
	}
	return bloom.None
}

// divisible says whether the plan for sharing memory makes a difference: filters that cannot be in memory in part
// are there as they were made under every plan.
func (f Family) divisible() bool {
	for _, known := range families {
		if known.name == f {
			return known.planes
		}
	}
	return false
}

// ParsePlans reads a list of plans such as "uniform,by-level".
func ParsePlans(list string) ([]bloom.Plan, error) {
	return parseList(list, "filter plan", bloom.ParsePlan)
}
