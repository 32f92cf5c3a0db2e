package bench

import "testing"

func TestParseMount(t *testing.T) {
	point, kind, ok := parseMount(`36 35 98:0 /mnt1 /mnt\0402 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`)
	if !ok || point != "/mnt 2" || kind != "ext3" {
		t.Errorf("got %q, %q, %v", point, kind, ok)
	}
	for _, line := range []string{"", "a b c d", "1 2 3 4 5 - "} {
		if _, _, ok := parseMount(line); ok {
			t.Errorf("%q is taken for a mount", line)
		}
	}
	for _, c := range []struct {
		point, dir string
		want       bool
	}{{"/", "/tmp", true}, {"/tmp", "/tmp", true}, {"/tmp", "/tmp/a", true}, {"/tmp", "/tmpfs", false}} {
		if holds(c.point, c.dir) != c.want {
			t.Errorf("holds(%q, %q) is %v", c.point, c.dir, !c.want)
		}
	}
}

func TestHostIsKnown(t *testing.T) {
	if memorySize() <= 0 {
		t.Error("memory size is unknown")
	}
	if got := fileSystem(t.TempDir()); got == unknown {
		t.Error("file system is unknown")
	}
}
