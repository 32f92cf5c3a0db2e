package bench

import (
	"bytes"
	"os"
	"testing"
	"time"
)

func TestProgressInPlainLines(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out).(*progressLine)
	now := time.Unix(0, 0)
	p.now = func() time.Time { return now }

	p.Begin("load", 2000)
	now = now.Add(time.Second)
	p.At(100) // too soon for a line
	now = now.Add(4 * time.Second)
	p.At(500)
	now = now.Add(15 * time.Second)
	p.At(2000)
	p.End()
	p.Begin("nothing", 0)
	p.End()
	want := "load: 500 of 2,000, 100/s, 15s to go\n" +
		"load: 2,000 of 2,000, 100/s, took 20s\n" +
		"load: 2,000 of 2,000, 100/s, took 20s\n" +
		"nothing: 0 of 0, 0/s, took 0s\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestTerminal(t *testing.T) {
	if isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is no terminal")
	}
	f, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isTerminal(f) {
		t.Error("a file is no terminal")
	}
}
