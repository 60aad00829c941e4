package main

import (
	"context"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/internal/manual"
	"locator/scheme"
)

func (a *app) mvCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "mv [flags] URL NEW",
		Short: "Rename or move a file or directory on its server",
		Long: "mv gives what the URL names the URL NEW on the same server (ftp RNFR and RNTO, a local file). NEW may be relative to\n" +
			"URL: a name stays in the directory. NEW is the whole new name, not a directory to move into, and nothing may have it\n" +
			"yet: mv replaces nothing, as far as the server lets locator check.",
		Example: "  locator mv ftp://me@ftp.example.org/in/a.txt b.txt\n" +
			"  locator mv ftp://me@ftp.example.org/in/a.txt ftp://me@ftp.example.org/done/a.txt",
		Args:              manual.Takes(2, 2),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "-" || args[1] == "-" || args[1] == "" {
				return scheme.Fail(scheme.CodeUsage, "mv takes two URLs, and reads none from standard input")
			}
			return a.change(cmd.Context(), args[:1], change{op: scheme.OpRename, done: "moved", to: args[1], dryRun: dryRun,
				do: func(ctx context.Context, c *client.Client, r scheme.Request, to locator.URL) error {
					return c.Rename(ctx, r, to)
				}})
		},
	}
	dryRunFlag(cmd, &dryRun)
	return cmd
}
