package forecast

// Outcome is what filters come to.
type Outcome struct {
	// Kind and BitsAsked are what was asked for, bits per key as an average over the store's keys. Memory is the bits
	// that the filters then take.
	Kind      Kind
	BitsAsked float64
	Memory    uint64
	// Absent and Present are the wasted reads for a lookup of an absent key and of a present key, and Wasted those
	// of a lookup of the store's traffic.
	Absent, Present, Wasted float64
	// Levels are in the order of the store's parts.
	Levels []LevelOutcome
}

// LevelOutcome is one level's part of an Outcome.
type LevelOutcome struct {
	Level  int
	Tables int64
	Keys   uint64
	// Memory is in bits. Misses is how many lookups of the store's traffic come to one of its tables in vain, for one
	// lookup; Wasted how many of those read a block.
	Memory         uint64
	Misses, Wasted float64
}

// BitsPerKey is the memory for each key of the level; 0 without keys.
func (l LevelOutcome) BitsPerKey() float64 { return quotient(float64(l.Memory), float64(l.Keys)) }

// Rate is the share of misses that filters let through; 0 without misses.
func (l LevelOutcome) Rate() float64 { return quotient(l.Wasted, l.Misses) }

// BitsPerKey is the memory for each key of the store.
func (o Outcome) BitsPerKey() float64 {
	keys := uint64(0)
	for _, l := range o.Levels {
		keys += l.Keys
	}
	return quotient(float64(o.Memory), float64(keys))
}

func quotient(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// add counts a part whose filters take so many bits and have that rate.
func (o *Outcome) add(p Part, misses float64, memory uint64, rate float64) {
	if n := len(o.Levels); n == 0 || o.Levels[n-1].Level != p.Level {
		o.Levels = append(o.Levels, LevelOutcome{Level: p.Level})
	}
	l := &o.Levels[len(o.Levels)-1]
	l.Tables += p.Tables
	l.Keys += p.Keys
	l.Memory += memory
	l.Misses += misses
	l.Wasted += misses * rate
	o.Memory += memory
	o.Absent += p.Absent * rate
	o.Present += p.Present * rate
	o.Wasted += misses * rate
}
