package commit_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"siftdb/internal/commit"
	"siftdb/internal/key"
)

// golden is a group of a set, a deletion and a set of the empty value under the empty key, from sequence number 5 on.
const golden = "\x05\x00\x00\x00\x00\x00\x00\x00" + "\x01\x03fig\x05green" + "\x00\x04pear" + "\x01\x00\x00"

func group() []byte {
	b := commit.AppendHeader(nil, 5)
	b = commit.AppendWrite(b, key.KindSet, []byte("fig"), []byte("green"))
	b = commit.AppendWrite(b, key.KindDelete, []byte("pear"), []byte("left out"))
	return commit.AppendWrite(b, key.KindSet, nil, nil)
}

// TestFormStays: groups are written as they were, and what was written is read.
func TestFormStays(t *testing.T) {
	if got := group(); string(got) != golden {
		t.Errorf("written as %q, was %q", got, golden)
	}
	g, err := commit.ParseGroup([]byte(golden))
	if err != nil || g.First != 5 || g.Count != 3 {
		t.Fatalf("%+v, %v", g, err)
	}
	var lines []string
	for seq, w := range g.All() {
		lines = append(lines, fmt.Sprintf("%d %v %q %q %v", seq, w.Kind, w.Key, w.Value, w.Value == nil))
	}
	want := `5 SET "fig" "green" false, 6 DEL "pear" "" true, 7 SET "" "" false`
	if got := strings.Join(lines, ", "); got != want {
		t.Errorf("read as %s, want %s", got, want)
	}
}

// TestSizes: the size of a write is known before it is made, at each step of the lengths' lengths.
func TestSizes(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 1<<14 - 1, 1 << 14, 1<<21 - 1, 1 << 21} {
		for _, kind := range []key.Kind{key.KindDelete, key.KindSet} {
			b := make([]byte, n)
			if made, said := len(commit.AppendWrite(nil, kind, b, b)), commit.WriteSize(kind, b, b); int64(made) != said {
				t.Errorf("%v of %d bytes takes %d, WriteSize says %d", kind, n, made, said)
			}
		}
	}
}

// TestNoGroup: bytes that are no group are refused, whatever they are.
func TestNoGroup(t *testing.T) {
	long := commit.AppendWrite(commit.AppendHeader(nil, 1), key.KindDelete, make([]byte, key.MaxUser+1), nil)
	for _, b := range []string{
		"", "1234567", "12345678\x07", "12345678\x01", "12345678\x01\x05ab", "12345678\x01\x01a\x05b",
		"12345678\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01a", golden[:len(golden)-1], string(long),
	} {
		if g, err := commit.ParseGroup([]byte(b)); err == nil {
			t.Errorf("%q is a group of %d", b, g.Count)
		}
	}
}

// FuzzParseGroup: no bytes make it panic, and what it lets pass has the numbers that it says.
func FuzzParseGroup(f *testing.F) {
	f.Add(group())
	f.Add(group()[:len(golden)-1])
	f.Add(commit.AppendHeader(nil, 1))
	f.Add(commit.AppendHeader(nil, key.MaxSeq))
	f.Add(commit.AppendWrite(binary.LittleEndian.AppendUint64(nil, 1<<63), key.KindDelete, nil, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := commit.ParseGroup(b)
		if err != nil {
			return
		}
		if g.First == 0 || g.First+key.Seq(g.Count) > key.MaxSeq || len(g.Writes) != len(b)-commit.HeaderSize {
			t.Fatalf("first %d, %d writes in %d of %d bytes", g.First, g.Count, len(g.Writes), len(b))
		}
		next := g.First
		for seq, w := range g.All() {
			if seq != next || len(w.Key) > key.MaxUser {
				t.Fatalf("write %d, expected %d, has a key of %d bytes", seq, next, len(w.Key))
			}
			next++
		}
		if next != g.First+key.Seq(g.Count) {
			t.Fatalf("%d writes, counted %d", next-g.First, g.Count)
		}
	})
}
