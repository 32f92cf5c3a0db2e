package compaction

// Options shape the levels. The zero value is ready: each zero field means its default.
type Options struct {
	// Style is how levels above the last are kept; Leveled.
	Style Style
	// TableSize is the size in bytes at which a compaction's tables end; 4 MiB.
	TableSize int64
	// BaseBytes is the largest target of the base level, in bytes, as long as there are levels to keep it. 64 MiB.
	// The least is written at four times what one merge of level 0 brings: 16 flushes. With 2 flushes it is 5 to 8 %
	// more and there is one level more for reads to look at, with 64 it is 14 to 32 % more; but a merge of level 0
	// may have to write all of it.
	BaseBytes int64
	// LevelRatio is the size of a level over that of the level above it, at least 2; 10.
	LevelRatio int
	// L0Tables is the number of tables in level 0 that starts a compaction; 4.
	L0Tables int
}

func (o Options) withDefaults() Options {
	if o.TableSize <= 0 {
		o.TableSize = 4 << 20
	}
	if o.BaseBytes <= 0 {
		o.BaseBytes = 64 << 20
	}
	if o.LevelRatio <= 0 {
		o.LevelRatio = 10
	}
	o.LevelRatio = max(o.LevelRatio, 2)
	if o.L0Tables <= 0 {
		o.L0Tables = 4
	}
	return o
}

// Level0Stop is the number of tables in level 0 at which a store stops writes until compactions have made it shorter.
const Level0Stop = 36

// workTables is how many tables' worth of bytes one plan may take together beyond what it must, and how much a
// table may overlap in the level below its own.
const workTables = 25

// MaxOverlap is how many bytes of the level below the output one output table may overlap: the compaction of that
// table will have to read them.
func (o Options) MaxOverlap() int64 { return workTables * o.withDefaults().TableSize }
