package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"siftdb/bloom"
	"siftdb/db"
)

var oneUnit = regexp.MustCompile(`^[0-9.]+ ([KMGTPE]i)?B$`)

// TestTextOfAnyNumber: numbers of bytes and of things have a text whatever their size, with one unit (MET-06).
func TestTextOfAnyNumber(t *testing.T) {
	for _, bytes := range []int64{math.MinInt64, -1, 0, 1, 1023, 1024, 1 << 30, 1 << 40, 1 << 50, 1 << 60, math.MaxInt64} {
		if text := sizeText(bytes); !oneUnit.MatchString(text) {
			t.Errorf("%d bytes are %q", bytes, text)
		}
	}
	for n, want := range map[uint64]string{
		0: "0", 1: "1", 1023: "1,023", 1 << 40: "1,099,511,627,776", 1 << 63: "9,223,372,036,854,775,808",
		math.MaxUint64: "18,446,744,073,709,551,615",
	} {
		if got := countText(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	if got := countText(-1234); got != "-1,234" {
		t.Errorf("-1234 is %q", got)
	}
}

// TestNumbersOfAnEmptyStore: what there is to see of a store that holds nothing is seen in each form (MET-06).
func TestNumbersOfAnEmptyStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "empty")
	makeStore(t, dir, nil, func(*db.DB) {})
	for _, form := range []string{"table", "json", "csv", "markdown"} {
		for _, command := range []string{"info", "tables", "filters"} {
			stdout, stderr, code := run(t, dir, fmt.Sprintf("%s -d DIR -o %s", command, form))
			if code != ExitOK || strings.Contains(stdout, "NaN") || strings.Contains(stdout, "Inf") {
				t.Errorf("%s -o %s: exit code %d, %s%s", command, form, code, stdout, stderr)
			}
		}
	}
}

// TestFilterBytesAgree: what the command says of the filters' bytes, for the store, each level and each table, is what
// the store says and what the tables' properties add up to, to the byte; also after a compaction (MET-05).
func TestFilterBytesAgree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	o := &db.Options{NoCompaction: true, NoSync: true, Filter: bloom.Classic(9)} // not in planes: all of it is in memory
	makeStore(t, dir, o, func(store *db.DB) {
		for round := range 3 {
			putMany(t, store, 1000*(round+1), 1+round)
			flush(t, store)
		}
	})
	filterBytesAgree(t, dir, 3)
	makeStore(t, dir, o, func(store *db.DB) {
		if err := store.Compact(context.Background(), db.Range{}); err != nil {
			t.Fatal(err)
		}
	})
	filterBytesAgree(t, dir, 1)
}

func filterBytesAgree(t *testing.T, dir string, tables int) {
	t.Helper()
	inFiles, metrics := int64(0), int64(0)
	makeStore(t, dir, &db.Options{ReadOnly: true}, func(store *db.DB) {
		if err := store.LoadFilters(context.Background()); err != nil {
			t.Fatal(err)
		}
		for info := range store.Tables() {
			tables--
			inFiles += int64(info.FilterBits) / 8
		}
		metrics = store.Metrics().FilterBytes
	})
	if tables != 0 || inFiles == 0 || metrics != inFiles {
		t.Errorf("%d tables too few; their files have %d bytes of filters, in memory are %d", tables, inFiles, metrics)
	}
	sums := make(map[string]float64)
	for _, row := range jsonRows(t, dir, "filters -d DIR") {
		sums[row["scope"].(string)] += row["filter_bytes"].(float64)
		if row["scope"] == "table" && row["file_bytes"] != row["filter_bytes"] {
			t.Errorf("%v: %v bytes in the file, %v in memory", row["table"], row["file_bytes"], row["filter_bytes"])
		}
	}
	for _, row := range jsonRows(t, dir, "tables -d DIR") {
		sums["tables"] += row["bits_per_key"].(float64) * row["keys"].(float64) / 8
	}
	var info map[string]any
	if err := json.Unmarshal([]byte(mustRun(t, dir, "info -d DIR -o json")), &info); err != nil {
		t.Fatal(err)
	}
	sums["info"] = info["filter_bytes"].(float64)
	for _, scope := range []string{"store", "level", "table", "tables", "info"} {
		if int64(math.Round(sums[scope])) != inFiles {
			t.Errorf("%s: %g bytes of filters, the files have %d", scope, sums[scope], inFiles)
		}
	}
}
