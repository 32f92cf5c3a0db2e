package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"siftdb/internal/manifest"
)

// leaveReplaced takes out of the relics what is there twice: inputs of a compaction whose outputs came into force, and
// outputs of one of which nobody knows whether it ended, while all of its inputs are there. A compaction ends with an
// edit of the manifest, and its inputs are removed after that; where the edit cannot be read, the tables tell what a
// crash has left over, since each names those that it was made of.
func (r *repair) leaveReplaced(context.Context) error {
	if r.whole {
		return nil
	}
	known := make(map[uint64]*relic)
	for _, c := range r.relics {
		known[c.number] = c
	}
	left := make(map[uint64]error)   // why a table is not needed
	inForce := make(map[uint64]bool) // tables that were in force, since one that was had replaced them
	for _, made := range slices.Backward(r.compactions()) {
		switch first := made[0]; {
		case r.named(first) || inForce[first.number] || r.ended(made, known):
			for _, number := range first.replaces {
				left[number] = fmt.Errorf("siftdb: %s has replaced it", manifest.TableName(first.number))
				inForce[number] = true
			}
		case allSound(first.replaces, known):
			for _, c := range made {
				left[c.number] = errInputsThere
			}
		}
	}
	r.relics = slices.DeleteFunc(r.relics, func(c *relic) bool {
		why, is := left[c.number]
		if is {
			out := &r.report.Tables[c.report]
			out.Fate, out.Problem, out.Entries = TableUnneeded, why, 0
		}
		return is
	})
	return nil
}

// errInputsThere is why the outputs of a compaction are not needed.
var errInputsThere = errors.New("siftdb: it was made of tables that are all there")

// compactions are the relics that were made of others: those of one compaction together, in the order of their keys,
// and the compactions in the order in which they began.
func (r *repair) compactions() (all [][]*relic) {
	for _, c := range r.relics {
		if len(c.replaces) == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(made []*relic) bool { return slices.Equal(made[0].replaces, c.replaces) })
		if i < 0 {
			all = append(all, nil)
			i = len(all) - 1
		}
		all[i] = append(all[i], c) // numbers rise with keys
	}
	return all
}

// named says whether the manifest names a table, so that the compaction that made it had ended.
func (r *repair) named(c *relic) bool {
	if r.witness == nil {
		return false
	}
	_, named := r.witness.Tables[c.number]
	return named
}

// ended says whether a compaction must have ended: an input is gone, as only after the edit, and the outputs are all
// there: from the first part on, and up to the last key of the inputs that are left.
func (r *repair) ended(made []*relic, known map[uint64]*relic) bool {
	for i, c := range made {
		if c.part != uint64(i) {
			return false
		}
	}
	last := made[len(made)-1].meta.Largest.User
	gone := false
	for _, number := range made[0].replaces {
		c, there := known[number]
		if !there || c.state == relicMissing {
			gone = true
			continue
		}
		if c.meta == nil || bytes.Compare(c.meta.Largest.User, last) > 0 {
			return false
		}
	}
	return gone
}

// allSound says whether all tables with these numbers are there and sound.
func allSound(numbers []uint64, known map[uint64]*relic) bool {
	return !slices.ContainsFunc(numbers, func(number uint64) bool {
		c, there := known[number]
		return !there || c.state != relicSound
	})
}
