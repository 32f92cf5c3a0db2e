package bloom

// cuckooLeast is the number of keys below which a table is not filled evenly enough to be relied on.
const cuckooLeast = 500

// cuckooLoad is the share of a table's slots that can be taken, with fingerprints of so many bits, up to
// millions of keys.
func cuckooLoad(fingerprintBits uint64) float64 {
	switch {
	case fingerprintBits >= 10:
		return 0.95
	case fingerprintBits >= 8:
		return 0.93
	case fingerprintBits == 7:
		return 0.90
	}
	return 0.84
}

// widestFingerprint is the most bits of a fingerprint that so many bits per key pay for; 0 when they do not pay for the
// least.
func widestFingerprint(bitsPerKey float64) uint64 {
	for width := uint64(maxPackedWidth); width >= leastFingerprint; width-- {
		if float64(width) <= bitsPerKey*cuckooLoad(width) {
			return width
		}
	}
	return 0
}

// cuckooBuckets is the size of a table's cuckoo filter with fingerprints of so many bits: all of the bits asked for.
func cuckooBuckets(keys uint64, bitsPerKey float64, width uint64) uint64 {
	return max(2, uint64(float64(keys)*bitsPerKey/float64(bucketSize*width))&^1)
}

// cuckooBuilder makes a cuckoo filter, or a classic one where fingerprints do not pay or the keys find no room.
type cuckooBuilder struct {
	hashList
	bitsPerKey float64
}

func newCuckooBuilder(bitsPerKey float64) Builder { return &cuckooBuilder{bitsPerKey: bitsPerKey} }

// Append fills a table and appends it. Where some keys find no room, shorter fingerprints leave more slots.
func (b *cuckooBuilder) Append(dst []byte) ([]byte, error) {
	h := Header{Family: FamilyCuckoo, Keys: uint64(b.n), AskedBits: b.bitsPerKey}
	if err := checkSize(float64(h.Keys) * b.bitsPerKey); err != nil {
		return dst, err
	}
	if h.Keys >= cuckooLeast {
		for width := widestFingerprint(b.bitsPerKey); width >= leastFingerprint; width-- {
			buckets := cuckooBuckets(h.Keys, b.bitsPerKey, width)
			if table, ok := fillCuckoo(&b.hashList, buckets, width); ok {
				b.hashList.clear()
				h.Params = [numParams]uint64{buckets, width}
				return appendPayload(dst, h, table.payload()), nil
			}
		}
	}
	return appendClassic(dst, &b.hashList, b.bitsPerKey)
}

// fillCuckoo adds the keys to an empty table, each that is not taken for present already. It is false when one finds no
// room.
func fillCuckoo(keys *hashList, buckets, width uint64) (t cuckooTable, ok bool) {
	t = newCuckooTable(newPacked(buckets*bucketSize, width), buckets)
	ok = true
	keys.each(func(chunk []Hash) {
		for _, h := range chunk {
			k := t.keyOf(h)
			ok = ok && (t.contains(k) || t.insert(k))
		}
	})
	return t, ok
}

func (b *cuckooBuilder) sizes(keys uint64) (Family, []Step) {
	width := widestFingerprint(b.bitsPerKey)
	if keys < cuckooLeast || width == 0 {
		return (&arrayBuilder{family: FamilyClassic, bitsPerKey: b.bitsPerKey}).sizes(keys)
	}
	buckets := cuckooBuckets(keys, b.bitsPerKey, width)
	return whole(FamilyCuckoo, packedBytes(buckets*bucketSize, width)*8, cuckooRate(buckets, width, keys))
}

// cuckoo is the filter of a table that does not change any more.
type cuckoo struct {
	facts
	cuckooTable
}

// MayContain looks for a key's fingerprint in its two buckets.
func (c *cuckoo) MayContain(h Hash) bool { return c.contains(c.keyOf(h)) }

func parseCuckoo(h *Header, payload []byte) (TableFilter, error) {
	width := h.Params[1]
	if widest := widestFingerprint(h.AskedBits); width < leastFingerprint || width > widest {
		return nil, damaged(offParams+paramSize, "fingerprints of %d bits, allowed is %d to %d",
			width, leastFingerprint, widest)
	}
	if !(float64(h.Keys)*h.AskedBits <= maxBits) {
		return nil, damaged(offKeys, "%d keys of %g bits are more than a filter can have", h.Keys, h.AskedBits)
	}
	buckets := cuckooBuckets(h.Keys, h.AskedBits, width)
	if err := h.checkParam(0, "buckets", buckets); err != nil {
		return nil, err
	}
	if err := h.checkParam(2, "unused parameter", 0); err != nil {
		return nil, err
	}
	if want := packedBytes(buckets*bucketSize, width); uint64(len(payload)) != want {
		return nil, damaged(offLength, "%d buckets of %d bits a slot, the payload has %d bytes",
			buckets, width, len(payload))
	}
	if err := checkPayload(h, payload); err != nil {
		return nil, err
	}
	table, err := parseCuckooTable(payload, buckets, width)
	if err != nil {
		return nil, err
	}
	c := &cuckoo{cuckooTable: table}
	// No two fingerprints are of one class: the second key of a class was not added.
	c.facts = newFacts(h, func() float64 { return float64(table.taken()) / cuckooClasses(buckets, width) })
	return c, nil
}

// parseCuckooTable decodes the slots, which have the right length and checksum.
func parseCuckooTable(payload []byte, buckets, width uint64) (cuckooTable, error) {
	slots := parsePacked(payload, width)
	if !slots.clean(buckets * bucketSize) {
		return cuckooTable{}, damaged(headerSize+int64(len(payload))-wordBytes, "bits set past the last of %d buckets",
			buckets)
	}
	return newCuckooTable(slots, buckets), nil
}
