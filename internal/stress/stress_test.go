package stress

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"siftdb/db"
)

var (
	duration = flag.Duration("stress.duration", 0, "how long TestRun begins rounds; 0: 3s, or one round with -short")
	seed     = flag.Uint64("stress.seed", 0, "seed of TestRun; 0: a new one each run")
)

const dirVariable, seedVariable, roundVariable = "SIFTDB_STRESS_DIR", "SIFTDB_STRESS_SEED", "SIFTDB_STRESS_ROUND"

// TestMain plays a round where it was started as a worker.
func TestMain(m *testing.M) {
	if dir := os.Getenv(dirVariable); dir != "" {
		if err := work(dir); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(m.Run())
}

func work(dir string) error {
	seed, err := strconv.ParseUint(os.Getenv(seedVariable), 10, 64)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(os.Getenv(roundVariable))
	if err != nil {
		return err
	}
	return Work(context.Background(), dir, Round{Seed: seed, Number: number}, os.Stdout)
}

// TestRun runs a few rounds; the command siftdb stress runs more.
func TestRun(t *testing.T) {
	config := Config{Dir: filepath.Join(t.TempDir(), "store"), Duration: *duration, Seed: *seed}
	if config.Seed == 0 {
		config.Seed = uint64(time.Now().UnixNano())
	}
	if config.Duration == 0 && !testing.Short() {
		config.Duration = 3 * time.Second
	}
	t.Logf("seed %d", config.Seed)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config.Worker = func(ctx context.Context, r Round) *exec.Cmd {
		c := exec.CommandContext(ctx, self, "-test.run", "^$")
		c.Env = append(os.Environ(), dirVariable+"="+config.Dir, seedVariable+"="+strconv.FormatUint(r.Seed, 10),
			roundVariable+"="+strconv.Itoa(r.Number))
		return c
	}
	summary, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", summary)
}

// storeOf makes a store that holds the first writes of all writers, taking turns, and what must be heard of them.
func storeOf(t *testing.T, dir string, each int) *heard {
	t.Helper()
	store := openStore(t, dir)
	said := &heard{ended: make(map[int]int)}
	for i := 1; i <= each; i++ {
		for n := range writers {
			if err := store.Apply(batchOf(1, n, i, said.durable), db.NoSync); err != nil {
				t.Fatal(err)
			}
			said.durable[n] = i
		}
	}
	closeStore(t, store)
	return said
}

func openStore(t *testing.T, dir string) *db.DB {
	t.Helper()
	store, err := db.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func closeStore(t *testing.T, store *db.DB) {
	t.Helper()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCompareFindsFaults: a store that lost or changed anything is not taken for right.
func TestCompareFindsFaults(t *testing.T) {
	const each = 50
	last := operationsOf(1, 2, each)
	for _, fault := range []struct {
		name  string
		plant func(store *db.DB, said *heard) error
		right bool
	}{
		{name: "none", right: true, plant: func(*db.DB, *heard) error { return nil }},
		{name: "a durable write is missing", plant: func(_ *db.DB, said *heard) error {
			said.durable[1]++
			return nil
		}},
		{name: "a write was lost at Close", plant: func(_ *db.DB, said *heard) error {
			said.ended[3] = each + 1
			return nil
		}},
		{name: "half a batch", plant: func(store *db.DB, _ *heard) error {
			return store.Put(markerKey(2), appendMarker(nil, each+1, progress{}))
		}},
		{name: "no prefix", plant: func(store *db.DB, _ *heard) error {
			return store.Apply(batchOf(1, 0, each+1, progress{each, each, each + 1, each}))
		}},
		{name: "a key too many", plant: func(store *db.DB, _ *heard) error { return store.Put(keyOf(0, 1), nil) }},
		{name: "another value", plant: func(store *db.DB, _ *heard) error { return store.Put(last[0].key, []byte("another")) }},
		{name: "a marker that is none", plant: func(store *db.DB, _ *heard) error { return store.Put(markerKey(0), []byte("x")) }},
	} {
		t.Run(fault.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			said := storeOf(t, dir, each)
			store := openStore(t, dir)
			if err := fault.plant(store, said); err != nil {
				t.Fatal(err)
			}
			closeStore(t, store)
			_, err := newHistory(1).compare(t.Context(), dir, Round{Seed: 1, Number: 1}, said)
			if (err == nil) != fault.right {
				t.Errorf("comparing gives %v", err)
			}
		})
	}
}

// TestMarker: what appendMarker writes parseMarker reads; all else is refused.
func TestMarker(t *testing.T) {
	want := progress{1, 20, 300, 0}
	i, got, err := parseMarker(appendMarker(nil, 4711, want))
	if err != nil || i != 4711 || got != want {
		t.Errorf("%d, %v, %v", i, got, err)
	}
	for _, bad := range []string{"", "1", "1 2 3", "1 2 3 4 x", "x 1 2 3 4", "1 2 3 4 5 6"} {
		if _, _, err := parseMarker([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a marker", bad)
		}
	}
}

// TestHear: lines of other programs are not taken for a worker's.
func TestHear(t *testing.T) {
	h := &heard{ended: make(map[int]int)}
	for _, line := range []string{"opened", "durable 1 7", "durable 1 5", "ended 0 9", "counted 12 3"} {
		if err := h.hear(line); err != nil {
			t.Error(err)
		}
	}
	if h.durable != (progress{1: 7}) || h.ended[0] != 9 || h.reads != 12 || h.faults != 3 {
		t.Errorf("%+v", h)
	}
	for _, bad := range []string{"", "durable", "durable x 1", "durable 9 1", "ended -1 1", "counted 1", "hello"} {
		if err := h.hear(bad); err == nil {
			t.Errorf("%q is taken for a line of a worker", bad)
		}
	}
}

// TestPutUpWith: only what the trouble of a round explains is put up with, and wrong answers never.
func TestPutUpWith(t *testing.T) {
	cause := &injected{5}
	var quiet, troubled worker
	troubled.bad.begun.Store(true)
	for _, test := range []struct {
		err             error
		quiet, troubled bool
	}{
		{nil, true, true},
		{context.Canceled, true, true},
		{cause, false, true},
		{db.ErrRefused, false, true},
		{errors.New("another"), false, false},
		{errors.Join(cause, db.ErrCorrupt), false, false},
		{errors.Join(cause, wrongf("value")), false, false},
	} {
		if got := quiet.putUpWith(test.err) == nil; got != test.quiet {
			t.Errorf("without trouble, %v: %v", test.err, got)
		}
		if got := troubled.putUpWith(test.err) == nil; got != test.troubled {
			t.Errorf("in trouble, %v: %v", test.err, got)
		}
	}
}
