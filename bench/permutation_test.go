package bench

import "testing"

func TestPermutationMeetsEachNumberOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 100, 1000, 4097} {
		for seed := range uint64(3) {
			p := newPermutation(n, seed)
			seen := make([]bool, n)
			for i := range n {
				x := p.at(i)
				if x < 0 || x >= n || seen[x] {
					t.Fatalf("n %d, seed %d: at(%d) = %d is outside or was there before", n, seed, i, x)
				}
				seen[x] = true
			}
		}
	}
}

func TestPermutationDependsOnSeed(t *testing.T) {
	const n = 1000
	a, b := newPermutation(n, 1), newPermutation(n, 2)
	same := 0
	for i := range n {
		if a.at(i) == b.at(i) {
			same++
		}
	}
	if same > 20 { // 1 is expected
		t.Errorf("%d of %d places are the same with two seeds", same, n)
	}
}
