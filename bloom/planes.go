package bloom

import (
	"encoding/binary"
	"math/bits"
)

// groupWidth is how many planes stand side by side in memory, word by word. Planes of their own would cost a probe that
// is not in cache a miss or two each; side by side, the rows of four are on two lines, and all four are looked at
// before the one branch, which 15 of 16 absent keys take.
const groupWidth = 4

// rowWords is how many words of a plane a row may touch, wherever it starts.
const rowWords = ribbonWidth/wordBits + 1

// group is some planes of a filter, laid out for probing: word w of lane l is words[w*width+l]. A row of 0 follows the
// last word, so that the last row's words are there. It never changes.
type group struct {
	words   []uint64
	width   int
	numbers [groupWidth]uint8 // of the planes, by lane
}

// lane is where a plane's bits come from: bytes as they are on disk, or a lane of a group.
type lane struct {
	number int
	bytes  []byte
	group  *group
	at     int
}

// newGroup lays out planes of so many words.
func newGroup(planeWords int, lanes []lane) group {
	width := len(lanes)
	g := group{words: make([]uint64, (planeWords+1)*width), width: width}
	for i, l := range lanes {
		g.numbers[i] = uint8(l.number)
		column := g.words[i : planeWords*width]
		if l.group != nil {
			from := l.group.words[l.at : planeWords*l.group.width]
			for to, at := 0, 0; to < len(column); to, at = to+width, at+l.group.width {
				column[to] = from[at]
			}
			continue
		}
		bytes := l.bytes[:planeWords*wordBytes]
		for to := 0; len(bytes) >= wordBytes; to += width { // so asked, Uint64 need not check
			column[to] = binary.LittleEndian.Uint64(bytes)
			bytes = bytes[wordBytes:]
		}
	}
	return g
}

// lanes lists the group's lanes, with room for as many as a group may have.
func (g *group) lanes() []lane {
	lanes := make([]lane, g.width, groupWidth)
	for i := range lanes {
		lanes[i] = lane{number: int(g.numbers[i]), group: g, at: i}
	}
	return lanes
}

// find gives the lane of a plane.
func (g *group) find(number int) (lane int, ok bool) {
	for i := range g.width {
		if int(g.numbers[i]) == number {
			return i, true
		}
	}
	return 0, false
}

// placedRow is a key's row as the words of a plane from the one its start lies in.
type placedRow [rowWords]uint64

// rowAt moves the row to where it starts within its first word.
func (k ribbonKey) rowAt(start uint64) placedRow {
	low, high := k.row()
	shift := start % wordBits
	return placedRow{low << shift, low>>1>>(wordBits-1-shift) | high<<shift, high >> 1 >> (wordBits - 1 - shift)}
}

// holds reports whether a key's equation holds in all of the group's planes: whether the parity of the bits that the
// row picks is the bit of the result.
func (g *group) holds(word uint64, row *placedRow, result uint16) bool {
	var wrong uint16
	if g.width == groupWidth {
		words := (*[rowWords * groupWidth]uint64)(g.words[word*groupWidth:])
		for l := range groupWidth {
			sum := words[l]&row[0] ^ words[l+groupWidth]&row[1] ^ words[l+2*groupWidth]&row[2]
			wrong |= uint16(bits.OnesCount64(sum)) ^ result>>(g.numbers[l]%maxPlanes)
		}
		return wrong&1 == 0
	}
	width := uint64(g.width)
	words := g.words[word*width : (word+rowWords)*width]
	for l := range width {
		sum := words[l]&row[0] ^ words[l+width]&row[1] ^ words[l+2*width]&row[2]
		wrong |= uint16(bits.OnesCount64(sum)) ^ result>>(g.numbers[l%groupWidth]%maxPlanes)
	}
	return wrong&1 == 0
}
