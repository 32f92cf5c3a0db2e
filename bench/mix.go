package bench

// mix maps seed and x to 64 bits that look random: the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014) over both. Everything that a seed decides in this package comes from it, so
// that no release of Go changes a workload.
func mix(seed, x uint64) uint64 {
	z := seed + (x+1)*0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}
