package forecast

import "siftdb/bloom"

// Kind is which filters a store has, apart from how many bits.
type Kind struct {
	// Family is the name of the filters' family.
	Family string
	// Plan is how memory is shared out.
	Plan bloom.Plan

	policy func(bits float64) bloom.Policy // nil: those that are built
	// tailored filters cannot be divided, and are built at each level with the bits that the plan gives it.
	tailored bool
	// shared memory is with filters of level 0 that cannot be divided either: they are built with bloom.YoungBits.
	shared bool
}

// The kinds.
var (
	// None is no filters at all.
	None = Kind{Family: "none", Plan: bloom.Uniform, policy: func(float64) bloom.Policy { return bloom.None }}
	// UniformBlocked is what many stores do.
	UniformBlocked = Kind{Family: "blocked", Plan: bloom.Uniform, policy: bloom.Blocked}
	// UniformClassic is the textbook.
	UniformClassic = Kind{Family: "classic", Plan: bloom.Uniform, policy: bloom.Classic}
	// ByLevelClassic is the optimum of Dayan, Athanassoulis and Idreos (Monkey, 2017): filters built with more bits
	// the younger the level.
	ByLevelClassic = Kind{Family: "classic", Plan: bloom.ByLevel, policy: bloom.Classic, tailored: true}
	// UniformFuse and UniformCuckoo store fingerprints, of whole bits.
	UniformFuse   = Kind{Family: "fuse", Plan: bloom.Uniform, policy: bloom.Fuse}
	UniformCuckoo = Kind{Family: "cuckoo", Plan: bloom.Uniform, policy: bloom.Cuckoo}
	// UniformRibbon has as many planes everywhere.
	UniformRibbon = Kind{Family: "ribbon", Plan: bloom.Uniform, policy: bloom.Ribbon}
	// ByLevelRibbon shares planes out as if all levels were missed as often.
	ByLevelRibbon = Kind{Family: "ribbon", Plan: bloom.ByLevel, policy: bloom.Ribbon}
	// AdaptiveRibbon shares planes out by the misses that there are.
	AdaptiveRibbon = Kind{Family: "ribbon", Plan: bloom.Adaptive, policy: bloom.Ribbon}
	// Recommended is what a store does by itself: blocked in level 0 and ribbon below, by the misses that there are.
	Recommended = Kind{Family: "recommended", Plan: bloom.Adaptive, policy: bloom.BitsPerKey, shared: true}
	// AsBuilt is the filters that there are, as much of them in memory as bits per key allow.
	AsBuilt = Kind{Family: "as built", Plan: bloom.Adaptive}
)

// Kinds lists all kinds that can be built, from none to what a store does by itself.
func Kinds() []Kind {
	return []Kind{None, UniformBlocked, UniformClassic, UniformFuse, UniformCuckoo, ByLevelClassic, UniformRibbon,
		ByLevelRibbon, AdaptiveRibbon, Recommended}
}

// String is the kind as lists name it.
func (k Kind) String() string {
	if k.Family == None.Family {
		return k.Family
	}
	return k.Family + ", " + k.Plan.String()
}
