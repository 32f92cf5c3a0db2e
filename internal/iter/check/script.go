package check

import "math/rand/v2"

// Script writes a script for Walk of about the given number of moves. It goes on in one direction for a while, and
// turns around often, too: both long runs and changes at any entry are wanted.
func Script(rng *rand.Rand, moves int) []byte {
	var script []byte
	for moves > 0 {
		run := 1
		if rng.IntN(4) == 0 {
			run = 1 + rng.IntN(100)
		}
		op := byte(rng.Uint32())
		for range min(run, moves) {
			script = append(script, op)
			if op >= 224 {
				script = append(script, byte(rng.Uint32()), byte(rng.Uint32()))
			}
		}
		moves -= run
	}
	return script
}
