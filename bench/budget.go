package bench

import (
	"math"
	"time"
)

// How long lookups take, roughly, on a machine of today with the tables in the system's cache. Only the number of
// lookups comes from these, so that a run ends soon; no figure in the report does.
const (
	costOfLookup = 500 * time.Nanosecond
	costOfProbe  = 50 * time.Nanosecond
	costOfRead   = 4 * time.Microsecond
	// leveledTables is how many tables a lookup meets in the leveled layout.
	leveledTables = 4
)

const (
	minLookups      = 50 // a phase
	minRoundLookups = 10 // one turn of a comparison
)

// lookupCost estimates how long a lookup of a key takes that is in as many tables as present says, 0 or 1.
func (c *Config) lookupCost(bits Bits, present float64) time.Duration {
	tables := float64(leveledTables)
	if c.Layout == Overlap {
		tables = float64(c.Tables)
	}
	asked := tables - present*(tables-1)/2   // a present key is found half-way
	wrong := math.Pow(0.6185, float64(bits)) // of the textbook Bloom filter
	reads := present + (asked-present)*wrong // of blocks
	perRead := float64(costOfRead + c.DeviceLatency)
	return costOfLookup + time.Duration(asked*float64(costOfProbe)+reads*perRead)
}

// phaseLookups is how many keys of k to look up in one phase.
func (c *Config) phaseLookups(bits Bits, k kind) int {
	if c.Lookups > 0 {
		return min(c.Lookups, k.most)
	}
	if c.KeyFile != "" {
		return k.n
	}
	n := int(c.PhaseTime / c.lookupCost(bits, k.present))
	return min(max(n, minLookups), k.most)
}

// mixedLookups is how many keys to look up where the kinds take turns: what two phases have time for.
func (c *Config) mixedLookups(bits Bits, absent, present kind) int {
	n := c.Lookups
	if n == 0 {
		cost := (1-c.Hits)*float64(c.lookupCost(bits, absent.present)) +
			c.Hits*float64(c.lookupCost(bits, present.present))
		n = max(int(2*float64(c.PhaseTime)/cost), minLookups)
	}
	fits := func(k kind, share float64) int { return int(min(float64(math.MaxInt32), float64(k.most)/share)) }
	return min(n, fits(absent, 1-c.Hits), fits(present, c.Hits))
}

// roundLookups is how many keys one turn of a comparison looks up. All turns together take about a phase's time.
func (c *Config) roundLookups(bits Bits, k kind) int {
	if c.Rounds == 0 {
		return 0
	}
	turn := c.lookupCost(bits, k.present) + c.lookupCost(Off, k.present)
	n := int(c.PhaseTime / time.Duration(c.Rounds) / turn)
	return min(max(n, minRoundLookups), k.most/c.Rounds)
}
