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

// rateSpread is how far a sound filter's own rate may lie from theory's, which is the average over all filters of its
// size: where the keys happen to fall makes 2 % to 4 % of the rate in tables of 10,000 keys, less in larger ones.
const rateSpread = 0.1

// besideTheory says on which side of the expected rate the interval lies, if it does not hold it.
func (i interval) besideTheory(expected float64) string {
	switch {
	case i.low > expected*(1+rateSpread):
		return "above theory"
	case i.high < expected*(1-rateSpread):
		return "below theory"
	}
	return ""
}
