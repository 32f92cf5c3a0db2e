package cmd

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"
)

// warnings is a logger that tells c's error output what the user of a store should know.
func warnings(c *cobra.Command) *slog.Logger {
	return slog.New(toldOnce{slog.NewTextHandler(c.ErrOrStderr(), &slog.HandlerOptions{
		Level: slog.LevelWarn,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})})
}

// toldOnce leaves out the line about damage that a read met: the command ends with that error, and says it itself.
type toldOnce struct{ slog.Handler }

func (h toldOnce) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == "siftdb: damage found" {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}
