package compaction

import (
	"cmp"
	"slices"

	"siftdb/internal/manifest"
)

// lastLevel is where all data ends up.
const lastLevel = manifest.NumLevels - 1

// Shape says how large the levels are and how large they should be.
type Shape struct {
	// Base is the level that level 0 is merged into: the first below 0 that has a target, or that has tables.
	Base   int
	Levels [manifest.NumLevels]LevelShape
}

// LevelShape is one level of a Shape.
type LevelShape struct {
	Tables int
	Bytes  int64
	// Target is the wanted size in bytes. It is 0 for level 0, which goes by its number of tables, and for levels
	// that should be empty. The last level's is its own size, or BaseBytes where that is more.
	Target int64
	// Score is how far the level is over its target, without what running plans are taking away; a level that
	// scores 1 or more is due.
	Score float64
}

// Scores measures the levels.
func Scores(s State, o Options) Shape {
	o = o.withDefaults()
	var shape Shape
	for level := range shape.Levels {
		shape.Levels[level].Tables = len(s.Version.Levels[level])
		shape.Levels[level].Bytes = s.Version.Bytes(level)
	}
	base := shape.setTargets(o)
	shape.score(s, o)
	shape.Base = min(base, firstLevel(s))
	return shape
}

// setTargets works out the targets from the last level up, and returns the base by size.
func (shape *Shape) setTargets(o Options) int {
	base, target := lastLevel, max(shape.Levels[lastLevel].Bytes, o.BaseBytes)
	shape.Levels[lastLevel].Target = target
	for base > 1 && target > o.BaseBytes {
		base--
		target = max(1, target/int64(o.LevelRatio))
		shape.Levels[base].Target = target
	}
	return base
}

// firstLevel is the first level below 0 that has tables, or will have when running plans are done: what comes from
// level 0 must not pass it. When there is none, it is the last.
func firstLevel(s State) int {
	first := lastLevel
	for level := lastLevel; level > 0; level-- {
		if len(s.Version.Levels[level]) > 0 {
			first = level
		}
	}
	for _, p := range s.Running {
		if p.Output == 0 {
			continue // a table of level 0 that is rewritten where it is
		}
		first = min(first, p.Output)
	}
	return first
}

// score compares what stays in each level with its target.
func (shape *Shape) score(s State, o Options) {
	var leavingTables, leavingBytes [manifest.NumLevels]int64
	for _, p := range s.Running {
		if p.Level == p.Output {
			continue
		}
		leavingTables[p.Level] += int64(len(p.Inputs[0]))
		leavingBytes[p.Level] += bytesOf(p.Inputs[0])
	}
	l0 := &shape.Levels[0]
	l0.Score = float64(int64(l0.Tables)-leavingTables[0]) / float64(o.L0Tables)
	for level := 1; level < lastLevel; level++ {
		l := &shape.Levels[level]
		staying := l.Bytes - leavingBytes[level]
		switch {
		case staying <= 0:
		case l.Target == 0: // it should be empty; how urgent that is, its size says
			l.Score = 1 + float64(staying)/float64(o.BaseBytes)
		default:
			l.Score = float64(staying) / float64(l.Target)
		}
	}
}

// due are the levels that score 1 or more, the highest score first.
func (shape *Shape) due() []int {
	var levels []int
	for level := range lastLevel {
		if shape.Levels[level].Score >= 1 {
			levels = append(levels, level)
		}
	}
	slices.SortStableFunc(levels, func(a, b int) int {
		return cmp.Compare(shape.Levels[b].Score, shape.Levels[a].Score)
	})
	return levels
}

// Debt estimates the bytes that compactions have to write until no level is due: what is over in each level goes
// down through all levels below, and takes with it, at each step, up to the ratio's worth of what it overlaps.
func Debt(s State, o Options) int64 {
	o = o.withDefaults()
	shape := Scores(s, o)
	var debt, coming int64
	if l0 := shape.Levels[0]; l0.Score >= 1 {
		coming = l0.Bytes
		debt = l0.Bytes + shape.Levels[shape.Base].Bytes
	}
	for level := shape.Base; level < lastLevel; level++ {
		l := shape.Levels[level]
		coming = max(0, l.Bytes+coming-l.Target)
		below := shape.Levels[level+1].Bytes
		debt += coming + min(below, coming*int64(o.LevelRatio))
	}
	return debt
}
