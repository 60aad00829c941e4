package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/internal/manual"
	"locator/internal/present"
	"locator/scheme"
	"locator/tree"
)

// change is what rm, mv and mkdir have in common.
type change struct {
	op     scheme.Op
	done   string // what -v says, before the URL
	to     string // the new URL of mv; "" for the others
	dryRun bool
	counts *removed // of rm --recursive
	do     func(context.Context, *client.Client, scheme.Request, locator.URL) error
}

func dryRunFlag(cmd *cobra.Command, dryRun *bool) {
	cmd.Flags().BoolVar(dryRun, "dry-run", false, "only check the URLs against policy and print them; makes no connection")
}

// change carries out a change of each URL.
func (a *app) change(ctx context.Context, args []string, x change) error {
	return a.access(ctx, func(ctx context.Context, c *client.Client) error {
		return a.urls(ctx, args, func(text string) error {
			u, err := a.target(text)
			var to locator.URL
			if err == nil && x.to != "" {
				to, err = a.newTarget(u, x.to)
			}
			switch r := (scheme.Request{URL: u}); {
			case err != nil:
			case !x.dryRun:
				err = x.do(ctx, c, r, to)
			default:
				if err = c.Preflight(x.op, r); err == nil && !to.IsZero() {
					err = c.Preflight(x.op, scheme.Request{URL: to})
				}
			}
			return a.changed(text, u, to, x, err)
		})
	})
}

// target parses the URL of something to change. It refuses a fragment: without it the URL would
// name another file than the one that a "#" in a name was meant for.
func (a *app) target(text string) (locator.URL, error) {
	u, err := a.read(text)
	if _, ok := u.Fragment(); ok {
		return u, scheme.Fail(scheme.CodeUsage, `%s has a fragment; in the name of a file, write "#" as %%23`, u.Redacted())
	}
	return u, err
}

// newTarget parses the new URL of mv, which may be relative to the old one, that of a directory
// taken without its last slash.
func (a *app) newTarget(u locator.URL, text string) (locator.URL, error) {
	if i := strings.IndexAny(text, ":/?#"); i >= 0 && text[i] == ':' || strings.HasPrefix(text, "<") {
		return a.target(text)
	}
	if path, _ := u.Path(); strings.HasSuffix(path, "/") { // a directory is renamed in the one above, like a file
		if above, err := u.WithPath(locator.Some(strings.TrimSuffix(path, "/"))); err == nil {
			u = above
		}
	}
	to, err := u.Resolve(text)
	if err != nil {
		return to, &scheme.Error{Op: "parse", URL: locator.Redact(text), Code: scheme.CodeMalformed, Err: err}
	}
	return a.target(to.Text())
}

// changed reports the outcome for one URL: with --json as an object, otherwise an error as a
// message and success with -v only.
func (a *app) changed(text string, u, to locator.URL, x change, err error) error {
	j := present.Change{URL: present.Octets(shown(u, text))}
	j.Line = a.At.Line
	if x.to != "" {
		j.New = present.OrNull(shown(to, x.to))
	}
	if n := x.counts; n != nil {
		j.Files, j.Folders = &n.files, &n.folders
		if !n.dryRun && n.files+n.folders > 0 {
			defer a.Note("removed %v", n)
		}
		if !a.flags.JSON && err == nil {
			return nil
		}
	}
	switch {
	case a.flags.JSON:
		j.Status, j.Error = a.Outcome(err)
		return a.PrintJSON(j)
	case err != nil:
		a.Fail(a.Of(a.At, err))
	case x.dryRun:
		return a.PrintLine(string(j.URL))
	case j.New != nil:
		a.Info("%s %s to %s", x.done, j.URL, *j.New)
	default:
		a.Info("%s %s", x.done, j.URL)
	}
	return nil
}

// shown returns a URL without its password; if it could not be parsed, its text.
func shown(u locator.URL, text string) string {
	if u.IsZero() {
		return redactInput(text)
	}
	return u.Redacted()
}

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
