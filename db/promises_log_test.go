package db

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"siftdb/internal/fsys"
)

// lines is a slog handler that keeps what it is told. Its level is Info.
type lines struct {
	mu   sync.Mutex
	kept []slog.Record
}

func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (l *lines) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l *lines) WithGroup(string) slog.Handler                    { return l }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, r.Clone())
	return nil
}

// with are the lines whose message contains a text, as "message key=value ...".
func (l *lines) with(text string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.kept {
		if !strings.Contains(r.Message, text) {
			continue
		}
		line := r.Message
		r.Attrs(func(a slog.Attr) bool { line += fmt.Sprintf(" %s=%v", a.Key, a.Value); return true })
		found = append(found, line)
	}
	return found
}

// want checks that there are so many lines with a text, each with these attributes. It waits for the last ones: a
// line may come a moment after what it tells of.
func (l *lines) want(t *testing.T, n int, text string, attributes ...string) {
	t.Helper()
	eventually(t, text, func() bool { return len(l.with(text)) >= n })
	found := l.with(text)
	if len(found) != n {
		t.Errorf("%d lines with %q, want %d: %q", len(found), text, n, found)
	}
	for _, line := range found {
		for _, a := range attributes {
			if !strings.Contains(line, " "+a+"=") {
				t.Errorf("%q lacks %s", line, a)
			}
		}
	}
}

// promiseLog: slog, silent by default, one line per flush, compaction, stall and damage, with attributes.
func promiseLog(t *testing.T) {
	t.Run("silent by default", logSilent)
	t.Run("flush and compaction", logFlushAndCompaction)
	t.Run("stall", logStall)
	t.Run("failure", logOfFailure)
	t.Run("torn end", logTornEnd)
	t.Run("damage", logDamage)
}

// logSilent looks at the standard streams and at slog's default logger while a store does all it can do.
func logSilent(t *testing.T) {
	said := new(lines)
	before := slog.Default()
	slog.SetDefault(slog.New(said))
	defer slog.SetDefault(before)
	read, write, err := os.Pipe()
	check(t, err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = write, write
	func() {
		defer func() { os.Stdout, os.Stderr = stdout, stderr }()
		disk := fsys.NewMem()
		store := openStore(t, disk)
		fill(t, store, 500, 100, "")
		check(t, store.Compact(context.Background(), Range{}))
		store.Snapshot()
		store.Close()
		for _, name := range files(t, disk, "store", withSuffix(".sst")) {
			writeFile(t, disk, filepath.Join("store", name), []byte("junk"))
		}
		store = openStore(t, disk)
		pairs(t, store, Range{})
		store.Close()
	}()
	check(t, write.Close())
	printed, err := io.ReadAll(read)
	check(t, err)
	if len(printed) > 0 || len(said.kept) > 0 {
		t.Errorf("printed %q, logged %q", printed, said.with(""))
	}
}

func logged(to *lines) func(o *Options) { return func(o *Options) { o.Logger = slog.New(to) } }

func logFlushAndCompaction(t *testing.T) {
	said := new(lines)
	store := memStore(t, logged(said), func(o *Options) { o.NoCompaction = true })
	for range 3 {
		put(t, store, "a", "b")
		flush(t, store)
	}
	said.want(t, 3, "flushed", "entries", "tables", "bytes", "took")
	check(t, store.Compact(context.Background(), Range{}))
	m := store.Metrics()
	if m.Compactions == 0 {
		t.Error("nothing was compacted")
	}
	said.want(t, int(m.Compactions), "compacted", "plan", "read", "written", "took")
	said.want(t, int(m.TrivialMoves), "moved", "plan")
	if n := len(said.kept); n != 3+int(m.Compactions+m.TrivialMoves) {
		t.Errorf("%d lines: %q", n, said.with(""))
	}
}

// logStall stops writes by holding up the flush.
func logStall(t *testing.T) {
	said := new(lines)
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault, logged(said))
	goOn := make(chan struct{})
	fault.SetHook(func(op fsys.Op, name string) error {
		if op == fsys.OpCreate && strings.HasSuffix(name, ".sst") {
			<-goOn
		}
		return nil
	})
	var writer sync.WaitGroup
	writer.Go(func() { fill(t, store, 1000, 100, "") })
	eventually(t, "a stop", func() bool { return len(said.with("writes stopped")) > 0 })
	close(goOn)
	writer.Wait()
	said.want(t, int(store.Metrics().Stops), "writes stopped", "reason")
}

func logOfFailure(t *testing.T) {
	said := new(lines)
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault, logged(said))
	put(t, store, "a")
	fault.SetHook(func(op fsys.Op, name string) error {
		if op == fsys.OpCreate && strings.HasSuffix(name, ".sst") {
			return io.ErrUnexpectedEOF
		}
		return nil
	})
	wantErr(t, "Flush", store.Flush(context.Background()), io.ErrUnexpectedEOF)
	fault.SetHook(nil)
	flush(t, store)
	said.want(t, int(store.Metrics().BackgroundErrors), "flush failed", "err")
}

func logTornEnd(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	put(t, store, "a")
	check(t, store.Sync())
	killed := disk.Clone()
	name := filepath.Join("store", files(t, killed, "store", withSuffix(".wal"))[0])
	writeFile(t, killed, name, append(readFile(t, killed, name), make([]byte, 100)...))
	said := new(lines)
	openStore(t, killed, logged(said))
	said.want(t, 1, "torn end of log dropped", "segment", "offset", "bytes", "reason")
}

// logDamage reads a damaged table many times: by Get, Scan, Verify and Compact.
func logDamage(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	put(t, store, "a", "b")
	flush(t, store)
	check(t, store.Close())
	name := filepath.Join("store", files(t, disk, "store", withSuffix(".sst"))[0])
	b := readFile(t, disk, name)
	b[0] ^= 1
	writeFile(t, disk, name, b)
	said := new(lines)
	store = openStore(t, disk, logged(said))
	for range 3 {
		_, err := store.Get([]byte("a"))
		wantErr(t, "Get", err, ErrCorrupt)
		_, err = pairs(t, store, Range{})
		wantErr(t, "Scan", err, ErrCorrupt)
		wantErr(t, "Verify", lastOf(store.Verify(context.Background())), ErrCorrupt)
		wantErr(t, "Compact", store.Compact(context.Background(), Range{}), ErrCorrupt)
	}
	said.want(t, 1, "damage found", "file", "offset", "reason")

	// Compactors meet it again and again.
	for range 6 {
		put(t, store, "a", "b")
		flush(t, store)
	}
	eventually(t, "compactions that fail", func() bool { return store.Metrics().BackgroundErrors > 3 })
	wantErr(t, "WaitQuiet", store.WaitQuiet(context.Background()), ErrCorrupt)
	said.want(t, 1, "damage found")
	said.want(t, 0, "compaction failed")
}
