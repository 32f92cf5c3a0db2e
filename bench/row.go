package bench

import (
	"context"
	"errors"
)

// rowRun is what a row is made from.
type rowRun struct {
	config   *Config
	workload Workload
	setting  Setting
	dir      string // of the store
	progress Progress
}

// with opens the row's store, lets do work with it and closes it. All reads of its table files are added to those of
// result, also when something failed.
func (r *rowRun) with(ctx context.Context, result *Result, do func(store *rowStore) error) error {
	if r.config.Layout != Levels {
		if err := mustBeEmpty(r.dir); err != nil {
			return err
		}
	}
	store, err := openStore(rowOptions(r.config, r.workload, r.setting), r.dir)
	if err != nil {
		return err
	}
	err = do(store)
	// What still runs after a failure reads tables too; only then may the count be taken.
	quiet := store.WaitQuiet(context.WithoutCancel(ctx))
	result.ProcessTableReads += store.Metrics().TableReads
	return errors.Join(err, quiet, store.Close())
}

// fill puts the keys into the store or, where they are there already, gives their tables the row's filters.
func (r *rowRun) fill(ctx context.Context, store *rowStore) (Build, error) {
	if r.config.Layout == Levels {
		return rebuild(ctx, store, r.setting)
	}
	return load(ctx, store, r.workload, r.config, r.setting.String()+", ", r.progress)
}

// measure fills the store and goes through the phases.
func (r *rowRun) measure(ctx context.Context, store *rowStore, row *Row) error {
	c := r.config
	var err error
	if row.Build, err = r.fill(ctx, store); err != nil {
		return err
	}
	if err := store.warm(ctx); err != nil {
		return err
	}
	store.device.setLatency(c.DeviceLatency)
	defer store.device.setLatency(0)

	m := r.meter(store)
	absent, present := absentKeys(c, r.workload), presentKeys(c, r.workload)
	before := &mixture{absent: absent, present: present, hits: c.Hits}
	if err := before.warmUp(ctx, m, c.Warmup, r.setting.Plan); err != nil {
		return err
	}
	if err := r.lookUp(ctx, m, absent, present, row); err != nil || r.setting.Bits == Off || c.Rounds == 0 {
		return err
	}
	row.Compared = &Comparison{}
	for _, side := range []struct {
		kind kind
		to   *OnOff
	}{{absent, &row.Compared.Absent}, {present, &row.Compared.Present}} {
		n := c.roundLookups(r.setting.Bits, side.kind)
		if *side.to, err = m.compare(ctx, side.kind, c.Rounds, n); err != nil {
			return err
		}
	}
	return nil
}

func (r *rowRun) meter(store *rowStore) *meter {
	return &meter{store: store, cold: r.config.Cold, row: r.setting.String() + ", ", progress: r.progress}
}

// lookUp looks keys up, first the absent ones and then the others, or both in turns, and says how the filters did.
func (r *rowRun) lookUp(ctx context.Context, m *meter, absent, present kind, row *Row) error {
	c, bits := r.config, r.setting.Bits
	tablesBefore, before := probesByTable(m.store.Tables()), m.store.Metrics()
	absentTally, presentTally := newTally(), newTally()
	var err error
	if c.Hits > 0 {
		n := c.mixedLookups(bits, absent, present)
		m.progress.Begin(m.row+"absent and present keys in turns", n)
		mixed := &mixture{absent: absent, present: present, hits: c.Hits}
		err = mixed.run(ctx, m, n, [2]*tally{absentTally, presentTally})
		m.progress.End()
	} else {
		err = m.phase(ctx, absent, c.phaseLookups(bits, absent), absentTally)
	}
	if err != nil {
		return err
	}
	end := m.store.Metrics()
	row.Filter = filterOf(end, absentTally, probesSince(tablesBefore, m.store.Tables()))
	row.Levels = levelsOf(end.Sub(before))
	if c.Hits == 0 {
		if err := m.phase(ctx, present, c.phaseLookups(bits, present), presentTally); err != nil {
			return err
		}
	}
	row.Absent, row.Present = absentTally.result(), presentTally.result()
	row.Waste = wasteOf(absentTally, presentTally)
	return nil
}
