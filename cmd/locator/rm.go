package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/internal/manual"
	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
	"locator/tree"
)

func (a *app) rmCommand() *cobra.Command {
	var dryRun, recursive, yes bool
	cmd := &cobra.Command{
		Use:   "rm [flags] URL ...",
		Short: "Remove files and directories",
		Long: "rm removes what the URLs name (ftp DELE or RMD, http DELETE, a local file). A URL that ends in a slash names a\n" +
			"directory, which must be empty; http leaves that to the server. With --recursive it removes directories with all that\n" +
			"is in them, and says how much that was; it follows no links, and removes nothing if it cannot read a listing. rm cannot\n" +
			"be undone, and asks nothing before it removes a file or folder. It reads URLs from standard input only if one of the\n" +
			"arguments is \"-\".\n\n" +
			"For an article (news, nntp) rm posts a cancel message, if --mail is the address of its author. Servers may ignore it. If\n" +
			"the URL names the article by a number, rm shows it and asks first.",
		Example: "  locator rm ftp://me@ftp.example.org/in/done.txt\n" +
			"  locator rm --recursive --dry-run ftp://me@ftp.example.org/old/\n" +
			"  locator rm --dry-run - < list\n" +
			"  locator rm --mail alice@example.org news:12345@host.example",
		Args:              manual.Takes(1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			x := change{op: scheme.OpRemove, done: "removed", dryRun: dryRun,
				do: func(ctx context.Context, c *client.Client, r scheme.Request, _ locator.URL) error {
					return a.remove(ctx, c, r, yes)
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
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask before the article that a number names is cancelled (nntp)")
	return cmd
}

// remove removes what a URL names. If the scheme only says what that is, since the URL may come to
// name something else, the user confirms it; with yes, nobody is asked.
func (a *app) remove(ctx context.Context, c *client.Client, r scheme.Request, yes bool) error {
	err := c.Remove(ctx, r)
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok || e.Code != scheme.CodeUsage || e.Partial == nil || e.Partial.Attr.ID == "" {
		return err
	}
	if !yes {
		found := e.Partial.Attr
		subject := ""
		for _, f := range found.More {
			if strings.EqualFold(f.Name, "Subject") {
				subject = f.Value
			}
		}
		what := fmt.Sprintf("<%s> of %s, %q", found.ID, present.Time(found), runewidth.Truncate(subject, subjectWidth, "…"))
		answer, asked, err := a.Messages.Ask(ctx, "Cancel "+what+"? (y or n) [n]: ", false)
		failed := *e
		switch {
		case err != nil:
			return err
		case !asked:
			failed.Err = fmt.Errorf("it is %s; %w, or add --yes", safe(what), e.Err)
			return &failed
		case !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes"):
			failed.Err = errors.New("nothing was removed")
			return &failed
		}
	}
	r.URL = e.Partial.URL
	return c.Remove(ctx, r)
}

// subjectWidth is the columns of a subject in a question.
const subjectWidth = 60

// removed counts what rm --recursive has removed of a URL.
type removed struct {
	files, folders, failed int
	dryRun                 bool
}

func (r *removed) String() string {
	text := units.Count(r.files, "file")
	if r.folders > 0 {
		text += " and " + units.Count(r.folders, "folder")
	}
	return text
}

// removeAll removes what a URL names with all that is in it. Each failure in it is a message of its
// own.
func (a *app) removeAll(ctx context.Context, c *client.Client, r scheme.Request, dryRun bool, n *removed) error {
	*n = removed{}
	err := tree.RemoveAll(ctx, c, r, tree.RemoveAllOptions{
		DryRun: dryRun,
		Removed: func(u locator.URL, dir bool) {
			if n.files++; dir {
				n.files, n.folders = n.files-1, n.folders+1
			}
			switch {
			case !dryRun:
				a.Info("removed %s", u.Redacted())
			case !a.flags.JSON:
				fmt.Fprintln(a.Out, safe(u.Redacted()))
			}
		},
		Failed: func(_ locator.URL, err error) {
			if n.failed++; n.failed > 1 && !a.flags.JSON { // RemoveAll returns the first
				a.Fail(a.Of(a.At, err))
			}
		},
	})
	n.dryRun = dryRun
	return err
}
