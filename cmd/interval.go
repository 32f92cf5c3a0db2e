package cmd

import "math"

// interval is the 95 % confidence interval of a rate.
type interval struct{ low, high float64 }

// wilson is the interval of a rate of which hits of trials were seen, by Wilson's score (Wilson: Probable inference,
// the law of succession, and statistical inference, 1927). It holds for few trials and for rates near 0, too.
func wilson(hits, trials int64) interval {
	if trials == 0 {
		return interval{0, 1}
	}
	const z = 1.959963984540054 // of the normal law, for 95 % on two sides
	n := float64(trials)
	p := float64(hits) / n
	centre := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return interval{max(0, (centre-half)/scale), min(1, (centre+half)/scale)}
}
