package bench

import (
	"fmt"
	"time"

	"siftdb/bloom"
)

// Scenario is a run that plays what filters are for: settings with a story.
type Scenario struct {
	Name  string
	Title string // a few words
	// Text says in a paragraph what is played, and what to look at.
	Text string
	// changes makes a run of Default or Quick, or of FullLevels or QuickLevels where levels is set.
	levels  bool
	changes func(c *Config)
}

// Scenarios lists them.
func Scenarios() []Scenario { return scenarios }

var scenarios = []Scenario{
	{
		Name:  "signup",
		Title: "is this address taken? nearly always it is not",
		Text: "Is this address taken? A form asks that on every key stroke, and 95 times in 100 it is not: a lookup " +
			"of an absent key. Without filters each of these reads a block of every level to find nothing. --keys " +
			"and --absent take real names instead of made ones.",
		changes: func(c *Config) {
			c.KeyForm = EmailKeys
			c.Bits = []Bits{Off, 6, 10, 14}
			c.Hits = 0.05
			c.leaveYoungTables()
		},
	},
	{
		Name:  "cassandra",
		Title: "a hundred tables over each other, on a slow disk",
		Text: "A node whose compaction is far behind, as in stores that merge tables of like size: a hundred tables " +
			"lie over each other, and a disk takes a millisecond for a read. Without filters an absent key costs a " +
			"hundred reads, a present one half as many.",
		changes: func(c *Config) {
			c.Layout, c.Tables = Overlap, 100
			c.Bits = []Bits{Off, 6, 10, 16}
			c.DeviceLatency = time.Millisecond
			c.Rounds = 0 // the row without filters takes long enough
		},
	},
	{
		Name:  "cdn",
		Title: "one-hit wonders beside a block cache",
		Text: "A cache at the edge of a network: most objects that are asked for are asked for once and never again " +
			"(Maggs and Sitaraman, Algorithmic nuggets in content delivery, 2015), so three lookups of four are of " +
			"keys that are not there, each another one, and the rest goes to few. There is a block cache a tenth as " +
			"large as the data. Without filters the one-hit wonders read blocks and push others out of it.",
		changes: func(c *Config) {
			c.KeyForm = URLKeys
			c.Bits = []Bits{Off, 6, 10}
			c.Traffic, c.Hits = ZipfTraffic, 0.25
			c.CacheSize = int64(c.Keys) * 12
			c.Warmup = c.Keys / 2
			c.leaveYoungTables()
		},
	},
	{
		Name:  "safebrowsing",
		Title: "a list at rest; families of filters compared",
		Text: "A list of bad web pages that is made once and asked for every page that is looked at, nearly none of " +
			"which is on it: one level, at rest. Here the families of filters can be compared at equal bits: of " +
			"tables that never change, building costs nothing that matters.",
		levels: true,
		changes: func(c *Config) {
			c.Keys /= 10
			c.Levels = 1
			c.KeyForm = URLKeys
			c.Bits = []Bits{8, 12}
			c.Families = []Family{Blocked, Classic, Cuckoo, Fuse, Ribbon}
			c.Hits = 0.001
			c.Lookups = c.Keys
			c.Rounds = 0
		},
	},
	{
		Name:  "elastic",
		Title: "four full levels; today's filters beside elastic ones",
		Text: "A store that has grown for long: four full levels, each ten times as large as the one above. At equal " +
			"memory, filters of a cache line with equal bits everywhere, as stores do today, stand beside filters in " +
			"planes with the memory shared out by level: most of it goes where most keys are, but a bit more for a " +
			"key of a small level saves as much as for one of the largest, and costs a tenth.",
		levels: true,
		changes: func(c *Config) {
			c.Plans = []bloom.Plan{bloom.Uniform, bloom.ByLevel}
			c.Families = []Family{Blocked, Ribbon}
			c.Lookups = c.Keys / 10
			c.Rounds = 0
		},
	},
	{
		Name:  "skew",
		Title: "the newest keys are wanted most; memory that follows",
		Text: "The newest keys are wanted most: ranges of keys are looked up by Zipf's law at 0.99. By level, every " +
			"table of a level has the same bits; adaptive, memory goes to the tables that are asked for what they do " +
			"not hold, and follows them. --hits 0.9 makes nine lookups of ten find their key, --traffic " +
			"zipf-scattered puts hot ranges among cold ones.",
		levels: true,
		changes: func(c *Config) {
			c.Bits = []Bits{10}
			c.Plans = []bloom.Plan{bloom.ByLevel, bloom.Adaptive}
			c.Families = []Family{Ribbon}
			c.Traffic = ZipfTraffic
			c.Lookups, c.Warmup = c.Keys/5, c.Keys/5
			c.Rounds = 0
		},
	},
}

// NewScenario is the run of a scenario.
func NewScenario(name string) (Config, error) { return newScenario(name, Default, FullLevels) }

// QuickScenario is NewScenario with fewer keys.
func QuickScenario(name string) (Config, error) { return newScenario(name, Quick, QuickLevels) }

func newScenario(name string, usual, levels func() Config) (Config, error) {
	for _, s := range scenarios {
		if s.Name != name {
			continue
		}
		c := usual()
		if s.levels {
			c = levels()
		}
		s.changes(&c)
		c.Scenario = name
		return c, nil
	}
	return Config{}, fmt.Errorf("siftdb: bench: scenario %q is none of %v", name, ScenarioNames())
}

// ScenarioNames are the names of Scenarios.
func ScenarioNames() []string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.Name)
	}
	return names
}

// scenarioText is what a scenario plays; "" for none.
func scenarioText(name string) string {
	for _, s := range scenarios {
		if s.Name == name {
			return s.Text
		}
	}
	return ""
}
