package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/internal/console"
	"locator/internal/manual"
	"locator/internal/present"
	"locator/internal/tour"
	"locator/internal/units"
	"locator/scheme"
)

func (a *app) tourCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tour",
		Short: "Start embedded servers and access a URL of each scheme",
		Example: "  locator tour\n" +
			"  locator tour --trace",
		Long: "tour starts embedded servers on the loopback interface and accesses real URLs on them. It needs no network, writes\n" +
			"only to a temporary folder, and ends by itself. With --trace it shows the dialogues.",
		Args: manual.Takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.access(cmd.Context(), a.tour) },
	}
}

func (a *app) tour(ctx context.Context, c *client.Client) error {
	var out bytes.Buffer // if a reader closes the pipe early, the program ends and would leave the temporary folder
	err := tour.Run(ctx, c, func(r tour.Result) {
		if !a.flags.JSON {
			fmt.Fprintf(&out, "%s\n", safe(r.URL.Redacted()))
		}
		switch {
		case r.Err != nil:
			a.Fail(fmt.Errorf("tour: %w", r.Err))
		case a.flags.JSON:
			line, _ := present.Marshal(map[string]any{"url": present.Octets(r.URL.Redacted()), "did": r.Did, "got": r.Got, "bytes": r.Bytes, "ms": r.Took.Milliseconds()}) // strings and numbers only
			fmt.Fprintf(&out, "%s\n", line)
		default:
			fmt.Fprintf(&out, "    %s: %s, %s, %.1f ms\n", r.Did, r.Got, units.Count(int(r.Bytes), "byte"), float64(r.Took.Microseconds())/1000)
		}
	})
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "tour: starting servers: %w", err)
	}
	for _, x := range locator.Schemes() {
		if _, ok := c.Registry().Lookup(x.Name); !ok && !a.flags.JSON && x.Productions != "" && !x.Extension {
			fmt.Fprintf(&out, "%s:\n    can be parsed, built and explained, but not accessed yet\n", x.Name)
		}
	}
	_, err = out.WriteTo(a.Out)
	return console.OutputError(err)
}
