package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"siftdb/db"
)

// explainedStep is a step of a read: a memtable, a table, or some neighbours in a level that came to the same.
type explainedStep struct {
	Level   int     `json:"level"` // -1: memory
	Table   string  `json:"table"` // empty where it is not one table
	Tables  int     `json:"tables"`
	Outcome string  `json:"outcome"`
	Filter  string  `json:"filter"`        // its kind; empty without one
	Rate    float64 `json:"rate_expected"` // of its false positives
	// BlocksRead and BlocksCached are the data blocks that the step took.
	BlocksRead   int `json:"blocks_read"`
	BlocksCached int `json:"blocks_cached"`
}

// What a table that was not searched came to.
const (
	outcomeRangeMiss = "range miss"
	outcomeNotAsked  = "not needed"
	outcomeFailed    = "failed"
)

// explainedSteps puts the trace of a read of key, which ended with err, together with the tables in the order of the
// read, so that those are seen, too, which it passed by.
func explainedSteps(trace []db.TraceStep, tables iter.Seq[db.TableInfo], key []byte, err error) []explainedStep {
	var steps []explainedStep
	for len(trace) > 0 && trace[0].Level < 0 {
		steps = append(steps, explainedStep{Level: -1, Outcome: memTableOutcome(trace[0])})
		trace = trace[1:]
	}
	answered := len(steps) > 0 && steps[len(steps)-1].Outcome != "absent"
	failed := err != nil && !errors.Is(err, db.ErrNotFound)
	for t := range tables {
		step := explainedStep{Level: t.Level, Table: t.File, Tables: 1, Filter: t.FilterFamily}
		if t.FilterFamily != "" {
			step.Rate = t.Filter.Expected()
		}
		switch {
		case len(trace) > 0 && trace[0].Table == t.File:
			step.Outcome = tableOutcome(trace[0])
			step.BlocksRead, step.BlocksCached = trace[0].BlocksRead, trace[0].BlocksCached
			answered = trace[0].Outcome == db.StepFound || trace[0].Outcome == db.StepTruePass
			trace = trace[1:]
		case answered:
			step.Outcome = outcomeNotAsked
		case !holds(t, key):
			step.Outcome = outcomeRangeMiss
		case failed:
			step.Outcome = outcomeFailed
			answered = true // the rest was not asked either
		}
		steps = appendStep(steps, step)
	}
	return steps
}

// holds says whether key lies within the range of t.
func holds(t db.TableInfo, key []byte) bool {
	return bytes.Compare(t.Smallest, key) <= 0 && bytes.Compare(key, t.Largest) <= 0
}

// appendStep adds a step. Below level 0, where tables lie side by side, those that were passed by are put together.
func appendStep(steps []explainedStep, step explainedStep) []explainedStep {
	passedBy := step.Outcome == outcomeRangeMiss || step.Outcome == outcomeNotAsked
	if len(steps) > 0 && passedBy && step.Level > 0 {
		last := &steps[len(steps)-1]
		if last.Level == step.Level && last.Outcome == step.Outcome {
			*last = explainedStep{Level: last.Level, Tables: last.Tables + 1, Outcome: last.Outcome}
			return steps
		}
	}
	return append(steps, step)
}

func memTableOutcome(s db.TraceStep) string {
	switch {
	case s.Value:
		return "found"
	case s.Outcome == db.StepFound:
		return "deleted"
	}
	return "absent"
}

func tableOutcome(s db.TraceStep) string {
	switch s.Outcome {
	case db.StepFound, db.StepTruePass:
		if !s.Value {
			return s.Outcome.String() + ", deleted"
		}
	}
	return s.Outcome.String()
}

func explainedColumns() []column[explainedStep] {
	type S = explainedStep
	return []column[S]{
		{name: "level", title: "level", value: func(s S) any { return s.Level }, text: func(s S) string {
			if s.Level < 0 {
				return "memory"
			}
			return fmt.Sprintf("L%d", s.Level)
		}},
		{name: "table", title: "table", value: func(s S) any { return textOrNil(s.Table) }, text: func(s S) string {
			if s.Tables > 1 {
				return fmt.Sprintf("%d tables", s.Tables)
			}
			return s.Table
		}},
		{name: "tables", value: func(s S) any { return s.Tables }},
		{name: "outcome", title: "outcome", value: func(s S) any { return s.Outcome }},
		{name: "filter", title: "filter", value: func(s S) any { return textOrNil(s.Filter) }},
		{name: "rate_expected", title: "expected", value: func(s S) any {
			if s.Filter == "" {
				return nil
			}
			return s.Rate
		}, text: func(s S) string {
			if s.Filter == "" {
				return ""
			}
			return percentText(s.Rate)
		}},
		countColumn("blocks_read", "blocks read", func(s S) int { return s.BlocksRead }),
		countColumn("blocks_cached", "cached", func(s S) int { return s.BlocksCached }),
	}
}
