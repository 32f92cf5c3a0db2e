package cmd

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestErrorLine(t *testing.T) {
	inner := errors.New("siftdb: log: full")
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("open x: no such file"), "siftdb: open x: no such file"},
		{inner, "siftdb: log: full"},
		{fmt.Errorf("siftdb: writes refused: %w", inner), "siftdb: writes refused: log: full"},
		{errors.Join(inner, inner), "siftdb: log: full; log: full"},
		{fmt.Errorf("flush: %w", context.Canceled), "siftdb: flush: interrupted"},
	} {
		if got := ErrorLine(c.err); got != c.want {
			t.Errorf("%q gives %q, want %q", c.err, got, c.want)
		}
	}
}
