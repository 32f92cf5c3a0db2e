package compaction

import "fmt"

// Style says how the levels between level 0 and the last are kept. A store may change it at any time: the levels that
// one style leaves are a beginning for the other.
type Style uint8

const (
	// Leveled merges what comes into a level with what is there. Each level holds LevelRatio times the one above.
	Leveled Style = iota
	// LazyLeveled lets sorted runs stand over each other, one in each level, until they are worth a merge into the
	// last level (Dayan and Idreos: Dostoevsky, 2018). Less is written where the last level is many times larger than
	// what level 0 brings; scans, and reads of what is there, have more runs to ask.
	LazyLeveled
)

// styles are all of them, by their names.
var styles = [...]string{Leveled: "leveled", LazyLeveled: "lazy-leveled"}

// Styles lists all styles.
func Styles() []Style { return []Style{Leveled, LazyLeveled} }

// String is the style's name.
func (s Style) String() string {
	if !s.Valid() {
		return fmt.Sprintf("style(%d)", uint8(s))
	}
	return styles[s]
}

// Valid reports whether s is one of Styles.
func (s Style) Valid() bool { return int(s) < len(styles) }

// next is the level with which what lies in a level will be merged.
func (s Style) next(level int) int {
	if s == LazyLeveled && level < lastLevel {
		return lastLevel
	}
	return level + 1
}
