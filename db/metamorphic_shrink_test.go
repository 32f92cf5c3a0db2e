package db

import (
	"slices"
	"testing"
)

// shrink leaves out of all what fails does not need: runs of a half, then a quarter, and so on to single ones, again
// and again until none can go (after Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002).
// What it gives still fails, unless fails says one thing now and another then.
func shrink[T any](all []T, fails func(some []T) bool) []T {
	for size := max(1, len(all)/2); ; size = max(1, size/2) {
		before := len(all)
		for at := 0; at < len(all); {
			without := slices.Delete(slices.Clone(all), at, min(at+size, len(all)))
			if fails(without) {
				all = without
			} else {
				at += size
			}
		}
		if size == 1 && len(all) == before {
			return all
		}
	}
}

// shrunk is the smallest script found that fails as s does.
func (s script) shrunk(fails func(s script) bool) script {
	if calm := s.calm(); fails(calm) {
		s = calm
	}
	s.sets = shrink(s.sets, func(sets []optionSet) bool { return len(sets) > 0 && fails(script{sets, s.ops}) })
	s.ops = shrink(s.ops, func(ops []operation) bool { return fails(script{s.sets, ops}) })
	for i, op := range s.ops {
		if op[0] != "batch" {
			continue
		}
		s.ops = slices.Clone(s.ops)
		s.ops[i] = batchOf(shrink(op.writes(), func(writes []operation) bool {
			ops := slices.Clone(s.ops)
			ops[i] = batchOf(writes)
			return fails(script{s.sets, ops})
		}))
	}
	for i := range s.sets {
		s.sets = slices.Clone(s.sets)
		s.sets[i] = shrink(s.sets[i], func(words []string) bool {
			sets := slices.Clone(s.sets)
			sets[i] = words
			return fails(script{sets, s.ops})
		})
	}
	return s
}

// calm is s with a wait for the background after each operation, so that it does the same each time.
func (s script) calm() script {
	var ops []operation
	for _, op := range s.ops {
		ops = append(ops, op, operation{"quiet"})
	}
	return script{s.sets, ops}
}

// batchOf is the operation that carries out writes as one.
func batchOf(writes []operation) operation {
	return append(operation{"batch"}, slices.Concat(writes...)...)
}

// TestShrink: of many things, exactly those are left without which there is no failure.
func TestShrink(t *testing.T) {
	for n := range 60 {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		needed := []int{n / 7, n / 2, n - 1}
		needed = slices.Compact(needed)
		calls := 0
		left := shrink(all, func(some []int) bool {
			calls++
			for _, i := range needed {
				if n > 0 && !slices.Contains(some, i) {
					return false
				}
			}
			return true
		})
		if n == 0 {
			needed = nil
		}
		if !slices.Equal(left, needed) || calls > 20*(n+1) {
			t.Errorf("%d things shrank to %v in %d calls, want %v", n, left, calls, needed)
		}
	}
}
