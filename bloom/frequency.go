package bloom

// Frequency remembers how often things were seen lately, without remembering the things: a count is the least of four
// counters, shared with other things, of which only the least go up (Estan and Varghese, "New Directions in Traffic
// Measurement and Accounting", 2002). So it is never too low, and seldom too high. When as much has been counted as a
// window holds, all counts are halved, and what was popular once is forgotten (Einziger, Friedman and Manes, "TinyLFU",
// 2017). What is seen for the first time does not bring the window nearer its end. It is a cache's memory of more than
// it holds.
//
// One goroutine at a time.
type Frequency struct {
	counters
	lines  uint64
	window int
	left   int // to count until all are halved
}

const (
	// frequencyPlaces is the number of counters of a thing, all in one line of 64 bytes.
	frequencyPlaces = 4
	placeBits       = 7 // of 128 counters in a line
	countersPerLine = lineWords * countersPerWord

	// countersPerThing is how many counters there are for each thing that is to be remembered.
	countersPerThing = 16

	// frequencyWindow is how many times as much as there are things is counted before all is halved. A cache that
	// remembers for longer is slower to take in what becomes popular.
	frequencyWindow = 10
)

// NewFrequency makes an empty Frequency for so many things at a time. It takes 8 bytes for each.
func NewFrequency(things int) *Frequency {
	lines := (uint64(max(things, 1))*countersPerThing + countersPerLine - 1) / countersPerLine
	window := max(things, 1) * frequencyWindow
	return &Frequency{counters: make(counters, lines*lineWords), lines: lines, window: window, left: window}
}

// places are a thing's counters.
func (f *Frequency) places(h Hash) (places [frequencyPlaces]uint64) {
	line := lineOf(h.H1, f.lines) * countersPerLine
	for i := range places {
		places[i] = line + h.H2>>(i*placeBits)%countersPerLine
	}
	return places
}

// Add counts that the thing was seen.
func (f *Frequency) Add(h Hash) {
	places := f.places(h)
	least := f.least(places)
	if least < counterTop {
		for _, p := range places {
			if f.at(p) == least {
				f.up(p)
			}
		}
	}
	if least > 0 {
		f.age()
	}
}

func (f *Frequency) age() {
	if f.left--; f.left == 0 {
		f.halve()
		f.left = f.window / 2
	}
}

// Count is how often the thing was seen lately, 0 to 15; 15 is as often or more.
func (f *Frequency) Count(h Hash) int { return int(f.least(f.places(h))) }

func (f *Frequency) least(places [frequencyPlaces]uint64) uint64 {
	least := uint64(counterTop)
	for _, p := range places {
		least = min(least, f.at(p))
	}
	return least
}
