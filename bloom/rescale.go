package bloom

// WithBits is the policy of p's kind at other bits per key, on average over the store's keys. For a policy that no
// number of bits shapes (None, ForRate, or one from elsewhere) it is BitsPerKey.
func WithBits(p Policy, bits float64) Policy {
	if bits == 0 {
		return None
	}
	switch p := p.(type) {
	case fixed:
		p.bits = bits
		return p
	case planed:
		p.bits = bits
		return p
	}
	return BitsPerKey(bits)
}
