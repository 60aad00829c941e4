package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

func (a *app) rmCommand() *cobra.Command {
	var dryRun, recursive bool
	cmd := &cobra.Command{
		Use:   "rm [flags] URL ...",
		Short: "Remove files and directories",
		Long: "rm removes what the URLs name (ftp DELE or RMD, http DELETE, a local file). A URL that ends in a slash names a\n" +
			"directory, which must be empty; http leaves that to the server. With --recursive it removes directories with all that\n" +
			"is in them, and says how much that was; it follows no links, and removes nothing if it cannot read a listing. rm asks\n" +
			"nothing and cannot be undone. It reads URLs from standard input only if one of the arguments is \"-\".\n\n" +
			"For an article (news, nntp) rm posts a cancel message, if --mail is the address of its author. Servers may ignore it.",
		Example: "  locator rm ftp://me@ftp.example.org/in/done.txt\n" +
			"  locator rm --recursive --dry-run ftp://me@ftp.example.org/old/\n" +
			"  locator rm --dry-run - < list\n" +
			"  locator rm --mail alice@example.org news:12345@host.example",
		Args:              takes(1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			x := change{op: scheme.OpRemove, done: "removed", dryRun: dryRun,
				do: func(ctx context.Context, c *client.Client, r scheme.Request, _ locator.URL) error {
					return c.Remove(ctx, r)
				}}
			if recursive {
				x.counts, x.dryRun = &removed{}, false
				x.do = func(ctx context.Context, c *client.Client, r scheme.Request, _ locator.URL) error {
					return a.removeAll(ctx, c, r, dryRun, x.counts)
				}
			}
			return a.change(cmd.Context(), args, x)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVarP(&recursive, "recursive", "r", false, "remove directories with all that is in them (ftp, file)")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only print the URLs; with --recursive, requests the listings, otherwise makes no connection")
	return cmd
}

// removed counts what rm --recursive has removed of a URL.
type removed struct {
	files, folders, failed int
	dryRun                 bool
}

func (r *removed) String() string {
	text := files(r.files)
	if r.folders > 0 {
		text += " and " + counted(r.folders, "folder")
	}
	return text
}

// removeAll removes what a URL names with all that is in it. Each failure in it is a message of its own.
func (a *app) removeAll(ctx context.Context, c *client.Client, r scheme.Request, dryRun bool, n *removed) error {
	*n = removed{}
	err := c.RemoveAll(ctx, r, client.RemoveAllOptions{
		DryRun: dryRun,
		Removed: func(u locator.URL, dir bool) {
			if n.files++; dir {
				n.files, n.folders = n.files-1, n.folders+1
			}
			switch {
			case !dryRun:
				a.info("removed %s", u.Redacted())
			case !a.flags.json:
				fmt.Fprintln(a.Out, safe(u.Redacted()))
			}
		},
		Failed: func(_ locator.URL, err error) {
			if n.failed++; n.failed > 1 && !a.flags.json { // RemoveAll returns the first
				a.fail(a.of(a.at, err))
			}
		},
	})
	n.dryRun = dryRun
	return err
}
