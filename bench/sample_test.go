package bench

import "time"

// sample is a result with something in every field, for the writers' tests.
func sample() *Result {
	ratio := 99.5
	phase := func(skipped, reads int64) Phase {
		return Phase{
			Lookups: 2000, TablesChecked: 200_000, FilterChecks: skipped + reads, ReadsSkipped: skipped, FalsePasses: reads,
			DiskReads: reads, BytesRead: 4096 * reads, TableOpens: 0, CacheHits: 1, CacheMisses: 2,
			Latency: Latency{
				P50: 1_010_000, P99: 3_123_456, P999: 5_000_000, Max: 6_000_000, Mean: 1_200_000, PerSecond: 833.25,
			},
		}
	}
	few := phase(0, 200_000)
	few.Lookups = 50
	return &Result{
		Header: Header{
			Version: "v0.1.0", Go: "go1.26.0", OS: "linux", Arch: "amd64", CPU: "a processor", Cores: 2,
			MemoryBytes: 8 << 30, FileSystem: "ext4", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			CommandLine: []string{"siftdb", "bench", "--layout", "overlap"},
		},
		Settings: Settings{
			Scenario: "cassandra", Story: "A hundred tables lie over each other.",
			Keys:        "generated, absent ones between present ones, 16 byte keys, 100 byte values",
			PresentKeys: 200_000, AbsentKeys: 199_801,
			DataBytes: 200_000 * 116, Layout: Overlap, Tables: 100, MemTableSize: 4 << 20, TableSize: 4 << 20,
			CacheSize: 1 << 20, Traffic: ZipfTraffic, Ranges: 1000, Warmup: 5000, Hits: 0.9,
			DeviceLatency: time.Millisecond, Cold: true, Sync: "loading is not synced, tables are", Seed: 1, Rounds: 5,
		},
		Rows: []Row{
			{Bits: Off, Policy: "none", Absent: few, Present: few, Build: Build{Elapsed: time.Second, Keys: 200_000, Tables: 100}},
			{
				Bits: 10, Plan: "by-level", Family: Recommended, Policy: "bits per key 10",
				Filter: Filter{
					Bytes: 256_000, ResidentBytes: 262_144, BitsPerKey: 10.24, Probes: 200_000, FalsePasses: 2010,
					Expected: 0.008812, Measured: 0.01005, MeasuredLow: 0.009622, MeasuredHigh: 0.010497,
					AcceptedLow: 1600.5, AcceptedHigh: 1930.25, OutsideTheory: true,
				},
				Waste:  Waste{Absent: 0.2, AbsentLow: 0.19, AbsentHigh: 0.21, AbsentTheory: 0.18, Present: 0.02},
				Absent: phase(197_990, 2010), Present: phase(98_000, 3000),
				Compared: &Comparison{
					Absent:  OnOff{On: phase(198_000, 2000), Off: few, ReadsRatio: &ratio, SpeedRatio: 80, SpeedLow: 30, SpeedHigh: 90},
					Present: OnOff{On: phase(200_000, 0), Off: few, SpeedRatio: 40, SpeedLow: 39, SpeedHigh: 41},
				},
				Build: Build{
					Elapsed: 1500 * time.Millisecond, Keys: 200_000, LogBytes: 1, FlushedBytes: 2, CompactedBytes: 3,
					TableReads: 4, Flushes: 100, Compactions: 5, Stalled: 6, Tables: 100, TableBytes: 7,
				},
				Levels: []Level{{
					Level: 0, Tables: 100, Bytes: 7, Keys: 200_000, BitsPerKey: 10.24, Checks: 200_000, Skips: 197_990,
					TruePasses: 0, FalsePasses: 2010, Expected: 0.008812,
				}},
			},
		},
		Live: []LiveChange{{
			From: 10, To: 6, Took: 1234 * time.Microsecond, Budget: 4 << 20, Bytes: 4_123_456,
			FilesWritten: 1, FilterReads: 7, OtherReads: 2,
			Course: []LiveMoment{{0, 6_991_234}, {617 * time.Microsecond, 5_500_000}, {1234 * time.Microsecond, 4_123_456}},
			During: phase(197_990, 2010), Before: phase(197_990, 2010), After: phase(190_000, 10_000),
			BeforeTheory: 1.1, AfterTheory: 5.1,
		}},
		Warnings:          []string{"a warning"},
		ProcessTableReads: 12345,
	}
}
