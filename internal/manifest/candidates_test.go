package manifest

import (
	"fmt"
	"slices"
	"testing"

	"siftdb/internal/key"
)

func collect(v *Version, user string) []Place {
	var places []Place
	c := v.Candidates([]byte(user))
	for p, ok := c.Next(); ok; p, ok = c.Next() {
		places = append(places, p)
	}
	return places
}

func TestCandidatesAreInTheOrderOfTheRead(t *testing.T) {
	v := mustApply(t, &Version{},
		add(6, table(1, "a", "m", 1, 1), table(2, "n", "z", 1, 1)),
		add(2, table(3, "c", "f", 2, 9)),
		add(0, table(4, "a", "z", 10, 19)),
		add(0, table(5, "e", "g", 20, 29)))
	for _, c := range []struct{ user, want string }{
		{"e", "[{0 0} {0 1} {2 0} {6 0}]"},
		{"c", "[{0 1} {2 0} {6 0}]"},
		{"n", "[{0 1} {6 1}]"},
		{"mm", "[{0 1}]"},
		{"zz", "[]"},
		{"", "[]"},
	} {
		if got := fmt.Sprint(collect(v, c.user)); got != c.want {
			t.Errorf("candidates for %q: %s, want %s", c.user, got, c.want)
		}
	}
}

func TestCandidatesAgreeWithLookingAtEveryTable(t *testing.T) {
	rng := seeded(t)
	for range 200 {
		v := randomVersion(t, rng, 12)
		for range 100 {
			user := pair(rng.IntN(676))
			switch rng.IntN(10) {
			case 0:
				user = ""
			case 1:
				user += "x"
			}
			var want []Place
			for level, tables := range v.Levels {
				for i, table := range tables {
					if string(table.Smallest.User) <= user && user <= string(table.Largest.User) {
						want = append(want, Place{level, i})
					}
				}
			}
			if got := collect(v, user); !slices.Equal(got, want) {
				t.Fatalf("candidates for %q: %v, want %v in\n%v", user, got, want, v)
			}
		}
	}
}

func TestCandidatesDoNotAllocate(t *testing.T) {
	v := randomVersion(t, seeded(t), 12)
	user := []byte("jj")
	found := 0
	allocations := testing.AllocsPerRun(100, func() {
		c := v.Candidates(user)
		for p, ok := c.Next(); ok; p, ok = c.Next() {
			found += p.Level
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations in a walk over candidates", allocations)
	}
}

func BenchmarkCandidates(b *testing.B) {
	for _, tables := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			v := deepVersion(b, tables)
			users := make([][]byte, 1024)
			rng := seeded(b)
			for i := range users {
				users[i] = fmt.Appendf(nil, "user%08d5", rng.IntN(tables))
			}
			b.ReportAllocs()
			found, i := 0, 0
			for b.Loop() {
				c := v.Candidates(users[i%len(users)])
				for _, ok := c.Next(); ok; _, ok = c.Next() {
					found++
				}
				i++
			}
			b.ReportMetric(float64(found)/float64(i), "candidates/op")
		})
	}
}

// deepVersion has 4 tables in level 0 and the given number in three levels below, each ten times the one above.
func deepVersion(t testing.TB, tables int) *Version {
	number := uint64(0)
	spread := func(level, n int) *Edit {
		e := &Edit{}
		for i := range n {
			number++
			low, high := i*tables/n, (i+1)*tables/n-1
			e.Added = append(e.Added, Addition{level, table(number, fmt.Sprintf("user%08d", low), fmt.Sprintf("user%08d9", high), 1, 2)})
		}
		return e
	}
	v := mustApply(t, &Version{}, spread(6, tables*9/10), spread(5, tables*9/100), spread(4, tables/100))
	for i := range 4 {
		number++
		seq := key.Seq(100 * (i + 1))
		v = mustApply(t, v, add(0, table(number, "user", "user:", seq, seq+9)))
	}
	return v
}
