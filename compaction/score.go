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
	// Base is the level that level 0 is merged into: the first below 0 that has a target, or that has tables. With
	// LazyLeveled it is the one above the first that has tables, as long as there is one.
	Base   int
	Levels [manifest.NumLevels]LevelShape
}

// LevelShape is one level of a Shape.
type LevelShape struct {
	Tables int
	Bytes  int64
	// Target is the wanted size in bytes. It is 0 for level 0, which goes by its number of tables, and for levels
	// that should be empty. The last level's is its own size, or BaseBytes where that is more. With LazyLeveled the
	// levels between have one target together, which each of them shows.
	Target int64
	// Score is how far the level is over its target, without what running plans are taking away; a level that
	// scores 1 or more is due. With LazyLeveled the first level that has tables has the score of all between.
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
	if o.Style == LazyLeveled {
		room := shape.setRoom(o)
		shape.Base = baseOfRuns(firstLevel(s), room)
	} else {
		base := shape.setTargets(o)
		shape.Base = min(base, firstLevel(s))
	}
	shape.score(s, o)
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

// setRoom works out how much all runs between level 0 and the last may hold together: a ratio's part of the last level,
// nothing as long as that is no larger than a base.
func (shape *Shape) setRoom(o Options) int64 {
	last := shape.Levels[lastLevel].Bytes
	shape.Levels[lastLevel].Target = max(last, o.BaseBytes)
	if last <= o.BaseBytes {
		return 0
	}
	room := max(1, last/int64(o.LevelRatio))
	for level := 1; level < lastLevel; level++ {
		shape.Levels[level].Target = room
	}
	return room
}

// baseOfRuns is where a run goes that comes from level 0, if it meets nothing there: above the first level that has a
// table. While there are no runs, and should be none, it is merged into the last level.
func baseOfRuns(first int, room int64) int {
	if first == lastLevel && room == 0 {
		return lastLevel
	}
	return max(1, first-1)
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
		for level, tables := range p.Inputs {
			if level != p.Output {
				leavingTables[level] += int64(len(tables))
				leavingBytes[level] += bytesOf(tables)
			}
		}
	}
	l0 := &shape.Levels[0]
	l0.Score = float64(int64(l0.Tables)-leavingTables[0]) / float64(o.L0Tables)
	if o.Style == LazyLeveled {
		shape.scoreRuns(leavingBytes, o)
		return
	}
	for level := 1; level < lastLevel; level++ {
		l := &shape.Levels[level]
		l.Score = overTarget(l.Bytes-leavingBytes[level], l.Target, o)
	}
}

// scoreRuns gives the first level that has tables the score of all levels between level 0 and the last.
func (shape *Shape) scoreRuns(leaving [manifest.NumLevels]int64, o Options) {
	var staying int64
	first := lastLevel
	for level := lastLevel - 1; level > 0; level-- {
		l := &shape.Levels[level]
		staying += l.Bytes - leaving[level]
		if l.Tables > 0 {
			first = level
		}
	}
	if first < lastLevel {
		l := &shape.Levels[first]
		l.Score = overTarget(staying, l.Target, o)
	}
}

// overTarget is the score of so many bytes.
func overTarget(bytes, target int64, o Options) float64 {
	switch {
	case bytes <= 0:
		return 0
	case target == 0: // there should be none; how urgent that is, their size says
		return 1 + float64(bytes)/float64(o.BaseBytes)
	}
	return float64(bytes) / float64(target)
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
	if o.Style == LazyLeveled {
		return shape.debtOfRuns(o)
	}
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

// debtOfRuns is Debt where levels between are runs: what is over their room goes to the last level at once.
func (shape *Shape) debtOfRuns(o Options) (debt int64) {
	var coming int64
	if l0 := shape.Levels[0]; l0.Score >= 1 {
		coming = l0.Bytes
		debt = l0.Bytes + shape.Levels[shape.Base].Bytes
	}
	if shape.Base == lastLevel {
		return debt
	}
	for level := 1; level < lastLevel; level++ {
		coming += shape.Levels[level].Bytes
	}
	over := max(0, coming-shape.Levels[1].Target)
	return debt + over + min(shape.Levels[lastLevel].Bytes, over*int64(o.LevelRatio))
}
