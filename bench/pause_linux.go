package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleepSlack is more than the kernel's usual timer slack (50 µs) and the time to wake up.
const sleepSlack = 150 * time.Microsecond

// sleep asks the kernel, since time.Sleep rounds up to whole milliseconds when the program is idle. It may end early.
func sleep(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	// A signal that ends the sleep early is no failure: pause looks at the clock.
	_ = unix.Nanosleep(&ts, nil)
}
