package bloom

import "fmt"

// Plan is how the memory of filters is shared out among the tables of a store.
type Plan uint8

// The plans. All are compared at the same memory: the bits per key asked for, on average over the store's keys.
const (
	// Adaptive gives memory to the tables where it saves most, by the misses that each was measured to get.
	Adaptive Plan = iota
	// ByLevel takes all levels to get equal misses, spread over a level's tables by their keys.
	ByLevel
	// Uniform gives every key the same bits.
	Uniform
)

var planNames = [...]string{Adaptive: "adaptive", ByLevel: "by-level", Uniform: "uniform"}

// String is the plan's name, as flags, metrics and reports print it.
func (p Plan) String() string {
	if int(p) < len(planNames) {
		return planNames[p]
	}
	return fmt.Sprintf("plan %d", uint8(p))
}

// ParsePlan is the inverse of String. The error names the plans that there are.
func ParsePlan(name string) (Plan, error) {
	for p, known := range planNames {
		if name == known {
			return Plan(p), nil
		}
	}
	return 0, fmt.Errorf("siftdb: filter plan is %q, allowed is adaptive, by-level or uniform", name)
}
