package bloom

import "math"

// YoungBits is the bits per key that the filter of a young table of so many keys should be built with under policy p,
// for Place.Bits: what it would get if it could be divided, in memory, in bits, that it shares with others. Misses are
// those that it is expected to get, in the unit of the others. So a flush of few keys, which is asked as often as a
// level of many, gets more than the average, and the average stays what it is. Others that cannot be divided stay as
// they are, and the memory that they take is not shared: all or nothing could be taken from them.
//
// It is at least the bits asked for, and at most 20 where these are not more. 0 says that p has no such filters.
func YoungBits(p Policy, keys uint64, misses float64, others []Demand, memory uint64) float64 {
	asked, ok := p.(planed)
	if !ok || asked.young == 0 {
		return 0
	}
	shared := make([]Demand, 0, len(others)+1)
	for _, d := range others {
		switch len(d.Steps) {
		case 0:
		case 1:
			memory -= min(memory, d.Steps[0].Bits)
		default:
			shared = append(shared, d)
		}
	}
	young := len(shared)
	shared = append(shared, Demand{Misses: misses, Steps: youngSteps(asked.bits, keys)})
	return asked.bits + float64(max(1, AllocateSteps(shared, memory)[young])-1)
}

// mostYoungBits bounds the bits per key of a young table's filter: from there on lines flatten out.
const mostYoungBits = 20

// blockedRates are the rates of a blocked filter of many lines at whole numbers of bits per key. A test
// computes them anew.
var blockedRates = [mostYoungBits + 1]float64{
	1, 0.6321, 0.3935, 0.2372, 0.1481, 0.09303, 0.05774, 0.03661, 0.02326, 0.01485, 0.009665,
	0.006251, 0.004135, 0.002726, 0.001835, 0.001233, 0.0008439, 0.0005778, 0.0004014, 0.0002811, 0.0001978,
}

// youngSteps are the sizes that a young table's filter can be built with: as asked, and by a bit per key larger each.
func youngSteps(asked float64, keys uint64) (steps []Step) {
	for b := asked; b <= mostYoungBits; b++ {
		steps = append(steps, Step{Bits: uint64(b * float64(keys)), Rate: blockedRates[int(math.Ceil(b))]})
	}
	return steps
}
