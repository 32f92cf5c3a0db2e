//go:build race

package bloom

// raceDetector says that the race detector is on and probes cost ten times as much.
const raceDetector = true
