package cmd

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestArgumentsOfEach: every command that does something holds its arguments to what its usage names.
func TestArgumentsOfEach(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c.HasSubCommands() && c.Name() != "stress" {
			return
		}
		_, after, _ := strings.Cut(c.Use, " ")
		needed := after != "" && !strings.HasPrefix(after, "[")
		if err := c.Args(c, nil); (err != nil) != needed || err != nil && ExitCode(err) != ExitUsage {
			t.Errorf("%s without arguments: %v", c.UseLine(), err)
		}
		many := strings.Fields("a b c d e f")
		if err := c.Args(c, many); (err != nil) == strings.HasSuffix(after, "...") || err != nil && ExitCode(err) != ExitUsage {
			t.Errorf("%s with %d arguments: %v", c.UseLine(), len(many), err)
		}
	}
	walk(New())
}
