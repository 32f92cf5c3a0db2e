//go:build !linux

package bench

import "time"

// sleepSlack is more than time.Sleep's grain where that is a millisecond.
const sleepSlack = 2 * time.Millisecond

func sleep(d time.Duration) { time.Sleep(d) }
