package merge

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

func TestRetention(t *testing.T) {
	nothingBelow := func([]byte) bool { return true }
	for _, c := range []struct {
		name      string
		in        string
		snapshots []key.Seq
		elide     func([]byte) bool
		want      string
	}{
		{"newest only", "a#9,SET a#7,SET a#3,SET b#1,SET", nil, nil, "a#9,SET b#1,SET"},
		{"a version for each snapshot", "a#9,SET a#7,SET a#6,SET a#3,SET", []key.Seq{4, 8}, nil, "a#9,SET a#7,SET a#3,SET"},
		{"snapshot at the version", "a#9,SET a#7,SET a#6,SET", []key.Seq{7}, nil, "a#9,SET a#7,SET"},
		{"snapshot before all", "a#9,SET a#7,SET", []key.Seq{1}, nil, "a#9,SET"},
		{"deletion over older data below", "a#9,DEL a#7,SET", nil, nil, "a#9,DEL"},
		{"deletion over nothing", "a#9,DEL a#7,SET b#8,SET", nil, nothingBelow, "b#0,SET"},
		{"deletion that hides a version kept for a snapshot", "a#9,DEL a#7,SET", []key.Seq{8}, nothingBelow, "a#9,DEL a#0,SET"},
		{"deletion that hides nothing, seen by no snapshot", "a#9,DEL", []key.Seq{8}, nothingBelow, ""},
		{"deletion seen by a snapshot", "a#9,SET a#7,DEL a#3,SET", []key.Seq{8}, nothingBelow, "a#9,SET"},
		{"two deletions say what the older one says", "a#9,DEL a#7,DEL a#3,SET", []key.Seq{4, 8}, nil, "a#7,DEL a#3,SET"},
		{"two deletions over nothing", "a#9,DEL a#7,DEL", []key.Seq{8}, nothingBelow, ""},
		{"zero only where all views see it", "a#9,SET b#2,SET", []key.Seq{4}, nothingBelow, "a#9,SET b#0,SET"},
		{"the view of an empty store keeps numbers", "a#1,SET", []key.Seq{0}, nothingBelow, "a#1,SET"},
	} {
		sink := &tables{}
		if _, err := Run(context.Background(), check.NewSlice(parse(c.in)), sink, Options{Snapshots: c.snapshots, Elide: c.elide}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := sink.picture(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// look is what a view at seq sees of a key in entries and, where there is nothing, in older.
func look(seq key.Seq, user string, entries []check.Entry, older string) string {
	for _, e := range entries {
		if string(e.Key.User) == user && e.Key.Seq() <= seq {
			if e.Key.Kind() == key.KindDelete {
				return ""
			}
			return string(e.Value)
		}
	}
	return older
}

// TestEveryViewSeesTheSameAfterwards goes through all histories of one key in five steps, all sets of snapshots
// and both states of the levels below.
func TestEveryViewSeesTheSameAfterwards(t *testing.T) {
	const steps = 5
	for history := range 243 { // each step nothing, a value or a deletion: 3^5
		var entries []check.Entry
		for seq, rest := key.Seq(1), history; seq <= steps; seq, rest = seq+1, rest/3 {
			switch rest % 3 {
			case 1:
				entries = append(entries, check.Entry{Key: key.Make([]byte("a"), seq, key.KindSet), Value: []byte{'0' + byte(seq)}})
			case 2:
				entries = append(entries, check.Entry{Key: key.Make([]byte("a"), seq, key.KindDelete)})
			}
		}
		check.Sort(entries)
		for set := range 1 << (steps + 1) {
			var snapshots []key.Seq
			for seq := range key.Seq(steps + 1) {
				if set&(1<<seq) != 0 {
					snapshots = append(snapshots, seq)
				}
			}
			for _, older := range []string{"", "older"} {
				checkViews(t, entries, snapshots, older)
			}
		}
	}
}

// checkViews merges the versions of one key and holds all views against each other. older is what lies below.
func checkViews(t *testing.T, entries []check.Entry, snapshots []key.Seq, older string) {
	t.Helper()
	sink := &tables{}
	o := Options{Snapshots: snapshots, Elide: func([]byte) bool { return older == "" }}
	stats, err := Run(context.Background(), check.NewSlice(entries), sink, o)
	if err != nil {
		t.Fatal(err)
	}
	out := sink.entries()
	for _, view := range append(snapshots[:len(snapshots):len(snapshots)], key.MaxSeq) {
		before, after := look(view, "a", entries, older), look(view, "a", out, older)
		if before != after {
			t.Fatalf("view at %d of %v with snapshots %v over %q: %q, after %q in %v", view, entries, snapshots, older, before, after, out)
		}
	}
	if len(out) > len(snapshots)+1 {
		t.Fatalf("%v with snapshots %v: %d survivors %v", entries, snapshots, len(out), out)
	}
	if n := len(out); n > 0 && older == "" && out[n-1].Key.Kind() == key.KindDelete {
		t.Fatalf("%v with snapshots %v: a deletion of nothing survives in %v", entries, snapshots, out)
	}
	if stats.EntriesIn != stats.EntriesOut+stats.Hidden+stats.TombstonesDropped || stats.EntriesOut != int64(len(out)) {
		t.Fatalf("%v with snapshots %v: %v, stats %+v", entries, snapshots, out, stats)
	}
}

// TestManyKeysAreRetainedOneByOne holds a merge of many keys against merges of each alone.
func TestManyKeysAreRetainedOneByOne(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 100 {
		entries := check.Generate(rng, 200, 8)
		var snapshots []key.Seq
		for seq := key.Seq(0); seq < 400; seq += key.Seq(1 + rng.IntN(200)) {
			snapshots = append(snapshots, seq)
		}
		last := ""
		o := Options{Snapshots: snapshots, Elide: func(user []byte) bool {
			if string(user) <= last && last != "" {
				t.Errorf("seed %d: asked for %q after %q", seed, user, last)
			}
			last = string(user)
			return len(user)%2 == 0
		}, TableSize: int64(rng.IntN(3000))}
		whole := &tables{}
		stats, err := Run(context.Background(), check.NewSlice(entries), whole, o)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Tables != len(whole.done) {
			t.Errorf("seed %d: %d tables, stats %+v", seed, len(whole.done), stats)
		}
		single := &tables{}
		for first := 0; first < len(entries); {
			end := first + 1
			for end < len(entries) && string(entries[end].Key.User) == string(entries[first].Key.User) {
				end++
			}
			last = ""
			if _, err := Run(context.Background(), check.NewSlice(entries[first:end]), single, o); err != nil {
				t.Fatal(err)
			}
			first = end
		}
		if got, want := flat(whole), flat(single); got != want {
			t.Fatalf("seed %d: together\n%s\none by one\n%s", seed, got, want)
		}
	}
}

func flat(s *tables) string { return strings.ReplaceAll(s.picture(), " | ", " ") }
