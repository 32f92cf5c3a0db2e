package cmd

import (
	"testing"
)

func TestGet(t *testing.T) {
	dir := fruit(t)
	for line, want := range map[string]string{
		"get -d DIR fig":                    "green\n",
		"get --db DIR banana":               "brown\n",
		"get -d DIR fig --raw":              "green",
		"get -d DIR --keys hex 666967":      "green\n",
		"get -d DIR fig --values hex":       "677265656e\n",
		"get -d DIR fig --values quoted":    "\"green\"\n",
		"get -d DIR fig --values base64":    "Z3JlZW4=\n",
		"-d DIR get kiwi":                   "green\n",
		`get -d DIR --keys quoted "\x66ig"`: "green\n",
	} {
		if got := mustRun(t, dir, line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for _, key := range []string{"date", "plum"} {
		stdout, stderr, code := run(t, dir, "get -d DIR "+key)
		if code != ExitNotFound || stdout != "" || stderr != "siftdb: not found: "+key+"\n" {
			t.Errorf("get %s: exit code %d, %q, %q", key, code, stdout, stderr)
		}
	}
}

func TestStoreOfTheEnvironment(t *testing.T) {
	t.Setenv(dirVariable, fruit(t))
	stdout, _, err := execute(t.Context(), "get", "fig")
	if err != nil || stdout != "green\n" {
		t.Errorf("%v, %q", err, stdout)
	}
}
