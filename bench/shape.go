package bench

// shape is how many keys each level of the Levels layout holds, the smallest level first.
type shape []int

// shapeOf spreads n keys over so many levels, each ratio times as large as the one before it; the last one takes what
// division leaves over.
func shapeOf(n, levels, ratio int) shape {
	parts, unit := 0, 1
	for range levels {
		parts += unit
		unit *= ratio
	}
	s := make(shape, levels)
	left, size := n, n/parts
	for i := range levels - 1 {
		s[i] = size
		left -= size
		size *= ratio
	}
	s[levels-1] = left
	return s
}

// levelOf deals the keys out: it says to which level the key at a place of a random order goes, 0 being the smallest.
func (s shape) levelOf(place int) int {
	for level, n := range s {
		if place < n {
			return level
		}
		place -= n
	}
	return len(s) - 1
}
