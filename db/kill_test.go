package db

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var killRounds = flag.Int("kill.rounds", 0, "how often TestKill kills the writer; 0: 50, or 5 with -short")

// killWrite is write number i of the workload: the same whoever makes it. Each also sets the marker to its
// number, so that a store tells how many writes it holds.
func killWrite(i int) (b Batch, when WriteOption) {
	rng := rand.New(rand.NewPCG(7, uint64(i)))
	for range 1 + rng.IntN(6) {
		k := fmt.Appendf(nil, "key%03d", rng.IntN(300))
		if rng.IntN(4) == 0 {
			b.Delete(k)
		} else {
			b.Put(k, fmt.Appendf(nil, "%d:%s", i, strings.Repeat("v", rng.IntN(200))))
		}
	}
	b.Put([]byte("marker"), strconv.AppendInt(nil, int64(i), 10))
	when = NoSync
	if rng.IntN(4) == 0 {
		when = Sync
	}
	return b, when
}

func killOptions() *Options {
	return &Options{MemTableSize: 64 << 10, TableSize: 32 << 10, BlockSize: 1 << 10}
}

// killWriter is what the child process does: it goes on from the marker, and reports each write that was asked
// to be durable when it has returned.
func killWriter(dir string) error {
	store, err := Open(dir, killOptions())
	if err != nil {
		return err
	}
	i, err := marker(store)
	if err != nil {
		return err
	}
	for {
		i++
		b, when := killWrite(i)
		if err := store.Apply(&b, when); err != nil {
			return err
		}
		if when == Sync {
			fmt.Println(i)
		}
	}
}

// marker is the number of the newest write in the store, -1 before the first.
func marker(store *DB) (int, error) {
	v, err := store.Get([]byte("marker"))
	if err == ErrNotFound {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(v))
}

const killDirVariable = "SIFTDB_KILL_TEST_DIR"

func TestMain(m *testing.M) {
	for variable, child := range map[string]func(dir string) error{killDirVariable: killWriter, holdDirVariable: holdStore} {
		if dir := os.Getenv(variable); dir != "" {
			fmt.Fprintln(os.Stderr, child(dir))
			os.Exit(1)
		}
	}
	flag.Parse()
	os.Exit(m.Run())
}

// TestKill kills a writing process again and again. No write that it was told is durable is lost, batches are
// whole, and what is there is a prefix of the writes.
func TestKill(t *testing.T) {
	rounds := *killRounds
	if rounds == 0 {
		rounds = 50
		if testing.Short() {
			rounds = 5
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	dir := filepath.Join(t.TempDir(), "store")
	state, applied := make(map[string]string), -1
	for round := range rounds {
		acknowledged := runAndKill(t, self, dir, time.Duration(20+rng.IntN(150))*time.Millisecond)
		store, err := Open(dir, killOptions())
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		found, err := marker(store)
		if err != nil {
			t.Fatal(err)
		}
		if found < acknowledged || found < applied {
			t.Fatalf("round %d: write %d is the newest there, %d had been acknowledged", round, found, max(acknowledged, applied))
		}
		for ; applied < found; applied++ {
			b, _ := killWrite(applied + 1)
			for op := range b.Ops() {
				if op.Kind == OpDelete {
					delete(state, string(op.Key))
				} else {
					state[string(op.Key)] = string(op.Value)
				}
			}
		}
		compareWithMap(t, store, state)
		if round%10 == 0 {
			for info, err := range store.Verify(context.Background()) {
				if err != nil {
					t.Fatalf("round %d: %s: %v", round, info.File, err)
				}
			}
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d writes", rounds, applied+1)
}

// runAndKill runs the writer, kills it some time after its first report, and returns the last report.
func runAndKill(t *testing.T, self, dir string, after time.Duration) (acknowledged int) {
	t.Helper()
	writer := exec.Command(self, "-test.run", "^$")
	writer.Env = append(os.Environ(), killDirVariable+"="+dir)
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaint strings.Builder
	writer.Stderr = &complaint
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged = -1
	lines := bufio.NewReader(out)
	for started := false; ; {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break // a line cut short by the kill was not acknowledged
		}
		if err != nil {
			break
		}
		if acknowledged, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
			t.Fatalf("the writer says %q", line)
		}
		if !started {
			started = true
			time.AfterFunc(after, func() { writer.Process.Kill() })
		}
	}
	writer.Wait()
	if complaint.Len() > 0 {
		t.Fatalf("the writer failed: %s", complaint.String())
	}
	return acknowledged
}

func compareWithMap(t *testing.T, store *DB, state map[string]string) {
	t.Helper()
	n := 0
	for e, err := range store.Scan(Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		if want, there := state[string(e.Key)]; !there || want != string(e.Value) {
			t.Fatalf("%q is %q, want %q, %v", e.Key, e.Value, want, there)
		}
		n++
	}
	if n != len(state) {
		t.Fatalf("%d keys, want %d", n, len(state))
	}
}
