package compaction

import (
	"slices"
	"testing"

	"siftdb/internal/key"
	"siftdb/internal/manifest"
)

// TestRewrite puts a table in its own place, also in level 0, and what runs beside it is left in peace: the base level
// does not become level 0, and neither the table nor its keys are given to another plan.
func TestRewrite(t *testing.T) {
	v := &manifest.Version{}
	table := func(number uint64, smallest, largest string) *manifest.Table {
		return &manifest.Table{
			Number: number, Size: 10, Entries: 1, Keys: 1,
			Smallest: key.Make([]byte(smallest), key.Seq(number), key.KindSet), Largest: key.Make([]byte(largest), key.Seq(number), key.KindSet),
			SmallestSeq: key.Seq(number), LargestSeq: key.Seq(number),
		}
	}
	v.Levels[0] = []*manifest.Table{table(9, "a", "c"), table(8, "a", "c"), table(7, "a", "c"), table(6, "m", "o"), table(5, "m", "o")}
	v.Levels[5] = []*manifest.Table{table(1, "a", "z")}
	options := Options{TableSize: 10, L0Tables: 2}
	state := State{Version: v, OldestSnapshot: key.MaxSeq}
	for level, index := range map[int]int{0: 1, 5: 0} {
		target := v.Levels[level][index]
		plan, ok := Rewrite(state, options, level, target)
		if !ok || plan.Level != level || plan.Output != level || !slices.Equal(plan.tables(), plan.Inputs[level]) || !slices.Equal(plan.Inputs[level], []*manifest.Table{target}) || plan.Trivial {
			t.Fatalf("rewriting %v: %v, %v", target, plan, ok)
		}
		beside := state
		beside.Running = []Plan{plan}
		if again, ok := Rewrite(beside, options, level, target); ok {
			t.Errorf("rewriting %v twice: %v", target, again)
		}
		if base := Scores(beside, options).Base; base != 5 {
			t.Errorf("beside %v the base level is %d", plan, base)
		}
		if other, ok := Pick(beside, options); ok && (other.Output == 0 || slices.Contains(other.tables(), target)) {
			t.Errorf("beside %v: %v", plan, other)
		}
	}
}
