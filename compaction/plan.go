package compaction

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"siftdb/internal/manifest"
)

// Plan is one compaction: which tables to merge, and where the result goes. It is a value; its slices are shared
// with the version it was made from and must not be written to.
type Plan struct {
	// Level and Output are the levels of the upper inputs and of the result. They are equal where tables of the
	// last level are rewritten in place.
	Level, Output int
	// Inputs are the tables to merge, by level: some of Level, and all that share keys with them in the levels that
	// they pass on their way and in Output. Level 0 is newest first, others ascend.
	Inputs [manifest.NumLevels][]*manifest.Table
	// Grandparents are the tables that the result will be merged with next, as far as they share keys with the
	// inputs, ascending: those of the level below Output or, with lazy leveling, of the last.
	Grandparents []*manifest.Table
	// Trivial: the only input goes to Output as it is.
	Trivial bool
	// Bottommost: no table below Output shares a key with the inputs.
	Bottommost bool
	// Reason says why, in a few words, for logs.
	Reason string
	// Score is how far the level was over its target; 0 where that was not the reason.
	Score float64
}

// newPlan fills in what follows from the inputs.
func newPlan(v *manifest.Version, o Options, level, output int, inputs [manifest.NumLevels][]*manifest.Table) Plan {
	p := Plan{Level: level, Output: output, Inputs: inputs, Bottommost: true}
	bounds := p.bounds()
	for below := output + 1; below < manifest.NumLevels; below++ {
		overlaps := v.Overlaps(below, bounds.smallest, bounds.largest)
		if below == o.Style.next(output) {
			p.Grandparents = overlaps
		}
		if len(overlaps) > 0 {
			p.Bottommost = false
		}
	}
	upper := inputs[level]
	p.Trivial = level != output && len(p.tables()) == 1 && len(upper) == 1 &&
		bytesOf(p.Grandparents) <= o.MaxOverlap() &&
		!(p.Bottommost && upper[0].Deletions > 0) // there rewriting gets rid of deletions
	return p
}

// tables are all inputs, in the order of their levels.
func (p Plan) tables() []*manifest.Table { return slices.Concat(p.Inputs[:]...) }

// Bytes is the size of the inputs.
func (p Plan) Bytes() int64 { return sizeOf(p.Inputs) }

// sizeOf is the size of tables by level.
func sizeOf(inputs [manifest.NumLevels][]*manifest.Table) (sum int64) {
	for _, tables := range inputs {
		sum += bytesOf(tables)
	}
	return sum
}

// bounds is the range of user keys of all inputs.
func (p Plan) bounds() span { return cover(p.Inputs[:]...) }

// After is the smallest user key after all inputs of Level, in memory of its own: where the next call of Manual for
// the same level begins.
func (p Plan) After() []byte {
	return append(bytes.Clone(cover(p.Inputs[p.Level]).largest), 0)
}

// Edit is the step of the manifest that puts outputs in the place of the inputs. For a trivial plan outputs are
// ignored: the table itself moves.
func (p Plan) Edit(outputs []*manifest.Table) *manifest.Edit {
	e := &manifest.Edit{}
	for level, tables := range p.Inputs {
		for _, t := range tables {
			e.Removed = append(e.Removed, manifest.Removal{Level: level, Number: t.Number})
		}
	}
	if p.Trivial {
		outputs = p.Inputs[p.Level]
	}
	for _, t := range outputs {
		e.Added = append(e.Added, manifest.Addition{Level: p.Output, Table: t})
	}
	return e
}

// NothingBelow returns a function that reports whether no table below the output holds a user key within its
// bounds; v is the version that the plan was made from. The function must be asked with ascending keys, from one
// goroutine; it costs little more than a comparison a call.
func (p Plan) NothingBelow(v *manifest.Version) func(user []byte) bool {
	bounds := p.bounds()
	var levels [][]*manifest.Table
	for level := p.Output + 1; level < manifest.NumLevels; level++ {
		if tables := v.Overlaps(level, bounds.smallest, bounds.largest); len(tables) > 0 {
			levels = append(levels, tables)
		}
	}
	return func(user []byte) bool {
		for i, tables := range levels {
			for len(tables) > 0 && bytes.Compare(tables[0].Largest.User, user) < 0 {
				tables = tables[1:]
			}
			levels[i] = tables
			if len(tables) > 0 && bytes.Compare(tables[0].Smallest.User, user) <= 0 {
				return false
			}
		}
		return true
	}
}

// String is the plan on one line: L4->L5 000012[a..f] + 000007[a..c] 000008[d..g]: level over its target, score 1.20.
func (p Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "L%d->L%d", p.Level, p.Output)
	for level, tables := range p.Inputs {
		if len(tables) > 0 && level > p.Level {
			b.WriteString(" +")
		}
		for _, t := range tables {
			fmt.Fprintf(&b, " %v", t)
		}
	}
	fmt.Fprintf(&b, ": %s", p.Reason)
	if p.Score > 0 {
		fmt.Fprintf(&b, ", score %.2f", p.Score)
	}
	if p.Trivial {
		b.WriteString(", trivial")
	}
	if p.Bottommost {
		b.WriteString(", bottommost")
	}
	return b.String()
}
