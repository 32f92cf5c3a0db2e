package bench

import (
	"bytes"
	"testing"
)

func TestGeneratedAbsentKeysLieBetweenPresentOnes(t *testing.T) {
	for i, n := range []int{4, 5, 100, 9999} {
		for _, margin := range []int{0, 1} {
			g := newGenerated(n, spellings[i%len(spellings)].form, 10, margin, 7)
			if want := n - 1 - 2*margin; g.Absent() != want {
				t.Fatalf("n %d, margin %d: %d absent keys, want %d", n, margin, g.Absent(), want)
			}
			for i := range g.Absent() {
				below, above := g.AppendKey(nil, i+margin), g.AppendKey(nil, i+margin+1)
				absent := g.AppendAbsent(nil, i)
				if bytes.Compare(below, absent) >= 0 || bytes.Compare(absent, above) >= 0 {
					t.Fatalf("n %d: absent key %d %s does not lie between %s and %s", n, i, absent, below, above)
				}
			}
		}
	}
}

// TestGeneratedKeysStay: results of different releases can only be compared if a seed means the same keys for ever.
func TestGeneratedKeysStay(t *testing.T) {
	g := newGenerated(1000, HexKeys, 9, 0, 1)
	for i, want := range map[int][2]string{
		0:   {"0004090f59e7c096", "00333bb5e07038c9"},
		1:   {"0041b769dc7a0992", "0079d87c73618428"},
		998: {"ff884c8527c9f25e", "ffb965e6ee54651f"},
	} {
		if got := string(g.AppendKey(nil, i)); got != want[0] {
			t.Errorf("present key %d is %s, want %s", i, got, want[0])
		}
		if got := string(g.AppendAbsent(nil, i)); got != want[1] {
			t.Errorf("absent key %d is %s, want %s", i, got, want[1])
		}
	}
}

func TestKeyForms(t *testing.T) {
	for form, want := range map[KeyForm]string{
		HexKeys: "0004090f59e7c096", EmailKeys: "user000200822465@gmail.com", URLKeys: "www.site000200822465.example/login.html",
	} {
		g := newGenerated(1000, form, 9, 0, 1)
		key := string(g.AppendKey(nil, 0))
		if key != want || g.Size() != int64(1000*(len(want)+9)) {
			t.Errorf("%s: key %s, want %s; %d bytes in all", form, key, want, g.Size())
		}
		if got, err := ParseKeyForm(string(form)); got != form || err != nil {
			t.Errorf("%s is read as %s, %v", form, got, err)
		}
	}
	if _, err := ParseKeyForm("uuid"); err == nil {
		t.Error("a form that there is not is taken")
	}
}

func TestGeneratedValues(t *testing.T) {
	for _, size := range []int{0, 1, 2, 7, 8, 9, 100} {
		v := generatedValue{size: size, seed: 3}
		a, b := v.append([]byte("before"), 1), v.append(nil, 2)
		if len(a) != 6+size || !bytes.HasPrefix(a, []byte("before")) {
			t.Fatalf("size %d: append gave %q", size, a)
		}
		if size >= 2 && bytes.Equal(a[6:], b) {
			t.Errorf("size %d: values of two keys are the same", size)
		}
		if !bytes.Equal(a[6:], v.append(nil, 1)) {
			t.Errorf("size %d: a value changed", size)
		}
	}
}
