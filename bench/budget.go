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

// phaseLookups is how many of available keys to look up in one phase.
func (c *Config) phaseLookups(bits Bits, present float64, available int) int {
	if c.Lookups > 0 {
		return min(c.Lookups, available)
	}
	if c.KeyFile != "" {
		return available
	}
	n := int(c.PhaseTime / c.lookupCost(bits, present))
	return min(max(n, minLookups), available)
}

// roundLookups is how many keys one turn of a comparison looks up. All turns together take about a phase's time.
func (c *Config) roundLookups(bits Bits, present float64, available int) int {
	if c.Rounds == 0 {
		return 0
	}
	turn := c.lookupCost(bits, present) + c.lookupCost(Off, present)
	n := int(c.PhaseTime / time.Duration(c.Rounds) / turn)
	return min(max(n, minRoundLookups), available/c.Rounds)
}
