package wal

import (
	"io/fs"
	"testing"

	"siftdb/internal/fsys"
)

// sink is a file system whose files take everything and keep nothing, so that only the log itself is measured.
type sink struct{ fsys.FS }

func (sink) Create(string) (fsys.File, error)      { return sinkFile{}, nil }
func (sink) SyncDir(string) error                  { return nil }
func (sink) Stat(name string) (fs.FileInfo, error) { return nil, fs.ErrNotExist }

type sinkFile struct{ fsys.File }

func (sinkFile) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (sinkFile) Sync() error                            { return nil }
func (sinkFile) Close() error                           { return nil }

// benchmarkAppend appends groups of 120 bytes and begins a new segment each 64 MiB.
func benchmarkAppend(b *testing.B, disk fsys.FS, dir string, add func(*Log, []byte) error) {
	number := uint64(1)
	l, err := Create(disk, dir, number, 0)
	if err != nil {
		b.Fatal(err)
	}
	group := make([]byte, 120)
	b.SetBytes(int64(len(group)))
	b.ReportAllocs()
	for b.Loop() {
		if err := add(l, group); err != nil {
			b.Fatal(err)
		}
		if l.SegmentSize() > 64<<20 {
			number++
			if err := l.Rotate(number, 0); err != nil {
				b.Fatal(err)
			}
			_ = disk.Remove(dir + "/" + Name(number-2))
		}
	}
	b.StopTimer()
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
}

func (sink) Remove(string) error { return nil }

// BenchmarkAppendSink is the cost of the log alone, BenchmarkAppend with the file system behind it.
func BenchmarkAppendSink(b *testing.B) { benchmarkAppend(b, sink{}, "", (*Log).Append) }

func BenchmarkAppend(b *testing.B) { benchmarkAppend(b, fsys.OS, b.TempDir(), (*Log).Append) }

func BenchmarkAppendSyncSink(b *testing.B) { benchmarkAppend(b, sink{}, "", (*Log).AppendSync) }

func BenchmarkAppendSync(b *testing.B) { benchmarkAppend(b, fsys.OS, b.TempDir(), (*Log).AppendSync) }

// BenchmarkReplay reads a segment of 100,000 groups of 120 bytes.
func BenchmarkReplay(b *testing.B) {
	disk := fsys.NewMem()
	l, err := Create(disk, "/", 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	for range 100_000 {
		if err := l.Append(make([]byte, 120)); err != nil {
			b.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(100_000 * 120)
	b.ReportAllocs()
	for b.Loop() {
		report, err := Replay(disk, "/", []uint64{1}, func(uint64, []byte) error { return nil })
		if err != nil || report.Segments[0].Groups != 100_000 {
			b.Fatal(report, err)
		}
	}
}
