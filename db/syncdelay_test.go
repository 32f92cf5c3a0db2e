package db

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLeaderWaitsForOthers: a leader waits for those whom the last sync let go, for nobody when it was alone, and not
// for ever, not even where no time passes.
func TestLeaderWaitsForOthers(t *testing.T) {
	looks := 0
	comesAt := func(look int) func() int {
		looks = 0
		return func() int {
			if looks++; looks < look {
				return 1
			}
			return 4
		}
	}
	var d syncDelay
	d.wait(comesAt(1))
	if looks != 0 {
		t.Errorf("the first leader of all looks %d times", looks)
	}
	d.synced(1, 0, time.Hour)
	if d.wait(comesAt(5)); looks != 0 {
		t.Errorf("after a group of one a leader looks %d times", looks)
	}
	d.synced(1, 3, time.Hour)
	if d.wait(comesAt(5)); looks != 5 {
		t.Errorf("four are expected and there at look 5, the leader looks %d times", looks)
	}
	synctest.Test(t, func(t *testing.T) {
		if d.wait(comesAt(1 << 30)); looks != syncDelayLooks {
			t.Errorf("without anybody coming a leader looks %d times", looks)
		}
	})
	d = syncDelay{expected: 4, sync: syncDelayShare} // a nanosecond to wait
	if d.wait(comesAt(1 << 30)); looks > syncDelayLooks {
		t.Errorf("a leader that may wait a nanosecond looks %d times", looks)
	}
}
