package cmd

import (
	"github.com/spf13/cobra"

	"siftdb/bloom"
)

// planFlag is a flag of a way to share the memory of filters out.
type planFlag string

// addPlanFlag gives c the flag --plan.
func addPlanFlag(c *cobra.Command, f *planFlag) {
	addChoice(c, "plan", "", "how the store shares memory out", "plan", f,
		planFlag(bloom.Adaptive.String()), planFlag(bloom.ByLevel.String()), planFlag(bloom.Uniform.String()))
}

// bloom is the plan that the flag names.
func (f planFlag) bloom() bloom.Plan {
	plan, _ := bloom.ParsePlan(string(f)) // the flag takes no other words
	return plan
}
