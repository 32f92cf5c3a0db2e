package cmd

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// amount is a flag of a whole number that may be larger than anything here, such as 2000000000, 2e9, 2G or 100M.
type amount uint64

// mostAmount is the largest amount: beyond it, floats lose units.
const mostAmount = 1 << 53

func (n *amount) String() string {
	if *n == 0 {
		return ""
	}
	return humanize.Comma(int64(*n))
}

// Set takes a number, with an exponent or an SI prefix.
func (n *amount) Set(word string) error {
	plain := strings.ReplaceAll(word, "_", "")
	x, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		var unit string
		if x, unit, err = humanize.ParseSI(plain); unit != "" {
			err = strconv.ErrSyntax
		}
	}
	if err != nil || !(x >= 0 && x <= mostAmount) || x != math.Trunc(x) {
		return fmt.Errorf("%q is no whole number up to 2^53, such as 2000000000, 2e9, 2G or 100M", word)
	}
	*n = amount(x)
	return nil
}

// Type is how help names the flag's values.
func (n *amount) Type() string { return "number" }
