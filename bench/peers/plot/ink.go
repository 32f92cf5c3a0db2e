package plot

import (
	"fmt"
	"strings"
)

// Ink is a colour by its role, light and dark.
type Ink struct{ role, light, dark string }

// The inks for data are Okabe and Ito's colours, told apart by eyes of all kinds (Okabe, Ito: Color universal design,
// 2008), darkened where they would be too light on white. Marks differ in shape as well.
var (
	paper = Ink{"paper", "#ffffff", "#1a1e23"}
	text  = Ink{"text", "#1b1f24", "#e9ecef"}
	quiet = Ink{"quiet", "#57606a", "#a5afba"}
	grid  = Ink{"grid", "#e2e5e9", "#30363d"}

	Blue       = Ink{"blue", "#0072b2", "#56b4e9"}
	Vermillion = Ink{"vermillion", "#d55e00", "#e69f00"}
	Green      = Ink{"green", "#009e73", "#009e73"}
	Purple     = Ink{"purple", "#cc79a7", "#cc79a7"}
	Ochre      = Ink{"ochre", "#8a7200", "#f0e442"}
	Grey       = quiet
)

var inks = []Ink{paper, text, quiet, grid, Blue, Vermillion, Green, Purple, Ochre}

// rules are the style rules that give shapes their inks, as side has them. Texts have a rim of paper, so that they can
// be read across lines.
func rules(side func(Ink) string) string {
	var b strings.Builder
	for _, i := range inks {
		fmt.Fprintf(&b, ".f-%s{fill:%s}.s-%s{stroke:%s}", i.role, side(i), i.role, side(i))
	}
	fmt.Fprintf(&b, "text{paint-order:stroke;stroke:%s;stroke-width:3px}", side(paper))
	return b.String()
}

func (i Ink) fill() string   { return fmt.Sprintf(`class="f-%s"`, i.role) }
func (i Ink) stroke() string { return fmt.Sprintf(`class="s-%s"`, i.role) }
