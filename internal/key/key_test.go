package key_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"siftdb/internal/key"
)

// ascending are keys in their order: user keys bytewise, then newer before older, then the higher kind first.
var ascending = []key.Key{
	key.Make(nil, key.MaxSeq, key.KindSet),
	key.Make(nil, 0, key.KindDelete),
	key.Make([]byte{0}, 9, key.KindSet),
	key.Make([]byte{0, 0}, 9, key.KindSet),
	key.Make([]byte("a"), 300, key.KindDelete),
	key.Make([]byte("a"), 255, key.KindSet),
	key.Make([]byte("a"), 255, key.KindDelete),
	key.Make([]byte("a"), 1, key.KindSet),
	key.Make([]byte("a\x00"), 500, key.KindSet),
	key.Make([]byte("ab"), 1, key.KindSet),
	key.Make([]byte("b"), 1, key.KindSet),
	key.Make([]byte{0x7f}, 1, key.KindSet),
	key.Make([]byte{0x80}, 1, key.KindSet),
	key.Make([]byte{0xff}, 1, key.KindSet),
	key.Make([]byte{0xff, 0xff}, 1, key.KindSet),
}

// TestHeadsAgreeWithKeys: heads never say the contrary of what the keys themselves say.
func TestHeadsAgreeWithKeys(t *testing.T) {
	for _, a := range ascending {
		for _, b := range ascending {
			head, whole := cmp.Compare(key.Head(a.User), key.Head(b.User)), bytes.Compare(a.User, b.User)
			if head != 0 && head != whole {
				t.Errorf("heads of %q and %q compare as %d, the keys as %d", a.User, b.User, head, whole)
			}
		}
	}
	if got := key.Head([]byte("\x01234567 and more")); got != 0x0132333435363720 {
		t.Errorf("head is %016x", got)
	}
	if got := key.Head([]byte("\x012")); got != 0x0132000000000000 {
		t.Errorf("head of a short key is %016x", got)
	}
}

func TestOrder(t *testing.T) {
	for i, a := range ascending {
		for j, b := range ascending {
			if got := key.Compare(a, b); got != cmp.Compare(i, j) {
				t.Errorf("Compare(%v, %v) = %d", a, b, got)
			}
		}
	}
}

func TestLookupFindsTheNewestVisible(t *testing.T) {
	versions := []key.Key{
		key.Make([]byte("k"), 9, key.KindSet),
		key.Make([]byte("k"), 7, key.KindDelete),
		key.Make([]byte("k"), 4, key.KindSet),
	}
	for seq, want := range map[key.Seq]int{key.MaxSeq: 0, 9: 0, 8: 1, 7: 1, 6: 2, 4: 2, 3: 3, 0: 3} {
		at := key.Lookup([]byte("k"), seq)
		got, _ := slices.BinarySearchFunc(versions, at, key.Compare)
		if got != want {
			t.Errorf("a view at %d sees version %d, want %d", seq, got, want)
		}
	}
}

func TestTrailerKeepsItsParts(t *testing.T) {
	for _, seq := range []key.Seq{0, 1, 255, 256, 1 << 32, key.MaxSeq} {
		for _, kind := range []key.Kind{key.KindDelete, key.KindSet, 255} {
			tr := key.MakeTrailer(seq, kind)
			if tr.Seq() != seq || tr.Kind() != kind {
				t.Errorf("MakeTrailer(%d, %d) holds %d and %d", seq, kind, tr.Seq(), tr.Kind())
			}
		}
	}
}

func TestKindsSayWhatTheyAre(t *testing.T) {
	for kind, want := range map[key.Kind]string{key.KindDelete: "DEL", key.KindSet: "SET", 77: "KIND(77)"} {
		if kind.String() != want {
			t.Errorf("kind %d prints %s, want %s", uint8(kind), kind, want)
		}
		if kind.Valid() != (kind != 77) {
			t.Errorf("%s: Valid %v", kind, kind.Valid())
		}
	}
	if got := key.Make([]byte("a\n"), 7, key.KindSet).String(); got != `"a\n"#7,SET` {
		t.Errorf("a key prints %s", got)
	}
}

func TestCloneOwnsItsBytes(t *testing.T) {
	user := []byte("abc")
	k := key.Make(user, 1, key.KindSet)
	c := k.Clone()
	user[0] = 'x'
	if string(c.User) != "abc" || c.Trailer != k.Trailer {
		t.Fatalf("the clone is %v", c)
	}
}

func TestEncodingRoundTrip(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		user := make([]byte, rng.IntN(40))
		for i := range user {
			user[i] = byte(rng.Uint32())
		}
		k := key.Make(user, key.Seq(rng.Uint64())&key.MaxSeq, key.Kind(rng.IntN(2)))
		encoded := key.Append([]byte("before"), k)
		got, ok := key.Decode(encoded[len("before"):])
		if !ok || key.Compare(got, k) != 0 {
			t.Fatalf("seed %d: %v came back as %v, %v", seed, k, got, ok)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	whole := key.Append(nil, key.Make(nil, 5, key.KindSet))
	for n := range len(whole) {
		if k, ok := key.Decode(whole[:n]); ok {
			t.Errorf("%d bytes decode to %v", n, k)
		}
	}
	unknown := key.Append(nil, key.Make([]byte("a"), 5, key.KindMax+1))
	if k, ok := key.Decode(unknown); ok {
		t.Errorf("an unknown kind decodes to %v", k)
	}
}

var update = flag.Bool("update", false, "write the golden file from what the encoder gives")

// TestGolden holds the encoding to the bytes that earlier versions wrote.
func TestGolden(t *testing.T) {
	const file = "testdata/keys.hex"
	var lines []string
	for _, k := range ascending {
		lines = append(lines, hex.EncodeToString(key.Append(nil, k)))
	}
	written := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(written), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(golden) != written {
		t.Errorf("the encoder writes\n%swant\n%s", written, golden)
	}
	for i, line := range strings.Fields(string(golden)) {
		b, err := hex.DecodeString(line)
		if err != nil {
			t.Fatal(err)
		}
		if k, ok := key.Decode(b); !ok || key.Compare(k, ascending[i]) != 0 {
			t.Errorf("line %d reads as %v, %v; want %v", i+1, k, ok, ascending[i])
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, k := range ascending {
		f.Add(key.Append(nil, k))
	}
	f.Add([]byte{})
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7})
	f.Fuzz(func(t *testing.T, b []byte) {
		k, ok := key.Decode(b)
		if ok && !bytes.Equal(key.Append(nil, k), b) {
			t.Fatalf("%x decodes to %v, which encodes differently", b, k)
		}
	})
}

// FuzzCompare: the order is a total one, and agrees with the order of its parts.
func FuzzCompare(f *testing.F) {
	f.Add([]byte("a"), uint64(1), []byte("a"), uint64(2))
	f.Add([]byte{}, uint64(0), []byte{0}, uint64(0))
	f.Fuzz(func(t *testing.T, ua []byte, ta uint64, ub []byte, tb uint64) {
		a, b := key.Key{User: ua, Trailer: key.Trailer(ta)}, key.Key{User: ub, Trailer: key.Trailer(tb)}
		want := cmp.Or(bytes.Compare(ua, ub), cmp.Compare(tb, ta))
		if got := key.Compare(a, b); got != want || key.Compare(b, a) != -want {
			t.Fatalf("Compare(%v, %v) = %d, want %d", a, b, got, want)
		}
	})
}
