package cmd

import "iter"

// judged is a row of a file, or what is wrong where it should be.
type judged[T any] struct {
	row     T
	problem error
}

// tolerant makes rows of the errors among rows, for walks that go on after damage.
type tolerant[T any] struct {
	rows   iter.Seq2[T, error]
	damage error // the first
}

func (t *tolerant[T]) all() iter.Seq2[judged[T], error] {
	return func(yield func(judged[T], error) bool) {
		for row, err := range t.rows {
			if t.damage == nil {
				t.damage = err
			}
			if !yield(judged[T]{row, err}, nil) {
				return
			}
		}
	}
}

// problemColumn says what is wrong.
func problemColumn[T any]() column[judged[T]] {
	return column[judged[T]]{name: "problem", title: "problem",
		value: func(j judged[T]) any { return textOrNil(reasonOf(j.problem)) }}
}
