package bloom

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	pageSeed   = 20260101
	pageKeys   = 100_000
	pageProbes = 2_000_000
)

// TestRatesPage measures every family anew and holds rates.md to it: the seed is fixed, so the page is the same on every
// machine, and each measured rate must lie within four standard deviations of its theory.
func TestRatesPage(t *testing.T) {
	if (testing.Short() || raceDetector) && !*update {
		t.Skip("measures eighty million probes")
	}
	r := rand.New(rand.NewPCG(pageSeed, 0))
	present, absent := randomHashes(r, pageKeys), randomHashes(r, pageProbes)
	var page strings.Builder
	fmt.Fprintf(&page, ratesHead, pageKeys, pageProbes, pageSeed)
	for _, bits := range []float64{1, 2, 4, 6, 8, 10, 12, 14, 16, 20} {
		for _, kind := range sizedKinds {
			f := parse(t, build(t, kind.policy(bits), present))
			h, err := ReadHeader(build(t, kind.policy(bits), present))
			if err != nil {
				t.Fatal(err)
			}
			if h.Family != kind.family {
				continue
			}
			p, hits := f.ExpectedRate(), countHits(f, absent)
			least, most := acceptable(p, spreadOf(f), pageProbes)
			if float64(hits) < least || float64(hits) > most {
				t.Errorf("%s, %g bits: %d hits, accepted are %.0f to %.0f", kind.name, bits, hits, least, most)
			}
			fmt.Fprintf(&page, "| %g | %v | %d | %.3f | %.4f %% | %.4f %% | %d |\n", bits, h.Family, h.Params[1],
				float64(f.Bits())/pageKeys, 100*p, 100*float64(hits)/pageProbes, hits)
		}
	}
	page.WriteString(planesHead)
	ribbon, _ := elasticOf(t, present)
	for e := ribbon; e.Resident() > 0; e = e.Without(e.Resident() - 1) {
		p, hits := e.ExpectedRate(), countHits(e, absent)
		least, most := acceptable(p, 0, pageProbes)
		if float64(hits) < least || float64(hits) > most {
			t.Errorf("%d planes: %d hits, accepted are %.0f to %.0f", e.Resident(), hits, least, most)
		}
		fmt.Fprintf(&page, "| %d | %.3f | %.4f %% | %.4f %% | %d |\n", e.Resident(), float64(e.Bits())/pageKeys, 100*p,
			100*float64(hits)/pageProbes, hits)
	}
	golden(t, "rates.md", []byte(page.String()))
}

const planesHead = `
A ribbon filter has the rate of the planes that are in memory, however many there are in its bytes:

| planes | bits per key | by theory | measured | maybes |
| ---: | ---: | ---: | ---: | ---: |
`

const ratesHead = `# Rates of the filters

How many absent keys get a maybe, by theory (what a filter's ` + "`ExpectedRate`" + ` says) and measured: %d random keys, %d random
absent keys, seed %d. Written by ` + "`go generate ./bloom`" + `; ` + "`go test ./bloom`" + ` measures again and compares.

The third column has the probes of a classic or blocked filter, and the bits of a fingerprint of a fuse or cuckoo filter. Fuse
and cuckoo are built as classic where the bits asked for do not pay for a fingerprint.

| bits per key asked | family | probes | bits per key | by theory | measured | maybes |
| ---: | --- | ---: | ---: | ---: | ---: | ---: |
`
