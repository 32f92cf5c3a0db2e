package cmd

import (
	"context"
	"iter"
)

// until gives rows until the context ends, and then its error.
func until[T any](ctx context.Context, rows iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range rows {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}
