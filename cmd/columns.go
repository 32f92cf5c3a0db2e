package cmd

import (
	"fmt"
	"math/big"

	"github.com/dustin/go-humanize"
)

// wholeNumber is a type that things are counted with.
type wholeNumber interface{ int | int64 | uint64 }

// countColumn is a column of numbers of things.
func countColumn[T any, N wholeNumber](name, title string, of func(T) N) column[T] {
	return column[T]{name, title,
		func(row T) any { return of(row) },
		func(row T) string { return countText(of(row)) }}
}

// countText is a number of things for people, whatever its size.
func countText[N wholeNumber](n N) string {
	if n < 0 {
		return humanize.Comma(int64(n))
	}
	return humanize.BigComma(new(big.Int).SetUint64(uint64(n)))
}

// sizeColumn is a column of numbers of bytes.
func sizeColumn[T any](name, title string, of func(T) int64) column[T] {
	return column[T]{name, title,
		func(row T) any { return of(row) },
		func(row T) string { return sizeText(of(row)) }}
}

// bitsText is bits per key for people.
func bitsText(bits float64) string { return fmt.Sprintf("%.2f", bits) }

// textOrNil is a text, or nil where it is empty: nothing, for programs.
func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
