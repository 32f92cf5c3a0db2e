package fsys

import "time"

// retryPauses are the waits between attempts: just over a second in all.
var retryPauses = [...]time.Duration{
	time.Millisecond, 4 * time.Millisecond, 16 * time.Millisecond, 64 * time.Millisecond,
	128 * time.Millisecond, 256 * time.Millisecond, 640 * time.Millisecond,
}

// retry calls do until it succeeds, fails with an error that is not passing, or has failed too often; it returns
// the last error.
func retry(do func() error, passing func(error) bool) error {
	for _, pause := range retryPauses {
		err := do()
		if err == nil || !passing(err) {
			return err
		}
		time.Sleep(pause)
	}
	return do()
}
