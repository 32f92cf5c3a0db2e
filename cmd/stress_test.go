package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestMain is the siftdb command where stress calls this program for a worker.
func TestMain(m *testing.M) {
	if i := slices.Index(os.Args, "worker"); i > 0 && os.Args[i-1] == "stress" {
		root := New()
		root.SetArgs(os.Args[1:])
		err := root.Execute()
		if err != nil {
			fmt.Fprintln(os.Stderr, ErrorLine(err))
		}
		os.Exit(ExitCode(err))
	}
	os.Exit(m.Run())
}

func TestStress(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	out, _, err := execute(t.Context(), "stress", "--duration", "1ms", "--dir", dir, "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var summary struct {
		Seed            uint64
		Rounds, Checked int
	}
	if err := json.Unmarshal([]byte(out), &summary); err != nil {
		t.Fatal(err)
	}
	if summary.Seed == 0 || summary.Rounds != 1 || summary.Checked == 0 {
		t.Errorf("%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "CURRENT")); err != nil {
		t.Errorf("the store is not where --dir says: %v", err)
	}
	_, _, err = execute(t.Context(), "stress", "--dir", dir)
	if ExitCode(err) != ExitUsage {
		t.Errorf("a directory that holds something: %v", err)
	}
}

// TestStressInterrupted: a run that did not last as long as it was to is not taken for one that did.
func TestStressInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := filepath.Join(t.TempDir(), "store")
	out, _, err := execute(ctx, "stress", "--dir", dir, "-o", "json")
	if ExitCode(err) != ExitInterrupted || ErrorLine(err) != "siftdb: stress: interrupted: nothing was wrong in 0 rounds" {
		t.Errorf("exit code %d, %v", ExitCode(err), err)
	}
	if !json.Valid([]byte(out)) {
		t.Errorf("written: %q", out)
	}
}
