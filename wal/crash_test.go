package wal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"siftdb/internal/fsys"
)

// images checks what a power cut at this moment may leave of a disk, and what a killed process leaves.
func images(t testing.TB, h *history, disk *fsys.Mem, seeds int) error {
	t.Helper()
	durable := h.durables()
	disks := map[string]*fsys.Mem{"killed": disk.Clone(), "power cut": disk.CrashClone(nil)}
	for range seeds {
		seed := rand.Uint64()
		disks[fmt.Sprintf("power cut, seed %d", seed)] = disk.CrashClone(rand.New(rand.NewPCG(seed, 0)))
	}
	for what, image := range disks {
		groups, report, err := replayed(t, image)
		if err == nil {
			err = h.check(groups, durable)
		}
		if err != nil {
			return fmt.Errorf("%s: %w\n%+v", what, err, report)
		}
	}
	return nil
}

// TestWAL04CrashAtEveryOperation cuts the power before each operation: what is replayed is a prefix that holds all
// that was durable.
func TestWAL04CrashAtEveryOperation(t *testing.T) {
	rng := newRand(t)
	for range 5 {
		mem := newDisk(t)
		disk := fsys.NewFault(mem)
		var h history
		var mu sync.Mutex
		disk.SetHook(func(fsys.Op, string) error {
			mu.Lock()
			defer mu.Unlock()
			if err := images(t, &h, mem, 4); err != nil {
				t.Error(err)
			}
			return nil
		})
		l, err := Create(disk, dir, 1, 0)
		must(t, err)
		h.work(l, rng, 60)
		must(t, h.close(l))
		must(t, images(t, &h, mem, 4))
	}
}

var errDisk = errors.New("the disk refuses")

// failures are the ways in which the n-th operation fails, and perhaps those after it.
func failures(rng *rand.Rand) map[string]func(n int64) fsys.Hook {
	short := func(bytes int) error { return &fsys.ShortWrite{N: bytes, Err: errDisk} }
	return map[string]func(n int64) fsys.Hook{
		"once":                  func(n int64) fsys.Hook { return fsys.FailNth(n, errDisk) },
		"for ever":              func(n int64) fsys.Hook { return fsys.FailFrom(n, errDisk) },
		"short write once":      func(n int64) fsys.Hook { return fsys.FailNth(n, short(rng.IntN(900)), fsys.OpWriteAt) },
		"short writes for ever": func(n int64) fsys.Hook { return fsys.FailFrom(n, short(rng.IntN(900)), fsys.OpWriteAt) },
		"error of a full write": func(n int64) fsys.Hook { return fsys.FailNth(n, short(1<<30), fsys.OpWriteAt) },
		"sync once":             func(n int64) fsys.Hook { return fsys.FailNth(n, errDisk, fsys.OpSync) },
	}
}

// TestEveryOperationFails fails each operation. What callers were told stays true: of the groups that were taken
// a prefix is replayed, refused ones never are, and durable ones always. The log always closes.
func TestEveryOperationFails(t *testing.T) {
	rng := newRand(t)
	for what, hook := range failures(rng) {
		for n := int64(1); ; n++ {
			mem := newDisk(t)
			disk := fsys.NewFault(mem)
			disk.SetHook(hook(n))
			l, err := Create(disk, dir, 1, 0)
			if err != nil {
				if !errors.Is(err, errDisk) {
					t.Fatal(err)
				}
				continue
			}
			var h history
			h.work(l, rng, 40)
			err = h.close(l)
			if err != nil && !errors.Is(err, errDisk) {
				t.Fatal(err)
			}
			if err := images(t, &h, mem, 3); err != nil {
				t.Fatalf("%s, operation %d: %v", what, n, err)
			}
			if disk.Calls() < n {
				break // it was never reached, and so all were
			}
		}
	}
}

// TestIOE01DiskComesAndGoes lets the disk fail and recover at random under one log, with the power cut now and
// then.
func TestIOE01DiskComesAndGoes(t *testing.T) {
	rng := newRand(t)
	for range 20 {
		mem := newDisk(t)
		disk := fsys.NewFault(mem)
		l, err := Create(disk, dir, 1, 0)
		must(t, err)
		var h history
		var mu sync.Mutex
		weather := rand.New(rand.NewPCG(rng.Uint64(), 0))
		disk.SetHook(func(op fsys.Op, _ string) error {
			mu.Lock()
			defer mu.Unlock()
			if op == fsys.OpSync || op == fsys.OpClose || weather.IntN(3) > 0 {
				return nil
			}
			return &fsys.ShortWrite{N: weather.IntN(1000), Err: errDisk}
		})
		for range 10 {
			h.work(l, rng, 20)
			if err := images(t, &h, mem, 2); err != nil {
				t.Fatal(err)
			}
		}
		disk.SetHook(nil)
		_ = l.Sync() // may still hear of a write that was under way before the disk recovered
		must(t, l.Sync())
		h.synced(h.started())
		must(t, h.close(l))
		must(t, images(t, &h, mem, 2))
	}
}
