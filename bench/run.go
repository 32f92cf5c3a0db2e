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
		Header:   ReadHeader(dir, c.CommandLine, time.Now()),
		Settings: settingsOf(&c, workload),
		Rows:     []Row{},
	}
	r := &run{config: &c, workload: workload, dir: dir, progress: c.Progress, result: result}
	if r.progress == nil {
		r.progress = silent{}
	}
	err = r.all(ctx)
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

// run is a run that is being made.
type run struct {
	config   *Config
	workload Workload
	dir      string // of all stores
	progress Progress
	result   *Result
}

// all makes the rows or, where they are asked for, the live changes.
func (r *run) all(ctx context.Context) error {
	if r.config.Layout == Levels {
		if err := r.fillShared(ctx); err != nil {
			return err
		}
	}
	if len(r.config.Live) > 0 {
		return r.live(ctx)
	}
	for _, setting := range r.config.settings() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.row(ctx, setting); err != nil {
			return err
		}
	}
	return nil
}

// row adds a row to the result.
func (r *run) row(ctx context.Context, setting Setting) error {
	row := setting.row()
	m := r.measurement(setting)
	err := m.with(ctx, r.result, func(store *rowStore) error { return m.measure(ctx, store, &row) })
	if err != nil {
		return err
	}
	r.result.Rows = append(r.result.Rows, row)
	if r.config.Dir != "" || r.config.Layout == Levels {
		return nil
	}
	// A temporary store has done its work, and the next one needs the room.
	if err := os.RemoveAll(m.dir); err != nil {
		return fmt.Errorf("siftdb: bench: %w", err)
	}
	return nil
}

// measurement is what the row with a setting is made from.
func (r *run) measurement(setting Setting) *rowRun {
	dir := filepath.Join(r.dir, setting.dir())
	if r.config.Layout == Levels {
		dir = r.sharedDir()
	}
	return &rowRun{config: r.config, workload: r.workload, setting: setting, dir: dir, progress: r.progress}
}

// sharedDir is the directory of the store that all rows of the Levels layout share.
func (r *run) sharedDir() string { return filepath.Join(r.dir, "levels") }

// fillShared makes that store.
func (r *run) fillShared(ctx context.Context) error {
	if err := mustBeEmpty(r.sharedDir()); err != nil {
		return err
	}
	build, err := fillLevels(ctx, r.config, r.workload, r.sharedDir(), r.progress)
	r.result.ProcessTableReads += build.TableReads
	return err
}

func settingsOf(c *Config, w Workload) Settings {
	s := Settings{
		Scenario:      c.Scenario,
		Story:         scenarioText(c.Scenario),
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
