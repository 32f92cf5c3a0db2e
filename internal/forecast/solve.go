package forecast

// grain is how closely BitsFor looks, in bits per key.
const grain = 1.0 / 64

// BitsFor is the fewest bits per key, in steps of a 64th, at which wasted, a sum of an Outcome that falls with memory,
// is no more than target. It is false if no memory is enough: planes end, and so do bits.
func (s Store) BitsFor(k Kind, target float64, wasted func(Outcome) float64) (bits float64, ok bool) {
	enough := func(n int) bool { return wasted(s.Foretell(k, float64(n)*grain)) <= target }
	low, high := 0, int(mostBits/grain)
	if !enough(high) {
		return 0, false
	}
	for high-low > 1 {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return float64(high) * grain, true
}
