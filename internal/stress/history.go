package stress

import (
	"context"
	"errors"
	"fmt"

	"siftdb/db"
)

// history is what a store must hold: what it held after the last round, and what was heard since.
type history struct{ states [writers]*state }

func newHistory(seed uint64) *history {
	h := &history{}
	for n := range h.states {
		h.states[n] = newState(seed, n)
	}
	return h
}

// compare opens the store after a round, under other settings, and compares all of it with what must be there, which it
// then takes for what was there. It returns how many entries it compared.
func (h *history) compare(ctx context.Context, dir string, round Round, said *heard) (compared int64, err error) {
	rng := round.rng(3)
	if rng.IntN(3) == 0 {
		o := drawOptions(rng)
		o.ReadOnly = true
		n, err := h.compareOnce(ctx, dir, o, said)
		compared += n
		if err != nil {
			return compared, fmt.Errorf("opened read-only after the round: %w", err)
		}
	}
	n, err := h.compareOnce(ctx, dir, drawOptions(rng), said)
	if err != nil {
		return compared + n, fmt.Errorf("opened after the round: %w", err)
	}
	return compared + n, nil
}

func (h *history) compareOnce(ctx context.Context, dir string, o db.Options, said *heard) (compared int64, err error) {
	store, err := db.Open(dir, &o)
	if o.ReadOnly && errors.Is(err, db.ErrNoStore) { // killed before there was one
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := h.advance(store, said); err != nil {
		return 0, err
	}
	for _, s := range h.states {
		if err := s.compareAll(store, db.Range{}); err != nil {
			return compared, err
		}
		if err := s.compareAll(store, db.Range{Reverse: true}); err != nil {
			return compared, err
		}
		for n := range 2 * keysEach {
			if err := s.compareKey(store, keyOf(s.writer, n)); err != nil {
				return compared, err
			}
		}
		compared += int64(2*len(s.values) + 2*keysEach)
	}
	for table, err := range store.Verify(ctx) {
		if err != nil {
			return compared, fmt.Errorf("verifying %q: %w", table.File, err)
		}
	}
	return compared, nil
}

// advance reads how far each writer is in the store, and makes sure that nothing is missing.
func (h *history) advance(store *db.DB, said *heard) error {
	var found progress
	var before [writers]progress
	for n, s := range h.states {
		var err error
		if found[n], before[n], err = s.markerIn(store); err != nil {
			return err
		}
		if least := max(s.done, said.durable[n]); found[n] < least {
			return wrongf("write %d of writer %d is the newest that is there; write %d was durable", found[n], n, least)
		}
		if last, told := said.ended[n]; told && found[n] != last {
			return wrongf("write %d of writer %d is the newest that is there; the store was closed after write %d",
				found[n], n, last)
		}
	}
	for n := range h.states {
		for other, i := range before[n] {
			if found[other] < i {
				return wrongf("write %d of writer %d is there; write %d of writer %d, which had returned before "+
					"it began, is not: %d is its newest",
					found[n], n, i, other, found[other])
			}
		}
	}
	for n, s := range h.states {
		s.advance(found[n])
	}
	return nil
}
