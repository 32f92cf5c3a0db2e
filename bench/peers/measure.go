package main

import (
	"runtime"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Row is one phase of one store in one repetition.
type Row struct {
	Store      string
	Phase      string
	Repetition int
	Threads    int
	Ops        int64
	Seconds    float64

	P50, P99, P999, Max int64 // ns, of every sampleEvery-th operation

	CPUSeconds    float64 // of all threads of the process, compactions included
	Allocs        float64 // an operation
	AllocBytes    float64 // an operation
	Resident      int64   // bytes at the end of the phase
	ReadCalls     int64   // reads that reached the system; those of a mapped file do not
	ReadBytes     int64   // by those calls
	DiskReadBytes int64   // that came from the disk
	WrittenBytes  int64   // handed to the system
	StoreBytes    int64   // of the store's files at the end of the phase; only where that is what the phase is about
}

// PerSecond is the operations a second.
func (r Row) PerSecond() float64 { return float64(r.Ops) / r.Seconds }

// sampleEvery is how many operations there are for each whose time is taken: taking it costs as much as a quick miss.
const sampleEvery = 8

// measure has each lane do its part of ops operations, and says what that took.
func measure(phase string, lanes []*lane, ops int, do func(l *lane, n int) error) (Row, error) {
	row := Row{Phase: phase, Threads: len(lanes)}
	errs := make([]error, len(lanes))
	done := make([]int64, len(lanes))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	system := usageNow()
	start := time.Now()
	var all sync.WaitGroup
	for i, l := range lanes {
		all.Go(func() { done[i], errs[i] = l.run(ops/len(lanes), do) })
	}
	all.Wait()
	row.Seconds = time.Since(start).Seconds()
	used := usageNow().minus(system)
	runtime.ReadMemStats(&after)
	latencies := hdrhistogram.New(1, int64(100e9), 3)
	for i, l := range lanes {
		if errs[i] != nil {
			return row, errs[i]
		}
		row.Ops += done[i]
		latencies.Merge(l.latencies)
		l.latencies.Reset()
	}
	row.P50, row.P99 = latencies.ValueAtQuantile(50), latencies.ValueAtQuantile(99)
	row.P999, row.Max = latencies.ValueAtQuantile(99.9), latencies.Max()
	row.CPUSeconds = used.cpu.Seconds()
	row.ReadCalls, row.ReadBytes, row.DiskReadBytes, row.WrittenBytes = used.readCalls, used.readBytes, used.diskReadBytes, used.writtenBytes
	row.Resident = residentNow()
	if row.Ops > 0 {
		row.Allocs = float64(after.Mallocs-before.Mallocs) / float64(row.Ops)
		row.AllocBytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(row.Ops)
	}
	return row, nil
}

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
