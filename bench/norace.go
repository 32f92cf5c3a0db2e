//go:build !race

package bench

// raceDetector says whether the program was built with the race detector.
const raceDetector = false
