package cmd

import (
	"testing"
)

// TestParseGroup: bytes that are no group are refused, whatever they are.
func TestParseGroup(t *testing.T) {
	for _, b := range []string{"", "1234567", "12345678\x07", "12345678\x01", "12345678\x01\x05ab", "12345678\x01\x01a\x05b", "12345678\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		if g, err := parseGroup([]byte(b)); err == nil {
			t.Errorf("%q is a group of %d", b, g.count)
		}
	}
	g, err := parseGroup([]byte("\x05\x00\x00\x00\x00\x00\x00\x00\x01\x01a\x02bc\x00\x00"))
	if err != nil || g.first != 5 || g.count != 2 {
		t.Errorf("%+v, %v", g, err)
	}
}

func FuzzParseGroup(f *testing.F) {
	f.Add([]byte("\x05\x00\x00\x00\x00\x00\x00\x00\x01\x01a\x02bc\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := parseGroup(b)
		if err != nil {
			return
		}
		n := 0
		for range g.ops() {
			n++
		}
		if n != g.count {
			t.Errorf("%d writes, counted %d", n, g.count)
		}
	})
}
