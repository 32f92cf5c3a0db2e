package cmd

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestInfo(t *testing.T) {
	dir := fruit(t)
	var got map[string]any
	if err := json.Unmarshal([]byte(mustRun(t, dir, "info -d DIR -o json")), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"directory": dir, "tables": 2.0, "entries": 7.0, "level_0_tables": 2.0, "level_0_entries": 7.0,
		"log_only_writes": 2.0, "last_sequence": 9.0, "log_dropped_bytes": 0.0,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	people := mustRun(t, dir, "info -d DIR")
	if !strings.Contains(people, "writes that are only in the log") || !strings.Contains(people, "level 0 ") {
		t.Errorf("for people: %s", people)
	}
}
