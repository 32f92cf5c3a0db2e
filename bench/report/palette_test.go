package report

import (
	"math"
	"testing"
)

// contrast is the contrast of two colours as the Web Content Accessibility Guidelines 2.1 define it.
func contrast(a, b rgba) float64 {
	lighter, darker := luminance(a), luminance(b)
	if lighter < darker {
		lighter, darker = darker, lighter
	}
	return (lighter + 0.05) / (darker + 0.05)
}

func luminance(c rgba) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// TestInksCanBeSeen: words need a contrast of 4.5, marks one of 3.
func TestInksCanBeSeen(t *testing.T) {
	for _, i := range inks {
		least := 3.
		switch i {
		case inkPaper, inkDesk, inkGrid:
			continue
		case inkText, inkQuiet:
			least = 4.5
		}
		for _, under := range []*ink{inkPaper, inkDesk} {
			light, dark := contrast(i.light, under.light), contrast(i.dark, under.dark)
			if under == inkDesk && least == 3 {
				continue // marks are on paper
			}
			if light < least || dark < least {
				t.Errorf("%s on %s: contrast %.2f light, %.2f dark, want %.1f", i.role, under.role, light, dark, least)
			}
		}
	}
}
