package cmd

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// rangeFlags say which part of the keys a command works on.
type rangeFlags struct {
	from, to, prefix string
	limit            count
	reverse          bool
}

// addBounds gives c the flags that bound keys.
func (r *rangeFlags) addBounds(c *cobra.Command) {
	c.Flags().StringVar(&r.from, "from", "", "the smallest `key`")
	c.Flags().StringVar(&r.to, "to", "", "the `key` before which to end")
	c.Flags().StringVar(&r.prefix, "prefix", "", "only keys that begin so")
}

// addLimit gives c the flag --limit.
func (r *rangeFlags) addLimit(c *cobra.Command) {
	c.Flags().Var(&r.limit, "limit", "end after so many keys; 0: no limit")
}

// read gives the range that c was called for; form is that of its keys.
func (r *rangeFlags) read(c *cobra.Command, form byteForm) (db.Range, error) {
	out := db.Range{Limit: int(r.limit), Reverse: r.reverse}
	prefix, err := boundOf(c, form, "prefix", r.prefix)
	if err != nil {
		return out, err
	}
	if len(prefix) > 0 {
		p := db.Prefix(prefix)
		out.Lower, out.Upper = p.Lower, p.Upper
	}
	from, err := boundOf(c, form, "from", r.from)
	if err != nil {
		return out, err
	}
	if bytes.Compare(from, out.Lower) > 0 {
		out.Lower = from
	}
	to, err := boundOf(c, form, "to", r.to)
	if err != nil {
		return out, err
	}
	if to != nil && (out.Upper == nil || bytes.Compare(to, out.Upper) < 0) {
		out.Upper = to
	}
	return out, nil
}

// boundOf is the key in a flag of c; nil where the flag was not given.
func boundOf(c *cobra.Command, form byteForm, flag, word string) ([]byte, error) {
	if !c.Flags().Changed(flag) {
		return nil, nil
	}
	key, err := form.parse(word)
	if err != nil {
		return nil, usageError(c, fmt.Sprintf("--%s: %v", flag, err))
	}
	return key, nil
}
