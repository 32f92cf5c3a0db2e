package merge

import (
	"context"
	"fmt"
	"testing"

	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

func TestTablesEndAtTheirSize(t *testing.T) {
	// Each entry counts 1 byte of key and 5 of value.
	sink := &tables{}
	in := parse("a#9,SET b#9,SET c#9,SET d#9,SET e#9,SET")
	for i := range in {
		in[i].Value = []byte("12345")
	}
	stats, err := Run(context.Background(), check.NewSlice(in), sink, Options{TableSize: 12})
	if err != nil {
		t.Fatal(err)
	}
	if got := sink.picture(); got != "a#9,SET b#9,SET | c#9,SET d#9,SET | e#9,SET" {
		t.Errorf("tables %s", got)
	}
	if want := (Stats{EntriesIn: 5, EntriesOut: 5, BytesIn: 30, BytesOut: 30, Tables: 3}); stats != want {
		t.Errorf("stats %+v, want %+v", stats, want)
	}
}

func TestVersionsOfAKeyStayTogether(t *testing.T) {
	sink := &tables{}
	in := parse("a#9,SET b#9,SET b#8,SET b#7,DEL b#6,SET c#9,SET")
	if _, err := Run(context.Background(), check.NewSlice(in), sink, Options{TableSize: 1, Snapshots: []key.Seq{6, 7, 8}}); err != nil {
		t.Fatal(err)
	}
	if got := sink.picture(); got != "a#9,SET | b#9,SET b#8,SET b#7,DEL b#6,SET | c#9,SET" {
		t.Errorf("tables %s", got)
	}
}

func TestTablesEndBeforeTheyOverlapTooMuch(t *testing.T) {
	below := []Extent{
		{[]byte("a"), []byte("b"), 10}, {[]byte("c"), []byte("d"), 10}, {[]byte("f"), []byte("g"), 10},
		{[]byte("h"), []byte("i"), 10}, {[]byte("k"), []byte("l"), 10}, {[]byte("m"), []byte("n"), 10},
	}
	for _, c := range []struct {
		limit int64
		in    string
		want  string
	}{
		{20, "b#1,SET d#1,SET e#1,SET g#1,SET i#1,SET", "b#1,SET d#1,SET e#1,SET g#1,SET | i#1,SET"},
		{20, "b#1,SET z#1,SET", "b#1,SET | z#1,SET"},
		{20, "z#1,SET zz#1,SET", "z#1,SET zz#1,SET"},
		{10, "b#1,SET c#1,SET e#1,SET l#1,SET z#1,SET", "b#1,SET c#1,SET | e#1,SET | l#1,SET | z#1,SET"},
		{0, "b#1,SET z#1,SET", "b#1,SET z#1,SET"},
	} {
		sink := &tables{}
		if _, err := Run(context.Background(), check.NewSlice(parse(c.in)), sink, Options{Below: below, MaxOverlap: c.limit}); err != nil {
			t.Fatal(err)
		}
		if got := sink.picture(); got != c.want {
			t.Errorf("limit %d, %s: tables %s, want %s", c.limit, c.in, got, c.want)
		}
	}
}

func TestHalfFullTablesEndWithATableBelow(t *testing.T) {
	below := []Extent{{[]byte("a"), []byte("b"), 10}, {[]byte("e"), []byte("f"), 10}}
	for _, c := range []struct{ in, want string }{
		{"a#1,SET b#1,SET c#1,SET d#1,SET", "a#1,SET b#1,SET | c#1,SET d#1,SET"},
		{"b#1,SET c#1,SET d#1,SET e#1,SET g#1,SET", "b#1,SET c#1,SET d#1,SET e#1,SET | g#1,SET"},
		{"b#1,SET c#1,SET d#1,SET", "b#1,SET c#1,SET d#1,SET"}, // less than half full
	} {
		in := parse(c.in)
		for i := range in {
			in[i].Value = []byte("12345")
		}
		sink := &tables{}
		if _, err := Run(context.Background(), check.NewSlice(in), sink, Options{Below: below, TableSize: 24}); err != nil {
			t.Fatal(err)
		}
		if got := sink.picture(); got != c.want {
			t.Errorf("%s: tables %s, want %s", c.in, got, c.want)
		}
	}
}

func TestNoTableForNothing(t *testing.T) {
	for _, in := range []string{"", "a#9,DEL b#9,DEL b#8,SET"} {
		sink := &tables{}
		stats, err := Run(context.Background(), check.NewSlice(parse(in)), sink, Options{Elide: func([]byte) bool { return true }})
		if err != nil || len(sink.done) != 0 || stats.Tables != 0 {
			t.Errorf("%q: tables %s, stats %+v, error %v", in, sink.picture(), stats, err)
		}
	}
}

func ExampleRun() {
	entries := []check.Entry{
		{Key: key.Make([]byte("apple"), 7, key.KindDelete)},
		{Key: key.Make([]byte("apple"), 3, key.KindSet), Value: []byte("red")},
		{Key: key.Make([]byte("pear"), 5, key.KindSet), Value: []byte("green")},
	}
	sink := &tables{}
	stats, err := Run(context.Background(), check.NewSlice(entries), sink, Options{
		Elide: func([]byte) bool { return true }, // the last level: nothing lies below
	})
	fmt.Println(sink.picture(), stats.Hidden, stats.TombstonesDropped, err)
	// Output: pear#0,SET 1 1 <nil>
}
