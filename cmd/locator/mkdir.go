package main

import (
	"context"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

func (a *app) mkdirCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "mkdir [flags] URL ...",
		Short: "Make directories",
		Long: "mkdir makes the directories that the URLs name (ftp MKD, a local folder). The directory above must exist, and nothing\n" +
			"may have the name yet. A slash at the end makes no difference. With \"-\", mkdir reads URLs from standard input.",
		Example:           "  locator mkdir ftp://me@ftp.example.org/in/2026/",
		Args:              takes(1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), args, change{op: scheme.OpMakeDir, done: "made", dryRun: dryRun,
				do: func(ctx context.Context, c *client.Client, r scheme.Request, _ locator.URL) error {
					return c.MakeDir(ctx, r)
				}})
		},
	}
	dryRunFlag(cmd, &dryRun)
	return cmd
}
