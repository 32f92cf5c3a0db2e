package bloom

import (
	"bufio"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

var (
	ratesKeys = flag.Int("rates.keys", 0, "also hold rates to their theory at 1,000 keys and each power of ten up to so many; "+
		"10000000 takes a quarter of an hour on a quiet machine")
	ratesPresent = flag.String("rates.present", "", "a file of keys, one a line, alone or before a tab; .gz too: likewise "+
		"for them")
	ratesAbsent = flag.String("rates.absent", "", "a file of other keys, of the same form")
)

// TestRatesOfManyKeys measures every family at 4 to 20 bits per key, and ribbons at each number of planes, for every
// shape of keys: 1,000 keys, ten times as many and so on. Each rate must lie within four standard deviations of theory.
func TestRatesOfManyKeys(t *testing.T) {
	if *ratesKeys == 0 {
		t.Skip("no -rates.keys")
	}
	const probes = 2_000_000
	for _, set := range append(keySets(), multiples()) {
		t.Run(set.name, func(t *testing.T) {
			present, absent := set.hashes(0, *ratesKeys), set.hashes(*ratesKeys, probes)
			for n := 1000; n <= *ratesKeys; n *= 10 {
				checkEveryRate(t, present[:n], absent)
			}
		})
	}
}

// TestRatesOfKeysInFiles does the same for keys from outside.
func TestRatesOfKeysInFiles(t *testing.T) {
	if *ratesPresent == "" || *ratesAbsent == "" {
		t.Skip("no -rates.present and -rates.absent")
	}
	present, absent := hashesIn(t, *ratesPresent), hashesIn(t, *ratesAbsent)
	for n := 1000; n < len(present); n *= 10 {
		checkEveryRate(t, present[:n], absent)
	}
	checkEveryRate(t, present, absent)
}

// checkEveryRate holds the filters of every kind over the keys to their theory, and says which came out farthest from it.
func checkEveryRate(t *testing.T, present, absent []Hash) {
	t.Helper()
	var filters int
	var farthest float64
	var which string
	check := func(f TableFilter, name string) {
		p, hits := f.ExpectedRate(), float64(countHits(f, absent))
		least, most := acceptable(p, spreadOf(f), len(absent))
		if hits < least || hits > most {
			t.Errorf("%d keys, %s: %g hits of %d, accepted are %.0f to %.0f", len(present), name,
				hits, len(absent), least, most)
		}
		filters++
		// Where few are expected, the number of hits is far from normal.
		n := float64(len(absent))
		sigma := math.Sqrt(n*p*(1-p) + math.Pow(n*p*spreadOf(f), 2))
		if off := math.Abs(hits-n*p) / sigma; n*p >= 100 && off > farthest {
			farthest, which = off, name
		}
	}
	for _, kind := range sizedKinds {
		for _, bits := range ratesBits {
			check(parse(t, build(t, kind.policy(bits), present)), fmt.Sprintf("%s at %g bits", kind.name, bits))
		}
	}
	e, _ := elasticOf(t, present)
	for ; e.Resident() > 0; e = e.Without(e.Resident() - 1) {
		check(e, fmt.Sprintf("ribbon of %d planes", e.Resident()))
	}
	t.Logf("%d keys: %d filters, %d probes of each; farthest from theory, by %.2f standard deviations: %s", len(present),
		filters, len(absent), farthest, which)
}

// hashesIn reads the keys of a file.
func hashesIn(t *testing.T, name string) (hashes []Hash) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		key, _, _ := strings.Cut(lines.Text(), "\t")
		hashes = append(hashes, Sum([]byte(key)))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return hashes
}
