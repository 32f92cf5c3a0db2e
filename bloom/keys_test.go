package bloom

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// keySet makes distinct keys from numbers, so that keys of disjoint numbers are certainly absent.
type keySet struct {
	name string
	key  func(i uint32) []byte
}

// keySets are the shapes of keys that have shown weak hashing elsewhere.
func keySets() []keySet {
	return []keySet{
		{"random 16 bytes", func(i uint32) []byte {
			r := rand.New(rand.NewPCG(0x5eed, uint64(i)))
			b := binary.LittleEndian.AppendUint64(nil, r.Uint64())
			return binary.LittleEndian.AppendUint64(b, r.Uint64())
		}},
		{"user<N>@gmail.com", func(i uint32) []byte { return fmt.Appendf(nil, "user%d@gmail.com", i) }},
		{"last bytes differ", func(i uint32) []byte {
			return append([]byte("the same twenty byte"), byte(i>>16), byte(i>>8), byte(i))
		}},
		{"first bytes differ", func(i uint32) []byte {
			return append([]byte{byte(i), byte(i >> 8), byte(i >> 16)}, "and the same at the end"...)
		}},
		{"sequential integers", func(i uint32) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }},
	}
}

// hashes gives the hashes of the keys from number first on.
func (s keySet) hashes(first, n int) []Hash {
	h := make([]Hash, n)
	for i := range h {
		h[i] = Sum(s.key(uint32(first + i)))
	}
	return h
}

// randomHashes are those of keys that a perfect hash was given.
func randomHashes(r *rand.Rand, n int) []Hash {
	h := make([]Hash, n)
	for i := range h {
		h[i] = Hash{r.Uint64(), r.Uint64()}
	}
	return h
}
