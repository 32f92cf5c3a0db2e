package bloom

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestBuildersShareNoHashes: builders use the memory of those that are done; filters that are built at the same time,
// of sizes around that of a chunk and of several parts, are as they are when built alone.
func TestBuildersShareNoHashes(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	sizes := []int{firstChunk, fullChunk - firstChunk, fullChunk, 2*fullChunk + 1, 30_000}
	var all sync.WaitGroup
	for _, kind := range tableKinds {
		for _, n := range sizes {
			policy, hashes := kind.policy(10), randomHashes(r, n)
			alone := build(t, policy, hashes)
			all.Go(func() {
				for range 5 {
					if !bytes.Equal(build(t, policy, hashes), alone) {
						t.Errorf("seed %d: %s of %d keys differs", seed, kind.name, n)
					}
				}
			})
		}
	}
	all.Wait()
}
