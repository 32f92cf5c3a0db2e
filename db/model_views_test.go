package db

import "slices"

// frozenView is a snapshot or an iterator with the state it must go on showing.
type frozenView struct {
	snapshot *Snapshot
	iterator *Iterator
	bounds   Range
	state    *model
}

func (m *modelTest) view() {
	v := frozenView{state: m.model.clone(), bounds: m.bounds()}
	if m.rng.IntN(2) == 0 {
		v.snapshot = m.store.Snapshot()
	} else {
		v.iterator = m.store.NewIter(v.bounds)
	}
	m.views = append(m.views, v)
	if len(m.views) > 8 {
		m.dropView()
	}
}

func (m *modelTest) useView() {
	if len(m.views) == 0 {
		return
	}
	v := m.views[m.rng.IntN(len(m.views))]
	if v.iterator != nil {
		v.iterator.SeekLT(nil) // to a known place: nothing is before the empty key
		m.walkFromStart(v)
		return
	}
	switch m.rng.IntN(3) {
	case 0:
		m.get(v.snapshot, v.state)
	case 1:
		m.scan(v.snapshot, v.state)
	case 2:
		r := m.bounds()
		it := v.snapshot.NewIter(r)
		m.walk(it, r, v.state, 10)
		m.check(it.Close())
	}
}

// walkFromStart compares all that an old iterator shows.
func (m *modelTest) walkFromStart(v frozenView) {
	m.t.Helper()
	want := v.state.within(v.bounds)
	n := 0
	for ok := v.iterator.First(); ok; ok = v.iterator.Next() {
		if n >= len(want) || string(v.iterator.Key()) != want[n] {
			m.t.Fatalf("operation %d: old iterator: entry %d is %q, the model has %q", m.ops, n, v.iterator.Key(), near(want, n))
		}
		n++
	}
	m.check(v.iterator.Err())
	if n != len(want) {
		m.t.Fatalf("operation %d: old iterator: %d entries, the model has %d", m.ops, n, len(want))
	}
}

func (m *modelTest) dropView() {
	if len(m.views) == 0 {
		return
	}
	i := m.rng.IntN(len(m.views))
	v := m.views[i]
	m.views = slices.Delete(m.views, i, i+1)
	if v.iterator != nil {
		m.check(v.iterator.Close())
	} else {
		m.check(v.snapshot.Close())
	}
}
