package wal_test

import (
	"fmt"

	"siftdb/internal/fsys"
	"siftdb/wal"
)

// A log that was not closed, after a power cut: what was synced is there, what was not may be gone.
func ExampleReplay() {
	disk := fsys.NewMem()
	log, err := wal.Create(disk, "/", 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	if err := log.AppendSync([]byte("kept")); err != nil {
		fmt.Println(err)
	}
	if err := log.Append([]byte("perhaps lost")); err != nil {
		fmt.Println(err)
	}

	after := disk.CrashClone(nil)
	report, err := wal.Replay(after, "/", []uint64{1}, func(segment uint64, group []byte) error {
		fmt.Printf("segment %d: %s\n", segment, group)
		return nil
	})
	fmt.Println(report.Segments[0].CleanEnd, err)
	// Output:
	// segment 1: kept
	// false <nil>
}
