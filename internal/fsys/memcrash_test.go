package fsys

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// unsynced is a disk with a file of two synced sectors, whose middle was written over and whose end was added to
// since, and which got another name.
func unsynced(t *testing.T) *Mem {
	t.Helper()
	disk := NewMem()
	f := create(t, disk, "old")
	write(t, f, strings.Repeat("a", 2*sector), 0)
	must(t, f.Sync())
	must(t, disk.SyncDir("/"))
	write(t, f, strings.Repeat("b", sector), sector/2)
	write(t, f, strings.Repeat("c", 2*sector), 2*sector)
	must(t, disk.Rename("old", "new"))
	return disk
}

// squeezed writes a content as runs: 3a is aaa.
func squeezed(content string) (runs string) {
	for len(content) > 0 {
		n := len(content) - len(strings.TrimLeft(content, content[:1]))
		runs += fmt.Sprintf("%d%q ", n, content[0])
		content = content[n:]
	}
	return runs
}

// What a power cut leaves of names, and what of data, are two things.
func TestCutNamesAndData(t *testing.T) {
	disk := unsynced(t)
	synced := squeezed(content(t, disk.CrashClone(nil), "old"))
	written := squeezed(content(t, disk, "new"))
	for _, c := range []struct {
		cut        PowerCut
		name, data string
	}{
		{PowerCut{}, "old", synced},
		{PowerCut{Names: All}, "new", synced},
		{PowerCut{Data: All}, "old", written},
		{PowerCut{Names: All, Data: All}, "new", written},
	} {
		after := disk.Cut(c.cut)
		if got := names(t, after, "/"); len(got) != 1 || got[0] != c.name {
			t.Errorf("%+v: names %q", c.cut, got)
		} else if got := squeezed(content(t, after, c.name)); got != c.data {
			t.Errorf("%+v: %s, want %s", c.cut, got, c.data)
		}
	}
}

// Some of the data is any of the sectors: each is seen kept and lost, and what lies in a lost one's place is zeros, old
// bytes or junk.
func TestCutKeepsAnySectors(t *testing.T) {
	disk := unsynced(t)
	old, added, ends := map[string]int{}, map[string]int{}, map[int]int{}
	for seed := range uint64(300) {
		after := disk.Cut(PowerCut{Data: Some, Rand: rand.New(rand.NewPCG(seed, 0))})
		got := content(t, after, "old")
		if got[:sector/2] != strings.Repeat("a", sector/2) {
			t.Fatalf("seed %d: bytes that were synced and not written over: %s", seed, squeezed(got))
		}
		old[got[sector/2:sector/2+1]+got[sector:sector+1]]++
		ends[len(got)/sector]++
		if len(got) != 4*sector {
			continue
		}
		kinds := ""
		for _, s := range []string{got[2*sector : 3*sector], got[3*sector:]} {
			kind := "junk"
			switch strings.Trim(s, s[:1]) + s[:1] {
			case "c":
				kind = "written"
			case "\x00":
				kind = "zeros"
			}
			kinds += kind + " "
		}
		added[kinds]++
	}
	for _, want := range []string{"aa", "ab", "ba", "bb"} {
		if old[want] == 0 {
			t.Errorf("written over: never seen %s: %v", want, old)
		}
	}
	for _, want := range []string{
		"written written ", "zeros written ", "written zeros ", "zeros zeros ",
		"junk written ", "written junk ", "junk junk ",
	} {
		if added[want] == 0 {
			t.Errorf("added: never seen %q: %v", want, added)
		}
	}
	if ends[2] == 0 || ends[3] == 0 || ends[4] == 0 || len(ends) != 3 {
		t.Errorf("lengths %v in sectors", ends)
	}
}

// Between two directories a rename is two changes: the file may be in both, in one or in neither.
func TestCutRenameBetweenDirectories(t *testing.T) {
	disk := NewMem()
	must(t, disk.MkdirAll("a"))
	must(t, disk.MkdirAll("b"))
	create(t, disk, "a/f")
	must(t, disk.SyncDir("a"))
	create(t, disk, "b/g")
	must(t, disk.SyncDir("b"))
	must(t, disk.Rename("a/f", "b/g"))
	if a, b := names(t, disk, "a"), names(t, disk, "b"); len(a) != 0 || !slices.Equal(b, []string{"g"}) {
		t.Fatalf("renamed: %q, %q", a, b)
	}
	seen := map[string]bool{}
	for seed := range uint64(100) {
		after := disk.Cut(PowerCut{Names: Some, Rand: rand.New(rand.NewPCG(seed, 0))})
		seen[fmt.Sprint(names(t, after, "a"), names(t, after, "b"))] = true
	}
	if len(seen) != 2 || !seen["[f] [g]"] || !seen["[] [g]"] {
		t.Errorf("seen %v", seen)
	}
	must(t, disk.Rename("b/g", "a/g"))
	must(t, disk.Rename("a/g", "a/g"))
	for what, err := range map[string]error{
		"onto a directory": disk.Rename("a/g", "b"), "into none": disk.Rename("a/g", "c/g"),
		"onto the root": disk.Rename("a/g", "/"),
	} {
		if err == nil {
			t.Errorf("a rename %s worked", what)
		}
	}
}

// That a file was emptied may be lost, like a write.
func TestCutEmptiedFile(t *testing.T) {
	disk := NewMem()
	f := create(t, disk, "f")
	write(t, f, "old", 0)
	must(t, f.Sync())
	must(t, disk.SyncDir("/"))
	write(t, create(t, disk, "f"), "n", 0)
	seen := map[string]int{}
	for seed := range uint64(200) {
		seen[content(t, disk.Cut(PowerCut{Data: Some, Rand: rand.New(rand.NewPCG(seed, 0))}), "f")]++
	}
	for _, want := range []string{"old", "", "n", "nld"} {
		if seen[want] == 0 {
			t.Errorf("never seen: %q, but %v", want, seen)
		}
	}
	if got := content(t, disk.Cut(PowerCut{Data: All}), "f"); got != "n" {
		t.Errorf("all of it is %q", got)
	}
}
