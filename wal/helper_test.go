package wal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/offheap"
)

// TestMain looks for what logs have left behind: goroutines, and memory that no collector frees.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if held := offheap.Held(); code == 0 && held != 0 {
			fmt.Fprintf(os.Stderr, "%d bytes outside the heap were not given back\n", held)
			code = 1
		}
		os.Exit(code)
	}))
}

const dir = "store"

func newDisk(t testing.TB) *fsys.Mem {
	t.Helper()
	disk := fsys.NewMem()
	must(t, disk.MkdirAll(dir))
	return disk
}

func newLog(t testing.TB, disk fsys.FS, number uint64) *Log {
	t.Helper()
	l, err := Create(disk, dir, number, 0)
	must(t, err)
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rng is a random source whose seed is printed.
func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func path(number uint64) string { return filepath.Join(dir, Name(number)) }

// numbers lists the segments on a disk.
func numbers(t testing.TB, disk fsys.FS) (out []uint64) {
	t.Helper()
	names, err := disk.List(dir)
	must(t, err)
	for _, name := range names {
		if n, ok := ParseName(name); ok {
			out = append(out, n)
		}
	}
	return out
}

// replayed is what a replay of all segments on a disk gives.
func replayed(t testing.TB, disk fsys.FS) (groups []string, report Report, err error) {
	t.Helper()
	report, err = Replay(disk, dir, numbers(t, disk), func(_ uint64, group []byte) error {
		groups = append(groups, string(group))
		return nil
	})
	return groups, report, err
}

func readFile(t testing.TB, disk fsys.FS, name string) []byte {
	t.Helper()
	f, err := disk.Open(name)
	must(t, err)
	defer f.Close()
	info, err := f.Stat()
	must(t, err)
	p := make([]byte, info.Size())
	if n, err := f.ReadAt(p, 0); n < len(p) && err != io.EOF {
		t.Fatal(err)
	}
	return p
}

func writeFile(t testing.TB, disk fsys.FS, name string, content []byte) {
	t.Helper()
	f, err := disk.Create(name)
	must(t, err)
	_, err = f.WriteAt(content, 0)
	must(t, err)
	must(t, f.Sync())
	must(t, f.Close())
	must(t, disk.SyncDir(dir))
}

// diskWith is a disk with the given segments.
func diskWith(t testing.TB, segments map[uint64][]byte) *fsys.Mem {
	t.Helper()
	disk := newDisk(t)
	for number, content := range segments {
		writeFile(t, disk, path(number), content)
	}
	return disk
}

// damage is the corruption that an error tells of; the test fails when it tells of none.
func damage(t testing.TB, err error) *corrupt.Error {
	t.Helper()
	var e *corrupt.Error
	if !errors.As(err, &e) {
		t.Fatalf("no corruption error: %v", err)
	}
	return e
}

// history is what callers of a log were told, to be compared with what a replay gives.
type history struct {
	mu      sync.Mutex
	groups  int          // started, numbered from 0
	no      map[int]bool // refused, and not undetermined
	durable int          // groups below this are durable, if they were taken
}

// next gives the next group's number and bytes.
func (h *history) next(size int) (int, []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.no == nil {
		h.no = map[int]bool{}
	}
	group := make([]byte, 8+size)
	binary.LittleEndian.PutUint64(group, uint64(h.groups))
	for i := range size {
		group[8+i] = byte(h.groups + i)
	}
	h.groups++
	return h.groups - 1, group
}

func (h *history) refused(i int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.no[i] = true
}

// synced notes that all groups below n are durable.
func (h *history) synced(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.durable = max(h.durable, n)
}

func (h *history) started() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.groups
}

func (h *history) durables() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.durable
}

// check says how replayed groups are not a prefix of what was taken, with everything below durable in it.
func (h *history) check(groups []string, durable int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	want := 0
	for _, g := range groups {
		for h.no[want] {
			want++
		}
		if len(g) < 8 || binary.LittleEndian.Uint64([]byte(g)) != uint64(want) {
			return fmt.Errorf("group %d expected, got %x", want, g[:min(len(g), 8)])
		}
		want++
	}
	for ; want < durable; want++ {
		if !h.no[want] {
			return fmt.Errorf("group %d was durable and is gone", want)
		}
	}
	return nil
}

// work does random calls on a log, as one appender would, and notes what it is told. It ends early when the log
// refuses everything.
func (h *history) work(l *Log, rng *rand.Rand, steps int) {
	number := l.Number()
	for range steps {
		switch rng.IntN(10) {
		case 0:
			number++
			_ = l.Rotate(number, uint64(rng.IntN(100)))
		case 1, 2:
			n := h.started()
			if l.Sync() == nil {
				h.synced(n)
			}
		case 3, 4, 5:
			i, group := h.next(rng.IntN(700))
			err := l.AppendSync(group)
			if err == nil {
				h.synced(i + 1)
			} else if !errors.Is(err, ErrUndetermined) {
				h.refused(i)
			}
		default:
			i, group := h.next(rng.IntN(300))
			if l.Append(group) != nil {
				h.refused(i)
			}
		}
	}
}

// close ends the log, and notes that everything is durable when it says so.
func (h *history) close(l *Log) error {
	n := h.started()
	err := l.Close()
	if err == nil {
		h.synced(n)
	}
	return err
}
