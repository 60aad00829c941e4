package main

import (
	"context"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

func (a *app) rmCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "rm [flags] URL ...",
		Short: "Remove files and empty directories",
		Long: "rm removes what the URLs name (ftp DELE or RMD, http DELETE, a local file). A URL that ends in a slash names a\n" +
			"directory, which must be empty; http leaves that to the server. rm asks nothing and cannot be undone. It reads URLs\n" +
			"from standard input only if one of the arguments is \"-\".",
		Example: "  locator rm ftp://me@ftp.example.org/in/done.txt\n" +
			"  locator rm --dry-run - < list",
		Args:              takes(1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), args, change{op: scheme.OpRemove, done: "removed", dryRun: dryRun,
				do: func(ctx context.Context, c *client.Client, r scheme.Request, _ locator.URL) error {
					return c.Remove(ctx, r)
				}})
		},
	}
	dryRunFlag(cmd, &dryRun)
	return cmd
}
