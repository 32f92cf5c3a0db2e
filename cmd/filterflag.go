package cmd

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"siftdb/bloom"
)

// filterFlag says what filter new tables get. It is also the flag's value; without the flag, policy is nil and the
// store decides.
type filterFlag struct{ policy bloom.Policy }

// add gives c the flag --bits.
func (f *filterFlag) add(c *cobra.Command) {
	c.Flags().Var(f, "bits", "bits of filter per key for the tables that are made; off: no filters")
}

func (f *filterFlag) String() string {
	if f.policy == nil {
		return ""
	}
	return f.policy.String()
}

// Set takes a number of bits per key, or off.
func (f *filterFlag) Set(word string) error {
	if word == "off" {
		f.policy = bloom.None
		return nil
	}
	bits, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return fmt.Errorf("%q is neither a number nor off", word)
	}
	policy := bloom.BitsPerKey(bits)
	if err := policy.Validate(); err != nil {
		return err
	}
	f.policy = policy
	return nil
}

// Type is how help names the flag's values.
func (f *filterFlag) Type() string { return "bits" }
