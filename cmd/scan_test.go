package cmd

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"siftdb/db"
)

func TestScan(t *testing.T) {
	dir := fruit(t)
	for line, want := range map[string]string{
		"":                                 "apple\tred\nbanana\tbrown\ncherry\tdark red\nfig\tgreen\ngrape\tblue\nkiwi\tgreen\n",
		"--from b --to fig":                "banana\tbrown\ncherry\tdark red\n",
		"--prefix b":                       "banana\tbrown\n",
		"--prefix b --from c":              "",
		"--limit 2 --reverse --keys-only":  "kiwi\ngrape\n",
		"--limit 1 --keys hex":             "6170706c65\tred\n",
		"--to banana -o csv":               "key,value\napple,red\n",
		"--to banana -o json":              "[\n{\"key\":\"apple\",\"value\":\"red\"}\n]\n",
		"--from x -o json":                 "[]\n",
		"--to cherry -o markdown":          "| key | value |\n| --- | --- |\n| apple | red |\n| banana | brown |\n",
		"--to cherry -o table --keys-only": "key\napple\nbanana\n",
		"--to cherry -o lines":             "apple\tred\nbanana\tbrown\n",
	} {
		if got := mustRun(t, dir, "scan -d DIR "+line); got != want {
			t.Errorf("scan %s: %q, want %q", line, got, want)
		}
	}
	if got := mustRun(t, dir, "count -d DIR --from b --to g"); got != "3\n" {
		t.Errorf("count: %q", got)
	}
}

// TestScanIsJSON: whatever bytes there are, what is printed is one JSON value.
func TestScanIsJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "any")
	makeStore(t, dir, nil, func(store *db.DB) {
		for k, v := range anyBytes() {
			put(t, store, k, v)
		}
	})
	for _, form := range []string{"text", "quoted", "hex", "base64"} {
		var got []struct{ Key, Value string }
		out := mustRun(t, dir, "scan -d DIR -o json --keys "+form+" --values "+form)
		if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != len(anyBytes()) {
			t.Errorf("%s: %v, %s", form, err, out)
		}
	}
}
