package main

import (
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"siftdb/bench/peers/rows"
)

// sampleEvery is how many operations there are for each whose time is taken: taking it costs as much as a quick miss.
const sampleEvery = 8

// measure has each lane do its part of ops operations, and says what that took.
func measure(phase string, lanes []*lane, ops int, do func(l *lane, n int) error) (rows.Row, error) {
	row := rows.Row{Phase: phase, Threads: len(lanes)}
	errs := make([]error, len(lanes))
	done := make([]int64, len(lanes))
	var before, after runtime.MemStats
	runtime.GC()
	resetPeak()
	runtime.ReadMemStats(&before)
	system := usageNow()
	start := time.Now()
	var all sync.WaitGroup
	for i, l := range lanes {
		all.Go(func() { done[i], errs[i] = l.run(ops/len(lanes), do) })
	}
	all.Wait()
	row.Seconds = rounded(time.Since(start).Seconds())
	used := usageNow().minus(system)
	runtime.ReadMemStats(&after)
	latencies := hdrhistogram.New(1, int64(100e9), 3)
	for i, l := range lanes {
		if errs[i] != nil {
			return row, errs[i]
		}
		row.Ops += done[i]
		row.GivenBytes += l.given
		latencies.Merge(&l.latencies)
	}
	row.P50, row.P99 = latencies.ValueAtQuantile(50), latencies.ValueAtQuantile(99)
	row.P999 = latencies.ValueAtQuantile(99.9)
	row.CPUSeconds = rounded(used.cpu.Seconds())
	row.ReadCalls, row.DiskReadBytes = used.readCalls, used.diskReadBytes
	row.WrittenBytes, row.DirtiedBytes = used.writtenBytes, used.dirtiedBytes
	row.Resident, row.Peak = residentNow()
	if row.Ops > 0 {
		row.Allocs = rounded(float64(after.Mallocs-before.Mallocs) / float64(row.Ops))
		row.AllocBytes = rounded(float64(after.TotalAlloc-before.TotalAlloc) / float64(row.Ops))
	}
	return row, nil
}

// rounded is v in millionths, so that rows stay short.
func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// run does ops operations.
func (l *lane) run(ops int, do func(l *lane, n int) error) (done int64, err error) {
	for n := range ops {
		if n%sampleEvery != 0 {
			if err := do(l, n); err != nil {
				return done, err
			}
			done++
			continue
		}
		start := time.Now()
		if err := do(l, n); err != nil {
			return done, err
		}
		// The histogram refuses what is longer than 100 seconds; the mean tells of such a time.
		_ = l.latencies.RecordValue(int64(time.Since(start)))
		done++
	}
	return done, nil
}
