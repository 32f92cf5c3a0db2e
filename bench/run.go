package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Run measures what c says. When ctx ends early, it returns what there is, marked as interrupted, and no error. With
// any other error the result holds the rows before it; it is nil when not even the keys could be made.
func Run(ctx context.Context, c Config) (*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	workload, err := newWorkload(&c)
	if err != nil {
		return nil, err
	}
	dir, remove, err := runDir(c.Dir)
	if err != nil {
		return nil, err
	}
	result := &Result{
		Header:   readHeader(dir, c.CommandLine, time.Now()),
		Settings: settingsOf(&c, workload),
		Rows:     []Row{},
	}
	err = runRows(ctx, &c, workload, dir, result)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		result.Interrupted = true
		err = nil
	}
	result.Warnings = warningsOf(result)
	return result, errors.Join(err, remove())
}

// runDir makes the directory that stores go into, and says how to remove it if it is a temporary one.
func runDir(dir string) (string, func() error, error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", nil, fmt.Errorf("siftdb: bench: %w", err)
		}
		return dir, func() error { return nil }, nil
	}
	dir, err := os.MkdirTemp("", "siftdb-bench-")
	if err != nil {
		return "", nil, fmt.Errorf("siftdb: bench: %w", err)
	}
	return dir, func() error { return os.RemoveAll(dir) }, nil
}

// runRows adds a row to result for each setting of c.
func runRows(ctx context.Context, c *Config, w Workload, dir string, result *Result) error {
	progress := c.Progress
	if progress == nil {
		progress = silent{}
	}
	shared := filepath.Join(dir, "levels")
	if c.Layout == Levels {
		if err := mustBeEmpty(shared); err != nil {
			return err
		}
		build, err := fillLevels(ctx, c, w, shared, progress)
		result.ProcessTableReads += build.TableReads
		if err != nil {
			return err
		}
	}
	for _, setting := range c.settings() {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &rowRun{config: c, workload: w, setting: setting, dir: filepath.Join(dir, setting.dir()), progress: progress}
		if c.Layout == Levels {
			r.dir = shared
		}
		row, tableReads, err := r.run(ctx)
		result.ProcessTableReads += tableReads
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, row)
		if c.Dir != "" || c.Layout == Levels {
			continue
		}
		// A temporary store has done its work, and the next one needs the room.
		if err := os.RemoveAll(r.dir); err != nil {
			return fmt.Errorf("siftdb: bench: %w", err)
		}
	}
	return nil
}

func settingsOf(c *Config, w Workload) Settings {
	s := Settings{
		Keys:          w.String(),
		PresentKeys:   w.Present(),
		AbsentKeys:    w.Absent(),
		DataBytes:     w.Size(),
		Layout:        c.Layout,
		MemTableSize:  c.MemTableSize,
		TableSize:     c.TableSize,
		CacheSize:     c.CacheSize,
		Traffic:       c.Traffic,
		Warmup:        c.Warmup,
		Hits:          c.Hits,
		DeviceLatency: c.DeviceLatency,
		Cold:          c.Cold,
		Sync:          "loading is not synced, tables are",
		Seed:          c.Seed,
		Rounds:        c.Rounds,
	}
	if c.Traffic != EvenTraffic {
		s.Ranges = c.Ranges
	}
	switch c.Layout {
	case Overlap:
		s.Tables = c.Tables
	case Levels:
		s.Levels, s.Ratio = c.Levels, c.Ratio
	}
	return s
}
