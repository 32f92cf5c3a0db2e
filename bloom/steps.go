package bloom

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Step is a size that a filter can have in memory: with one plane, with two, and so on, or as a whole where the family
// cannot be divided.
type Step struct {
	// Bits is the memory after the step, those before it included.
	Bits uint64
	// Rate is the share of absent keys that are let through after it. Before the first step it is 1.
	Rate float64
}

// Demand is one filter among those that share memory.
type Demand struct {
	// Misses is how many probes the table gets in a unit of time that are not true positives. Any unit, the same for
	// all. A table without misses gets no memory.
	Misses float64
	// Steps are the filter's sizes, ascending. Each step should save less per bit than the one before it; one that
	// saves more is taken for one that saves as much.
	Steps []Step
}

// AllocateSteps shares out memory, in bits, so that the fewest wasted reads are let through in all: the sum of Misses
// times Rate. It returns the number of steps of each filter, in their order.
//
// The next step always goes where it saves most per bit, which is optimal for the memory that is used when the first
// such step no longer fits (Fox, 1966); what is then left, less than that one step, goes to smaller steps in the same
// order. Of equal steps the earlier filter's comes first. More memory never lets more through. The time grows with the
// number of steps: 3 ms for 10 000 filters of 16.
func AllocateSteps(demands []Demand, memory uint64) []int {
	taken := make([]int, len(demands))
	left := offersOf(demands)
	random := rand.New(rand.NewPCG(0, 0)) // for pivots: the result does not depend on it
	for last := len(left); last > 0; {
		dearer, equal := partition(left[:last], left[random.IntN(last)].saving)
		switch {
		case !fits(left[:dearer], memory):
			last = dearer
		case !fits(left[:equal], memory):
			memory = take(left[:dearer], taken, memory)
			left, last = left[dearer:], 0
		default:
			memory = take(left[:equal], taken, memory)
			left, last = left[equal:], last-equal
		}
	}
	fillUp(left, taken, memory)
	return taken
}

// offer is a step that can be bought.
type offer struct {
	saving float64 // wasted reads per bit
	bits   uint64
	filter int
	step   int
}

// offersOf lists all steps that save something.
func offersOf(demands []Demand) []offer {
	n := 0
	for _, d := range demands {
		n += len(d.Steps)
	}
	offers := make([]offer, 0, n)
	for i, d := range demands {
		misses := min(d.Misses, math.MaxFloat64)
		before, saving := Step{Rate: 1}, math.Inf(1)
		for k, s := range d.Steps {
			o := offer{filter: i, step: k, bits: s.Bits - min(s.Bits, before.Bits)}
			saving = min(saving, misses*(before.Rate-s.Rate)/float64(o.bits))
			if !(saving > 0) {
				break
			}
			o.saving = saving
			offers = append(offers, o)
			before = s
		}
	}
	return offers
}

// partition puts the offers that save more per bit than the pivot before those that save as much, and those
// before the rest.
func partition(offers []offer, pivot float64) (dearer, equal int) {
	last := len(offers)
	for equal < last {
		switch o := offers[equal]; {
		case o.saving > pivot:
			offers[dearer], offers[equal] = o, offers[dearer]
			dearer++
			equal++
		case o.saving < pivot:
			last--
			offers[equal], offers[last] = offers[last], o
		default:
			equal++
		}
	}
	return dearer, equal
}

// fits reports whether all of the offers together fit into memory.
func fits(offers []offer, memory uint64) bool {
	for _, o := range offers {
		if o.bits > memory {
			return false
		}
		memory -= o.bits
	}
	return true
}

// take buys all of the offers and returns the memory that is left.
func take(offers []offer, taken []int, memory uint64) uint64 {
	for _, o := range offers {
		taken[o.filter]++
		memory -= o.bits
	}
	return memory
}

// fillUp buys what still fits, one by one, the offers that save most per bit first. A filter's step is not for sale
// before the one below it.
func fillUp(left []offer, taken []int, memory uint64) {
	left = slices.DeleteFunc(left, func(o offer) bool { return o.bits > memory })
	slices.SortFunc(left, func(a, b offer) int {
		return cmp.Or(cmp.Compare(b.saving, a.saving), cmp.Compare(a.filter, b.filter), cmp.Compare(a.step, b.step))
	})
	for _, o := range left {
		if o.step == taken[o.filter] && o.bits <= memory {
			taken[o.filter]++
			memory -= o.bits
		}
	}
}
