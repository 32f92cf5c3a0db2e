package db

import (
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

// TestRepairSeveralManifests: of several manifests that an accident has left, the one is believed that fits what is
// there, and where another may know more, no table is left out.
func TestRepairSeveralManifests(t *testing.T) {
	whole, want := grown(t, false)
	s, err := manifest.Load(whole, "store")
	check(t, err)
	number, state := s.Report().Number, s.State()
	content := func(change func(e *manifest.Edit)) *manifest.Edit {
		e := &manifest.Edit{NextFile: state.NextFile, LastSeq: state.LastSeq, OldestLog: state.OldestLog}
		for level, table := range s.Version().All() {
			e.Added = append(e.Added, manifest.Addition{Level: level, Table: table})
		}
		change(e)
		return e
	}
	same := func(*manifest.Edit) {}
	withMissing := func(e *manifest.Edit) {
		ghost := *e.Added[0].Table
		ghost.Number = 900
		e.Added = append(e.Added, manifest.Addition{Level: 5, Table: &ghost})
	}
	withoutNewest := func(e *manifest.Edit) { e.Added = e.Added[1:] }
	for name, c := range map[string]struct {
		harm     func(disk *fsys.Mem)
		believed uint64
		whole    bool
	}{
		"an older one": {func(disk *fsys.Mem) {
			check(t, manifest.Write(disk, "store", number+5, state.EditNumber, content(same)))
			check(t, disk.Remove("store/CURRENT"))
		}, number + 5, true},
		"one of an edit that failed": {func(disk *fsys.Mem) {
			check(t, manifest.Write(disk, "store", number+5, state.EditNumber+1, content(withMissing)))
			check(t, disk.Remove("store/CURRENT"))
		}, number, false},
		"one of an edit that failed, while CURRENT names the other": {func(disk *fsys.Mem) {
			check(t, manifest.Write(disk, "store", number+5, state.EditNumber+1, content(withMissing)))
			spoil(t, disk, "store/"+files(t, disk, "store", withSuffix(".sst"))[0], flipAt(-20))
		}, number, true},
		"an old one beside a newer that cannot be read": {func(disk *fsys.Mem) {
			check(t, manifest.Write(disk, "store", number-1, state.EditNumber-1, content(withoutNewest)))
			spoil(t, disk, manifestOfNumber(number), func(b []byte) []byte { return b[:20] })
			check(t, disk.Remove("store/CURRENT"))
		}, number - 1, false},
		"an old one, while CURRENT names one that is gone": {func(disk *fsys.Mem) {
			check(t, manifest.Write(disk, "store", number-1, state.EditNumber-1, content(withoutNewest)))
			check(t, disk.Remove(manifestOfNumber(number)))
		}, number - 1, false},
	} {
		disk := whole.Clone()
		c.harm(disk)
		report := repaired(t, disk)
		if report.Manifest != manifest.Name(c.believed) || (report.ManifestProblem == nil) != c.whole || !report.Whole() {
			t.Errorf("%s: %s was believed, problem %v, whole %v", name, report.Manifest, report.ManifestProblem, report.Whole())
		}
		wantSame(t, name, wantSound(t, name, disk), want)
	}
}

func manifestOfNumber(number uint64) string { return "store/" + manifest.Name(number) }
