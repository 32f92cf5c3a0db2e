package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// fact is a line of the header.
type fact struct{ name, text string }

// factsOf says where, when and with what r was made.
func factsOf(r *bench.Result) []fact {
	h, s := &r.Header, &r.Settings
	facts := []fact{
		{"version", fmt.Sprintf("siftdb %s, %s %s/%s, %s", h.Version, h.Go, h.OS, h.Arch, h.Date.Format(time.RFC3339))},
		{"CPU", fmt.Sprintf("%s, %d cores; memory: %s; file system: %s",
			h.CPU, h.Cores, size(h.MemoryBytes), h.FileSystem)},
	}
	if len(h.CommandLine) > 0 {
		facts = append(facts, fact{"command", strings.Join(h.CommandLine, " ")})
	}
	if s.Scenario != "" {
		facts = append(facts, fact{"scenario " + s.Scenario, s.Story})
	}
	facts = append(facts,
		fact{"keys", fmt.Sprintf("%s present, %s absent; %s; %s with values; seed %d",
			humanize.Comma(int64(s.PresentKeys)), humanize.Comma(int64(s.AbsentKeys)), s.Keys, size(s.DataBytes),
			s.Seed)},
		fact{"store", fmt.Sprintf("%s; %s", layoutText(s), s.Sync)},
		fact{"reads", fmt.Sprintf("%s; %s; each table is opened before lookups are counted; one lookup at a time",
			cacheText(s), deviceText(s))},
	)
	if text := trafficText(s); text != "" {
		facts = append(facts, fact{"traffic", text})
	}
	return facts
}

// interruptedText says what an interrupted run lacks.
const interruptedText = "interrupted: only the rows that were done by then"

// headerLines are the facts of r, a line each. The first speaks for itself.
func headerLines(r *bench.Result) []string {
	facts := factsOf(r)
	lines := []string{facts[0].text}
	for _, f := range facts[1:] {
		lines = append(lines, f.name+": "+f.text)
	}
	if r.Interrupted {
		lines = append(lines, interruptedText)
	}
	return lines
}

func layoutText(s *bench.Settings) string {
	switch s.Layout {
	case bench.Overlap:
		return fmt.Sprintf("%d tables over each other, no compaction", s.Tables)
	case bench.Levels:
		if s.Levels == 1 {
			return "one full level, nothing in level 0"
		}
		return fmt.Sprintf("%d full levels, each %d times as large as the one above, nothing in level 0",
			s.Levels, s.Ratio)
	}
	return fmt.Sprintf("%s, memtable %s, tables %s", s.Layout, size(s.MemTableSize), size(s.TableSize))
}

func cacheText(s *bench.Settings) string {
	if s.CacheSize == 0 {
		return "no block cache, so each block that a lookup needs is a disk read"
	}
	return "block cache " + size(s.CacheSize)
}

// trafficText says what is unusual about the lookups; "" where nothing is.
func trafficText(s *bench.Settings) string {
	var parts []string
	if s.Ranges > 0 {
		parts = append(parts, fmt.Sprintf("%s over %s ranges of keys", s.Traffic, humanize.Comma(int64(s.Ranges))))
	}
	if s.Hits > 0 {
		parts = append(parts, plain(100*s.Hits)+" % of lookups find their key; absent and present keys take turns")
	}
	if s.Warmup > 0 {
		parts = append(parts, humanize.Comma(int64(s.Warmup))+" lookups before those that count")
	}
	return strings.Join(parts, "; ")
}

func deviceText(s *bench.Settings) string {
	var parts []string
	if s.DeviceLatency > 0 {
		parts = append(parts, fmt.Sprintf("%v added to each", s.DeviceLatency))
	}
	if s.Cold {
		parts = append(parts, "the system's cache dropped before each phase")
	}
	if len(parts) == 0 {
		return "no latency added"
	}
	return strings.Join(parts, ", ")
}
