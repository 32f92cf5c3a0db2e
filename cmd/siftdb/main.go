// Command siftdb makes, looks into and measures stores. Its subcommands are in package cmd.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"siftdb/cmd"
)

func main() {
	// The first signal asks for an end; with the default handling back, a second one forces it.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := cmd.New().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, cmd.ErrorLine(err))
	}
	os.Exit(cmd.ExitCode(err))
}
