package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/internal/console"
	"locator/internal/present"
	"locator/scheme"
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

// target parses the URL of something to change. It refuses a fragment: without it the URL would name another file than the one
// that a "#" in a name was meant for.
func (a *app) target(text string) (locator.URL, error) {
	u, err := a.read(text)
	if _, ok := u.Fragment(); ok {
		return u, scheme.Fail(scheme.CodeUsage, `%s has a fragment; in the name of a file, write "#" as %%23`, u.Redacted())
	}
	return u, err
}

// newTarget parses the new URL of mv, which may be relative to the old one, that of a directory taken without its last slash.
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

// changed reports the outcome for one URL: with --json as an object, otherwise an error as a message and success with -v only.
func (a *app) changed(text string, u, to locator.URL, x change, err error) error {
	j := present.Change{URL: present.Octets(shown(u, text))}
	j.Line = a.at.Line
	if x.to != "" {
		j.New = present.OrNull(shown(to, x.to))
	}
	if n := x.counts; n != nil {
		j.Files, j.Folders = &n.files, &n.folders
		if !n.dryRun && n.files+n.folders > 0 {
			defer a.note("removed %v", n)
		}
		if !a.flags.JSON && err == nil {
			return nil
		}
	}
	switch {
	case a.flags.JSON:
		code := client.CodeOf(err)
		a.status.add(code)
		if j.Status = code.Exit(); err != nil {
			j.Error = present.OrNull(errorText(err))
		}
		return a.printJSON(j)
	case err != nil:
		a.fail(a.of(a.at, err))
	case x.dryRun:
		_, err := fmt.Fprintln(a.Out, safe(string(j.URL)))
		return console.OutputError(err)
	case j.New != nil:
		a.info("%s %s to %s", x.done, j.URL, *j.New)
	default:
		a.info("%s %s", x.done, j.URL)
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
