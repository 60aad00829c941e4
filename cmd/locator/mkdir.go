package main

import (
	"context"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/internal/manual"
	"locator/scheme"
	"locator/tree"
)

func (a *app) mkdirCommand() *cobra.Command {
	var dryRun, parents bool
	cmd := &cobra.Command{
		Use:   "mkdir [flags] URL ...",
		Short: "Make directories",
		Long: "mkdir makes the directories that the URLs name (ftp MKD, a local folder). The directory above must exist, and nothing\n" +
			"may have the name yet. With --parents, the directories above are made, too, and one that exists is no error. A slash at\n" +
			"the end makes no difference. With \"-\", mkdir reads URLs from standard input.",
		Example: "  locator mkdir ftp://me@ftp.example.org/in/2026/\n" +
			"  locator mkdir --parents ftp://me@ftp.example.org/in/2026/11/",
		Args:              manual.Takes(1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), args, change{op: scheme.OpMakeDir, done: "made", dryRun: dryRun,
				do: func(ctx context.Context, c *client.Client, r scheme.Request, _ locator.URL) error {
					if parents {
						return tree.MakeDirAll(ctx, c, r)
					}
					return c.MakeDir(ctx, r)
				}})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVarP(&parents, "parents", "p", false, "make the directories above, too; one that exists is no error")
	dryRunFlag(cmd, &dryRun)
	return cmd
}
