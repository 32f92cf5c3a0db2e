package cmd

import (
	"path/filepath"
	"testing"
)

func TestPutDelete(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "store")
	_, stderr, code := run(t, dir, "put -d DIR fig green")
	if code != ExitOK || stderr != "made a new store in "+dir+"\n" {
		t.Fatalf("exit code %d, %q", code, stderr)
	}
	mustRun(t, dir, "put -d DIR --keys hex --values base64 00ff AAE=")
	if _, stderr, code := runWith(t, "two\nlines\n", dir, "put", "-d", "DIR", "poem", "-"); code != ExitOK {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	want := "\"\\x00\\xff\"\t\"\\x00\\x01\"\nfig\tgreen\npoem\t\"two\\nlines\\n\"\n"
	if got := mustRun(t, dir, "scan -d DIR"); got != want {
		t.Errorf("scan gives %q, want %q", got, want)
	}
	mustRun(t, dir, "delete -d DIR fig nothing")
	if got := mustRun(t, dir, "count -d DIR"); got != "2\n" {
		t.Errorf("count after delete: %q", got)
	}
}
