package report

import (
	"fmt"
	"image/color"
	"strings"
)

type rgba = color.RGBA

// ink is a colour by its role, light and dark. It is a color.Color, its light one, so that it goes through a drawing
// library to a surface that knows roles.
type ink struct {
	role        string
	light, dark rgba
}

// RGBA makes an ink a color.Color.
func (i *ink) RGBA() (r, g, b, a uint32) { return i.light.RGBA() }

// The data inks are Okabe and Ito's colours, told apart by eyes of all kinds (Okabe, Ito: Color universal design,
// 2008), those of them that are dark enough on white and light enough on black. Marks differ in shape and
// dashes as well.
var (
	inkPaper = &ink{"paper", rgb(0xffffff), rgb(0x1a1e23)} // under drawings and tables
	inkDesk  = &ink{"desk", rgb(0xf4f5f7), rgb(0x111418)}  // under papers
	inkText  = &ink{"text", rgb(0x1b1f24), rgb(0xe9ecef)}
	inkQuiet = &ink{"quiet", rgb(0x57606a), rgb(0xa5afba)} // labels, axes, theory
	inkGrid  = &ink{"grid", rgb(0xe2e5e9), rgb(0x30363d)}

	inkBlue       = &ink{"blue", rgb(0x0072b2), rgb(0x56b4e9)}
	inkVermillion = &ink{"vermillion", rgb(0xd55e00), rgb(0xe69f00)}
	inkGreen      = &ink{"green", rgb(0x009e73), rgb(0x009e73)}
	inkPurple     = &ink{"purple", rgb(0xcc79a7), rgb(0xcc79a7)}
)

var inks = []*ink{inkPaper, inkDesk, inkText, inkQuiet, inkGrid, inkBlue, inkVermillion, inkGreen, inkPurple}

// inkWaste is for reads that filters would save: those without filters, and false passes.
var inkWaste = inkVermillion

func rgb(hex uint32) rgba {
	return rgba{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

func hexText(c rgba) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// darkRules are the style rules that turn a drawing, which has the light colours, dark.
func darkRules() string {
	var b strings.Builder
	for _, i := range inks {
		hex := hexText(i.dark)
		fmt.Fprintf(&b, ".f-%s{fill:%s}.s-%s{stroke:%s}", i.role, hex, i.role, hex)
	}
	return b.String()
}

// inkRules are the style rules of drawings inside a page, where colours are the page's variables.
func inkRules() string {
	var b strings.Builder
	for _, i := range inks {
		fmt.Fprintf(&b, ".f-%s{fill:var(--%s)}.s-%s{stroke:var(--%s)}\n", i.role, i.role, i.role, i.role)
	}
	return b.String()
}

// inkVariables are the page's variables, as side gives them.
func inkVariables(side func(*ink) rgba) string {
	var b strings.Builder
	for _, i := range inks {
		fmt.Fprintf(&b, "--%s:%s;", i.role, hexText(side(i)))
	}
	return b.String()
}
