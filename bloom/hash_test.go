package bloom

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"testing"
)

func TestSumGivesThePublishedVectors(t *testing.T) {
	type file struct {
		Vectors []struct {
			Name   string
			KeyHex string `json:"key_hex"`
			H1, H2 string
		}
	}
	v := vectors[file](t, "murmur3_x64_128.json").Vectors
	if len(v) < 70 {
		t.Fatalf("%d vectors", len(v))
	}
	for _, v := range v {
		key := unhex(t, v.KeyHex)
		want := Hash{parseWord(t, v.H1), parseWord(t, v.H2)}
		if got := Sum(key); got != want {
			t.Errorf("%s: %016x, want %016x", v.Name, got, want)
		}
		// The same bytes anywhere in memory: the library reads words where they lie.
		for shift := range 8 {
			moved := append(make([]byte, shift), key...)[shift:]
			if got := Sum(moved); got != want {
				t.Errorf("%s at address +%d: %016x, want %016x", v.Name, shift, got, want)
			}
		}
	}
}

func parseWord(t *testing.T, s string) uint64 {
	t.Helper()
	w, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// On a big-endian machine the library reads each block's words the other way round; the words turned round beforehand
// must then give the hash that every other machine gets.
func TestSwappedWordsGiveBigEndianMachinesTheSameHash(t *testing.T) {
	key := make([]byte, 0, 70)
	for n := range 70 {
		if got, want := murmurModel(swapWords(key), binary.BigEndian), Sum(key); got != want {
			t.Fatalf("%d bytes: %016x, want %016x", n, got, want)
		}
		key = append(key, byte(200+31*n))
	}
}

// murmurModel is the hash from its published description, with a machine's byte order for whole blocks. As in the
// library, the tail is taken byte by byte.
func murmurModel(key []byte, order binary.ByteOrder) Hash {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	var h1, h2 uint64
	mix1 := func(k uint64) { h1 ^= bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) { h2 ^= bits.RotateLeft64(k*c2, 33) * c1 }
	n := uint64(len(key))
	for ; len(key) >= 16; key = key[16:] {
		mix1(order.Uint64(key))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		mix2(order.Uint64(key[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], key)
	mix1(binary.LittleEndian.Uint64(tail[:]))
	mix2(binary.LittleEndian.Uint64(tail[8:]))
	final := func(x uint64) uint64 {
		x = (x ^ x>>33) * 0xff51afd7ed558ccd
		x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
		return x ^ x>>33
	}
	h1, h2 = h1^n, h2^n
	h1 += h2
	h2 += h1
	h1, h2 = final(h1), final(h2)
	h1 += h2
	h2 += h1
	return Hash{h1, h2}
}

func TestSumDoesNotAllocate(t *testing.T) {
	key := []byte("a key of some length, longer than one block of the hash")
	var sink Hash
	if n := testing.AllocsPerRun(100, func() { sink = Sum(key) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	_ = sink
}
