package bloom

import (
	"fmt"
	"path/filepath"
	"testing"
)

// manyGoldenKeys are the golden keys and others, enough for every family.
func manyGoldenKeys() [][]byte {
	keys := goldenKeys()
	for i := 0; len(keys) < 2100; i++ {
		keys = append(keys, fmt.Appendf(nil, "key %d", i))
	}
	return keys
}

func TestGoldenRibbons(t *testing.T) {
	hashes, absent := manyGoldenHashes()
	for name, partKeys := range map[string]int{"ribbon": largestPart, "ribbon-parts": 1000} {
		file := filepath.Join("testdata", name+".filter")
		golden(t, file, ribbonOf(t, hashes, partKeys))
		checkGoldenRibbon(t, file, hashes, absent)
	}
	golden(t, filepath.Join("testdata", "ribbon-empty.filter"), build(t, Ribbon(10), nil))
}

// TestRibbonsOfOtherSizesAreRead: how many slots a part has stands in the filter. This one has 17 % more than keys, as
// small ones once had.
func TestRibbonsOfOtherSizesAreRead(t *testing.T) {
	hashes, absent := manyGoldenHashes()
	file := filepath.Join("testdata", "ribbon-wide.filter")
	if e := checkGoldenRibbon(t, file, hashes, absent); e.PlaneBits() == ribbonSlots(e.Keys(), 0) {
		t.Errorf("%s: as large as it would be now", file)
	}
}

func manyGoldenHashes() (hashes, absent []Hash) {
	for _, key := range manyGoldenKeys() {
		hashes = append(hashes, Sum(key))
		absent = append(absent, Sum(append([]byte("absent"), key...)))
	}
	return hashes, absent
}

// checkGoldenRibbon reads a ribbon of all planes that is of these keys.
func checkGoldenRibbon(t *testing.T, file string, hashes, absent []Hash) *Elastic {
	t.Helper()
	e, ok := parse(t, read(t, file)).(*Elastic)
	if !ok || e.Resident() != maxPlanes || e.Keys() != uint64(len(hashes)) {
		t.Fatalf("%s: not a whole ribbon", file)
	}
	checkKeys(t, e, hashes)
	if hits := countHits(e, absent); hits > 2 {
		t.Errorf("%s: %d of %d absent keys are maybe", file, hits, len(absent))
	}
	return e
}
