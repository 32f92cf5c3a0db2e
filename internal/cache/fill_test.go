package cache

import "testing"

// TestFillLetsNothingGo: a block that nobody asked for is not kept at the cost of another, nor beyond the capacity, also
// where it would take memory that is larger than itself.
func TestFillLetsNothingGo(t *testing.T) {
	rng := random(t)
	for range 200 {
		c := New(int64(5+rng.IntN(10)) * recycledSize)
		for i := range uint64(3) {
			c.SetCopy(ID{1, i}, Block{Bytes: make([]byte, recycledSize+recycledSize/10), Form: Packed})
		}
		c.DropFiles(1) // and leaves memory for others
		for i := uint64(0); ; i++ {
			id := ID{2, i}
			form := Form(rng.IntN(2))
			room := c.Fill(id, Block{Bytes: block(id, recycledSize-rng.IntN(100)), Form: form})
			m := c.Metrics()
			if want := int64(i); room && m.Entries != want+1 || !room && m.Entries != want || m.Bytes > c.capacity.Load() {
				t.Fatalf("block %d, of form %d, room for it: %v: %d blocks of %d bytes in %d",
					i, form, room, m.Entries, m.Bytes, c.capacity.Load())
			}
			if !room {
				break
			}
		}
	}
}
