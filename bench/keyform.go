package bench

import (
	"fmt"
	"math"
	"strconv"
)

// KeyForm says how made keys look. All forms have a number in them, with as many digits in each key, so that keys
// ascend with it.
type KeyForm string

// The forms.
const (
	HexKeys   KeyForm = "hex"   // 0004090f59e7c096
	EmailKeys KeyForm = "email" // user000123456789@gmail.com
	URLKeys   KeyForm = "url"   // www.site000123456789.example/login.html
)

// spelling is how a form is spelled out.
type spelling struct {
	form           KeyForm
	prefix, suffix string
	base           uint64
	digits         int
	numbers        uint64 // that there are
}

var spellings = []spelling{
	{HexKeys, "", "", 16, 16, math.MaxUint64},
	{EmailKeys, "user", "@gmail.com", 10, 12, 1e12},
	{URLKeys, "www.site", ".example/login.html", 10, 12, 1e12},
}

// KeyFormNames are the names that ParseKeyForm takes.
func KeyFormNames() []string {
	var names []string
	for _, s := range spellings {
		names = append(names, string(s.form))
	}
	return names
}

// ParseKeyForm reads a form's name.
func ParseKeyForm(name string) (KeyForm, error) {
	if _, ok := KeyForm(name).spelling(); !ok {
		return "", fmt.Errorf("siftdb: bench: form of keys %q is none of %v", name, KeyFormNames())
	}
	return KeyForm(name), nil
}

func (f KeyForm) spelling() (s spelling, ok bool) {
	for _, s := range spellings {
		if s.form == f {
			return s, true
		}
	}
	return spelling{}, false
}

// size is the bytes of a key.
func (s *spelling) size() int { return len(s.prefix) + s.digits + len(s.suffix) }

// append appends the key with a number.
func (s *spelling) append(dst []byte, number uint64) []byte {
	dst = append(dst, s.prefix...)
	var digits [64]byte
	text := strconv.AppendUint(digits[:0], number, int(s.base))
	for range s.digits - len(text) {
		dst = append(dst, '0')
	}
	dst = append(dst, text...)
	return append(dst, s.suffix...)
}
