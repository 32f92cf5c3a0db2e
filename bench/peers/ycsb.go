package main

// ycsb runs the six workloads of Cooper et al.: Benchmarking cloud serving systems with YCSB, 2010, on the store as the
// phases before left it.
func (w *worker) ycsb() error {
	z := newZipf(w.Keys)
	update := func(l *lane) error { return l.put(z.key(l.rng)) }
	read := func(l *lane) error { return l.get(z.key(l.rng)) }
	insert := func(l *lane) error { return l.insert() }
	for _, workload := range []struct {
		name   string
		common func(l *lane) error
		rare   func(l *lane) error
		share  int // of rare, in percent
	}{
		{"YCSB A", read, update, 50},
		{"YCSB B", read, update, 5},
		{"YCSB C", read, nil, 0},
		{"YCSB D", func(l *lane) error { return l.get(l.contents.keys - 1 - z.rank(l.rng)) }, insert, 5},
		{"YCSB E", func(l *lane) error { return l.scan(z.key(l.rng), 1+l.rng.IntN(100)) }, insert, 5},
		{"YCSB F", read, func(l *lane) error {
			i := z.key(l.rng)
			if err := l.get(i); err != nil {
				return err
			}
			return l.put(i)
		}, 50},
	} {
		err := w.phase(workload.name, 1, w.Keys/8, func(l *lane, _ int) error {
			if l.rng.IntN(100) < workload.share {
				return workload.rare(l)
			}
			return workload.common(l)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
