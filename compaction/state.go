package compaction

import (
	"siftdb/internal/key"
	"siftdb/internal/manifest"
)

// State is what planning looks at. It is read, never changed.
type State struct {
	Version *manifest.Version
	// Running are the plans being carried out, as they were returned. Their tables are left alone.
	Running []Plan
	// OldestSnapshot is the sequence number of the oldest view in use; key.MaxSeq when there is none. What stays in
	// the last level for a view is not rewritten before it is closed.
	OldestSnapshot key.Seq
	// Fresh is the first file number given out since a manual compaction began; 0: none runs. Manual does not
	// rewrite a table of the last level that the same compaction has written.
	Fresh uint64
}

// busy are the numbers of the tables in running plans.
func (s State) busy() map[uint64]bool {
	if len(s.Running) == 0 {
		return nil
	}
	busy := map[uint64]bool{}
	for _, p := range s.Running {
		for _, tables := range p.Inputs {
			for _, t := range tables {
				busy[t.Number] = true
			}
		}
	}
	return busy
}

// collides reports whether a running plan writes to p's output level within p's bounds.
func (s State) collides(p Plan) bool {
	bounds := p.bounds()
	for _, r := range s.Running {
		if r.Output == p.Output && r.bounds().overlaps(bounds) {
			return true
		}
	}
	return false
}
