package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"siftdb/db"
)

// explanation is a read and what it did. JSON has it as it is.
type explanation struct {
	Key        string          `json:"key"`
	Found      bool            `json:"found"`
	ValueBytes int             `json:"value_bytes"`
	Steps      []explainedStep `json:"steps"`
	Sums       explainedSums   `json:"sums"`
	err        error
}

// explainedSums are the sums over the steps, and what reading table files came to.
type explainedSums struct {
	MemTables    int   `json:"memtables"`
	Tables       int   `json:"tables"` // whose range holds the key
	RangeMisses  int   `json:"range_misses"`
	NotAsked     int   `json:"not_asked"` // since the answer was found before
	Failed       int   `json:"failed"`    // where the read ended with an error
	FilterSkips  int   `json:"filter_skips"`
	TruePasses   int   `json:"true_passes"`
	FalsePasses  int   `json:"false_passes"`
	BlocksRead   int   `json:"blocks_read"`
	BlocksCached int   `json:"blocks_cached"`
	BlockBytes   int64 `json:"block_bytes"`
	TablesOpened int64 `json:"tables_opened"` // whose index had to be read first
	FileReads    int64 `json:"file_reads"`    // of blocks, filters and indexes
	FileBytes    int64 `json:"file_bytes"`
}

// tables counts the tables of the steps with an outcome.
func (e *explanation) tables(outcome string) (n int) {
	for _, s := range e.Steps {
		if s.Outcome == outcome {
			n += s.Tables
		}
	}
	return n
}

func (e *explanation) write(w io.Writer, format outputFormat) error {
	if format == outputJSON {
		encode := json.NewEncoder(w)
		encode.SetEscapeHTML(false)
		encode.SetIndent("", "  ")
		return encode.Encode(e)
	}
	if err := writeListing(w, format, explainedColumns(), allOf(e.Steps)); err != nil || format == outputCSV {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n%s\n%s\n", e.outcome(), e.Sums.asked(), e.Sums.read())
	return err
}

func (e *explanation) outcome() string {
	switch {
	case e.Found:
		return fmt.Sprintf("%s is there, with a value of %s.", e.Key, plural(e.ValueBytes, "byte"))
	case errors.Is(e.err, db.ErrNotFound):
		return e.Key + " is not there."
	}
	return "The read failed."
}

func (s *explainedSums) asked() string {
	failed := ""
	if s.Failed > 0 {
		failed = fmt.Sprintf(", failed: %d", s.Failed)
	}
	return fmt.Sprintf("Tables: %d; range misses: %d, not needed: %d, asked: %d%s; "+
		"filter skips: %d, true passes: %d, false passes: %d.",
		s.Tables+s.RangeMisses+s.NotAsked+s.Failed, s.RangeMisses, s.NotAsked, s.Tables, failed,
		s.FilterSkips, s.TruePasses, s.FalsePasses)
}

func (s *explainedSums) read() string {
	return fmt.Sprintf("Data blocks: %d read (%s), %d from the cache, %d saved by filters. "+
		"Reads of files, with those that open a table: %d (%s).",
		s.BlocksRead, sizeText(s.BlockBytes), s.BlocksCached, s.FilterSkips, s.FileReads, sizeText(s.FileBytes))
}
