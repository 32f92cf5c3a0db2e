package bench

import (
	"time"

	"siftdb/bloom"
)

// Default is a run of all rows in under three minutes on two processors.
func Default() Config {
	return Config{
		Keys:         1_000_000,
		KeyForm:      HexKeys,
		ValueSize:    100,
		Bits:         []Bits{Off, 2, 4, 6, 8, 10, 12, 14, 16, 20},
		Plans:        []bloom.Plan{usualPlan}, // what follows the traffic does not repeat to the read
		Families:     []Family{Recommended},
		Layout:       Leveled,
		Tables:       10,
		Levels:       4,
		Ratio:        10,
		MemTableSize: 4300 << 10, // leaves three tables in level 0, as there often are while a store is written to
		TableSize:    4 << 20,
		Traffic:      EvenTraffic,
		Ranges:       1000,
		PhaseTime:    1500 * time.Millisecond,
		Rounds:       5,
		Seed:         1,
	}
}

// Quick is Default, smaller: under 30 seconds.
func Quick() Config {
	c := Default()
	c.Keys = 200_000
	c.MemTableSize = 2 << 20 // likewise
	c.TableSize = 2 << 20
	c.PhaseTime = 250 * time.Millisecond
	return c
}

// FullLevels is a run of the Levels layout: eleven million keys in four levels, under ten minutes.
func FullLevels() Config {
	c := Default()
	c.Layout = Levels
	c.Keys = 11_110_000
	c.ValueSize = 20
	c.Bits = []Bits{6, 10}
	return c
}

// QuickLevels is FullLevels with a fifth of the keys.
func QuickLevels() Config {
	c := FullLevels()
	c.Keys = 2_222_000
	c.PhaseTime = Quick().PhaseTime
	return c
}

// youngTables is how many tables a leveled store has in level 0 just before it merges them.
const youngTables = flushesPerMerge - 1

// leaveYoungTables makes the memtable a little larger, so that filling the store ends with as many tables in level 0 as
// it puts up with: reads of a store that is being written to meet some.
func (c *Config) leaveYoungTables() {
	spelling, _ := c.KeyForm.spelling()
	total := int64(c.Keys) * int64(spelling.size()+c.ValueSize+memTablePerKey)
	flushes := (total + c.MemTableSize - 1) / c.MemTableSize
	for flushes > youngTables && flushes%flushesPerMerge != youngTables {
		flushes--
	}
	c.MemTableSize = (total + flushes - 1) / flushes
}
