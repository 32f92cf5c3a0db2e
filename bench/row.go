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

// run makes the row's store, measures, and closes the store. tableReads counts all reads of its table files, also
// when the row failed.
func (r *rowRun) run(ctx context.Context) (row Row, tableReads int64, err error) {
	if r.config.Layout != Levels {
		if err := mustBeEmpty(r.dir); err != nil {
			return Row{}, 0, err
		}
	}
	store, err := openStore(rowOptions(r.config, r.workload, r.setting), r.dir)
	if err != nil {
		return Row{}, 0, err
	}
	row, err = r.measure(ctx, store)
	// What still runs after a failure reads tables too; only then may the count be taken.
	quiet := store.WaitQuiet(context.WithoutCancel(ctx))
	tableReads = store.Metrics().TableReads
	return row, tableReads, errors.Join(err, quiet, store.Close())
}

// fill puts the keys into the store or, where they are there already, gives their tables the row's filters.
func (r *rowRun) fill(ctx context.Context, store *rowStore) (Build, error) {
	if r.config.Layout == Levels {
		return rebuild(ctx, store, r.setting)
	}
	return load(ctx, store, r.workload, r.config, r.setting.String()+", ", r.progress)
}

// measure fills the store and goes through the phases.
func (r *rowRun) measure(ctx context.Context, store *rowStore) (Row, error) {
	c := r.config
	row := r.setting.row()
	var err error
	if row.Build, err = r.fill(ctx, store); err != nil {
		return row, err
	}
	if err := store.warm(ctx); err != nil {
		return row, err
	}
	store.device.setLatency(c.DeviceLatency)
	defer store.device.setLatency(0)

	m := &meter{store: store, cold: c.Cold, row: r.setting.String() + ", ", progress: r.progress}
	absent, present := absentKeys(r.workload, c.Seed), presentKeys(r.workload, c.Seed)
	if err := r.absentPhase(ctx, m, absent, &row); err != nil {
		return row, err
	}
	row.Present, err = m.phase(ctx, present, c.phaseLookups(r.setting.Bits, present.present, present.n))
	row.Waste = wasteOf(&row)
	if err != nil || r.setting.Bits == Off || c.Rounds == 0 {
		return row, err
	}
	row.Compared = &Comparison{}
	for _, side := range []struct {
		kind kind
		to   *OnOff
	}{{absent, &row.Compared.Absent}, {present, &row.Compared.Present}} {
		n := c.roundLookups(r.setting.Bits, side.kind.present, side.kind.n)
		if *side.to, err = m.compare(ctx, side.kind, c.Rounds, n); err != nil {
			return row, err
		}
	}
	return row, nil
}

// absentPhase looks absent keys up and says how the filters did. It comes first after loading, so that the counts of
// tables hold nothing else.
func (r *rowRun) absentPhase(ctx context.Context, m *meter, absent kind, row *Row) error {
	tablesBefore, before := probesByTable(m.store.Tables()), m.store.Metrics()
	var err error
	row.Absent, err = m.phase(ctx, absent, r.config.phaseLookups(r.setting.Bits, absent.present, absent.n))
	if err != nil {
		return err
	}
	end := m.store.Metrics()
	during := end.Sub(before)
	row.Filter = filterOf(end, during, probesSince(tablesBefore, m.store.Tables()))
	row.Levels = levelsOf(during)
	return nil
}
