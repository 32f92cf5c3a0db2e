package bench

import "time"

// pause waits for d, to within a few microseconds on an idle processor: it sleeps until shortly before the end, since
// a sleep ends late by as much as sleepSlack, and watches the clock for the rest.
func pause(d time.Duration) {
	if d <= 0 {
		return
	}
	deadline := time.Now().Add(d)
	for rest := d - sleepSlack; rest > 0; rest = time.Until(deadline) - sleepSlack {
		sleep(rest)
	}
	for time.Now().Before(deadline) {
	}
}
