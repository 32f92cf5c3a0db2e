package cmd

import (
	"strings"
	"testing"

	"siftdb/db"
)

func TestFiltersProbeOfAFile(t *testing.T) {
	dir := fruit(t)
	_, stderr, code := runWith(t, "apple\nbanana\tyellow\ncoconut\n", dir, "filters", "-d", "DIR", "--probe", "-")
	if code != ExitOK || !strings.HasPrefix(stderr, "looked up 3 keys: 2 there, 1 not;") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	_, stderr, code = runWith(t, "61\n6\n", dir, "filters", "-d", "DIR", "--keys", "hex", "--probe", "-")
	if code != ExitError || !strings.Contains(stderr, `input: line 2: key: "6" is no hexadecimal text`) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	_, stderr, code = run(t, dir, "filters -d DIR --probe 100kk")
	if code != ExitError || !strings.Contains(stderr, "neither a number of keys, such as 100k, nor a file: open 100kk: ") {
		t.Errorf("a missing file: exit code %d, %s", code, stderr)
	}
}

// TestKeysBetween: made keys are new, absent, each another, and within the tables' ranges; few keys leave room for
// many.
func TestKeysBetween(t *testing.T) {
	dir := fruit(t)
	makeStore(t, dir, nil, func(store *db.DB) {
		seen := make(map[string]bool)
		for key, err := range keysBetween(store, 50) {
			if err != nil {
				t.Fatal(err)
			}
			there, err := store.Has(key)
			if err != nil || there || seen[string(key)] || string(key) <= "apple" || string(key) >= "kiwi" {
				t.Errorf("made %q: there %v, again %v, %v", key, there, seen[string(key)], err)
			}
			seen[string(key)] = true
		}
		if len(seen) != 50 {
			t.Errorf("%d keys", len(seen))
		}
	})
}
