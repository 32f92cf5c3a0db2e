package bench

import (
	"path/filepath"
	"testing"
	"time"

	"siftdb/db"
)

func TestDeviceAnswersLateForTablesOnly(t *testing.T) {
	const latency = 20 * time.Millisecond
	d := newDevice(db.OSFiles())
	dir := t.TempDir()
	read := func(name string) time.Duration {
		f, err := d.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt([]byte("block"), 0); err != nil {
			t.Fatal(err)
		}
		again, err := d.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		start := time.Now()
		buf := make([]byte, 5)
		if n, err := again.ReadAt(buf, 0); n != 5 || err != nil || string(buf) != "block" {
			t.Fatalf("read %q, %v", buf[:n], err)
		}
		return time.Since(start)
	}
	d.setLatency(latency)
	if took := read("000001.sst"); took < latency {
		t.Errorf("a table's read took %v, less than %v", took, latency)
	}
	if _, late := mustCreate(t, d, filepath.Join(dir, "000001.wal")).(*lateFile); late {
		t.Error("a log is made late")
	}
	if _, err := d.Open(filepath.Join(dir, "nothing.sst")); err == nil {
		t.Error("a missing file opens")
	}
}

func mustCreate(t *testing.T, d *device, name string) db.File {
	t.Helper()
	f, err := d.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestPauseIsNotShort(t *testing.T) {
	for _, d := range []time.Duration{-1, 0, time.Microsecond, 300 * time.Microsecond, 3 * time.Millisecond} {
		start := time.Now()
		pause(d)
		if took := time.Since(start); took < d {
			t.Errorf("pause(%v) took %v", d, took)
		}
	}
}

func BenchmarkPause1ms(b *testing.B) {
	for b.Loop() {
		pause(time.Millisecond)
	}
}
