package cmd

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"siftdb/db"
)

// remnant is a file of a store that was repaired, and what became of it.
type remnant struct {
	file    string
	fate    string
	amount  string // what of it is in the store again, for people
	entries uint64
	dropped int64 // bytes of a log
	lost    []db.Range
	problem string
}

// remnantsOf are the tables and logs of a report.
func remnantsOf(report *db.RepairReport) (rows []remnant) {
	for _, t := range report.Tables {
		rows = append(rows, remnant{
			file: t.File, fate: t.Fate.String(), entries: t.Entries, lost: t.Lost, problem: reasonOf(t.Problem),
			amount: amountOf(t.Entries, "entry", "entries"),
		})
	}
	for _, l := range report.Logs {
		rows = append(rows, remnant{
			file: l.File, fate: fateOfLog(&l), entries: uint64(l.Groups), dropped: l.DroppedBytes,
			problem: cmp.Or(reasonOf(l.Problem), l.Torn),
			amount:  amountOf(uint64(l.Groups), "commit", "commits"),
		})
	}
	return rows
}

func amountOf(n uint64, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + one
	}
	return humanize.Comma(int64(n)) + " " + many
}

// fateOfLog is what became of a log, in one word.
func fateOfLog(l *db.RepairedLog) string {
	switch {
	case l.Problem != nil && l.Groups > 0:
		return "salvaged"
	case l.Problem != nil:
		return "lost"
	case l.Torn != "":
		return "torn"
	}
	return "replayed"
}

func remnantColumns(keys byteForm) []column[remnant] {
	return []column[remnant]{
		{name: "file", title: "file", value: func(r remnant) any { return r.file }},
		{name: "fate", title: "fate", value: func(r remnant) any { return r.fate }},
		{name: "saved", title: "saved", value: func(r remnant) any { return r.entries },
			text: func(r remnant) string { return r.amount }},
		{name: "dropped_bytes", value: func(r remnant) any { return r.dropped }},
		{name: "lost", title: "keys with losses",
			value: func(r remnant) any { return textOrNil(rangesText(keys, r.lost)) }},
		{name: "problem", title: "problem", value: func(r remnant) any { return textOrNil(r.problem) }},
	}
}

// rangesText is ranges of keys for people, from the first to the last key that may be among the lost.
func rangesText(keys byteForm, ranges []db.Range) string {
	var texts []string
	for _, r := range ranges {
		switch {
		case r.Lower == nil && r.Upper == nil:
			texts = append(texts, "all")
		case r.Lower == nil:
			texts = append(texts, "up to "+keys.show(lastOf(r)))
		case r.Upper == nil:
			texts = append(texts, "from "+keys.show(r.Lower)+" on")
		default:
			texts = append(texts, fmt.Sprintf("%s to %s", keys.show(r.Lower), keys.show(lastOf(r))))
		}
	}
	return strings.Join(texts, ", ")
}

// lastOf is the last key of a range that ends right after a key.
func lastOf(r db.Range) []byte {
	if n := len(r.Upper); n > 0 && r.Upper[n-1] == 0 {
		return r.Upper[:n-1]
	}
	return r.Upper
}
