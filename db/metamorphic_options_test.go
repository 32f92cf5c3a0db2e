package db

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"siftdb/bloom"
)

// optionSet are options written as words: name=value, or a name alone for what is on or off.
type optionSet []string

// options are small ones on fs, changed by the set.
func (set optionSet) options(fs FS) (*Options, error) {
	o := small(fs)
	for _, word := range set {
		name, value, _ := strings.Cut(word, "=")
		change := optionWords[name]
		if change == nil {
			return nil, fmt.Errorf("there is no option %q", name)
		}
		if err := change(o, value); err != nil {
			return nil, fmt.Errorf("option %q: %w", word, err)
		}
	}
	return o, nil
}

var optionWords = map[string]func(o *Options, value string) error{
	"memtable":      func(o *Options, v string) error { return scanWord(v, &o.MemTableSize) },
	"table":         func(o *Options, v string) error { return scanWord(v, &o.TableSize) },
	"block":         func(o *Options, v string) error { return scanWord(v, &o.BlockSize) },
	"cache":         func(o *Options, v string) error { return scanWord(v, &o.CacheSize) },
	"open-tables":   func(o *Options, v string) error { return scanWord(v, &o.OpenTables) },
	"workers":       func(o *Options, v string) error { return scanWord(v, &o.Workers) },
	"level-ratio":   func(o *Options, v string) error { return scanWord(v, &o.LevelRatio) },
	"filter-memory": func(o *Options, v string) error { return scanWord(v, &o.FilterMemory) },
	"no-sync":       func(o *Options, _ string) error { o.NoSync = true; return nil },
	"no-compaction": func(o *Options, _ string) error { o.NoCompaction = true; return nil },
	"lazy":          func(o *Options, _ string) error { o.Compaction = LazyLeveled; return nil },
	"uncompressed":  func(o *Options, _ string) error { o.Compression = NoCompression; return nil },
	"blind":         func(o *Options, _ string) error { o.IgnoreFilters = true; return nil },
	"filter":        func(o *Options, v string) (err error) { o.Filter, err = policyNamed(v); return err },
	"plan":          func(o *Options, v string) (err error) { o.FilterPlan, err = bloom.ParsePlan(v); return err },
}

func scanWord[T int | int64](word string, to *T) error {
	_, err := fmt.Sscan(word, to)
	return err
}

// policies are the filters that scripts can ask for, by name; each takes a number.
var policies = map[string]func(number float64) bloom.Policy{
	"bits": bloom.BitsPerKey, "classic": bloom.Classic, "blocked": bloom.Blocked, "ribbon": bloom.Ribbon,
	"fuse": bloom.Fuse, "cuckoo": bloom.Cuckoo, "rate": bloom.ForRate,
	"none": func(float64) bloom.Policy { return bloom.None },
}

// policyNamed is the policy that "ribbon:6" stands for.
func policyNamed(word string) (bloom.Policy, error) {
	name, number, _ := strings.Cut(word, ":")
	make := policies[name]
	n, err := strconv.ParseFloat(number, 64)
	if make == nil || err != nil {
		return nil, fmt.Errorf("%q is no filter", word)
	}
	p := make(n)
	return p, p.Validate()
}

func randomPolicy(rng *rand.Rand) string {
	bits := 1 + 15*rng.Float64()
	switch rng.IntN(10) {
	case 0:
		return "none:0"
	case 1:
		return fmt.Sprintf("rate:%.3f", 0.001+0.5*rng.Float64())
	case 2:
		return fmt.Sprintf("classic:%.1f", bits)
	case 3:
		return fmt.Sprintf("blocked:%.1f", bits)
	case 4:
		return fmt.Sprintf("fuse:%.1f", bits)
	case 5:
		return fmt.Sprintf("cuckoo:%.1f", 5+bits)
	case 6, 7:
		return fmt.Sprintf("bits:%.1f", bits)
	}
	return fmt.Sprintf("ribbon:%.1f", bits)
}

// randomOptions are options of which some are as they are by default.
func randomOptions(rng *rand.Rand) (set optionSet) {
	add := func(chance int, word string, args ...any) {
		if rng.IntN(100) < chance {
			set = append(set, fmt.Sprintf(word, args...))
		}
	}
	add(60, "memtable=%d", 16<<10<<rng.IntN(4))
	add(60, "table=%d", 16<<10<<rng.IntN(3))
	add(60, "block=%d", 64<<rng.IntN(7))
	add(60, "cache=%d", []int{-1, 1, 2 << 10, 1 << 20}[rng.IntN(4)])
	add(40, "open-tables=%d", 1+rng.IntN(6))
	add(50, "workers=%d", 1+rng.IntN(4))
	add(50, "level-ratio=%d", 2+rng.IntN(8))
	add(50, "lazy")
	add(85, "filter=%s", randomPolicy(rng))
	add(60, "plan=%s", bloom.Plan(rng.IntN(3)))
	add(30, "filter-memory=%d", 1+rng.IntN(4000))
	add(70, "no-sync")
	add(10, "no-compaction")
	add(20, "uncompressed")
	add(10, "blind")
	return set
}
