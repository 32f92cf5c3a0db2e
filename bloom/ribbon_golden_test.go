package bloom

import (
	"fmt"
	"path/filepath"
	"testing"
)

// manyGoldenKeys are the golden keys, and others up to what a ribbon takes.
func manyGoldenKeys() [][]byte {
	keys := goldenKeys()
	for i := 0; len(keys) < ribbonLeast+100; i++ {
		keys = append(keys, fmt.Appendf(nil, "key %d", i))
	}
	return keys
}

func TestGoldenRibbons(t *testing.T) {
	var hashes, absent []Hash
	for _, key := range manyGoldenKeys() {
		hashes = append(hashes, Sum(key))
		absent = append(absent, Sum(append([]byte("absent"), key...)))
	}
	for name, partKeys := range map[string]int{"ribbon": largestPart, "ribbon-parts": 1000} {
		file := filepath.Join("testdata", name+".filter")
		golden(t, file, ribbonOf(t, hashes, partKeys))
		e, ok := parse(t, read(t, file)).(*Elastic)
		if !ok || e.Resident() != maxPlanes || e.Keys() != uint64(len(hashes)) {
			t.Fatalf("%s: not a whole ribbon", file)
		}
		checkKeys(t, e, hashes)
		if hits := countHits(e, absent); hits > 2 {
			t.Errorf("%s: %d of %d absent keys are maybe", file, hits, len(absent))
		}
	}
	golden(t, filepath.Join("testdata", "ribbon-empty.filter"), build(t, Ribbon(10), nil))
}
