package memtable

import (
	"sync"
	"testing"

	"siftdb/internal/key"
)

// TestSearchesBeyondTheSlots: with every slot taken, searches still come through, one after the other.
func TestSearchesBeyondTheSlots(t *testing.T) {
	table := New(0)
	table.Add(key.Make([]byte("key"), 1, key.KindSet), []byte("value"))
	var held []ref
	for range probeSlots {
		held = append(held, table.tree.probes.take([]byte("held")))
	}
	var done sync.WaitGroup
	for range 2 * probeSlots {
		done.Go(func() {
			if value, _, found := table.Get([]byte("key"), key.MaxSeq); !found || string(value) != "value" {
				t.Errorf("Get: %q, %v", value, found)
			}
			if it := table.NewIter(key.MaxSeq); !it.First() || it.Next() {
				t.Error("the iterator does not show the one key")
			}
		})
	}
	done.Wait()
	for _, r := range held {
		if string(table.tree.probes.user(r)) != "held" {
			t.Errorf("slot %d was used by another search", r&^probeBit)
		}
		table.tree.probes.release(r)
	}
	for i := range probeSlots {
		if table.tree.probes.slots[i].taken.Load() {
			t.Errorf("slot %d is still taken", i)
		}
	}
}

func TestProbesAreDistinct(t *testing.T) {
	var p probes
	p.init()
	taken := map[ref]bool{}
	for i := range probeSlots + 1 {
		r := p.take([]byte{byte(i)})
		if taken[r] || r&probeBit == 0 {
			t.Fatalf("probe %d is %x", i, uint64(r))
		}
		taken[r] = true
	}
	for r := range taken {
		p.release(r)
	}
	for range probeSlots + 1 {
		if r := p.take(nil); !taken[r] {
			t.Errorf("after the release of all, %x is taken", uint64(r))
		}
	}
}
