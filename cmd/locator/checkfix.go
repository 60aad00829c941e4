package main

import (
	"bytes"
	"context"
	"io"

	"locator/check"
	"locator/check/fix"
	"locator/internal/console"
	"locator/scheme"
	"locator/wire"
)

// fix prints what would be written instead of URLs that have moved, or writes it.
func (a *app) fix(ctx context.Context, run check.Run, c *check.Checker, args []string, write bool) error {
	planner := &fix.Planner{Checker: c}
	var changes []fix.Change
	for r, err := range run.Results(ctx) {
		if err != nil {
			return err
		}
		if change, ok := planner.Plan(ctx, r); ok {
			changes = append(changes, change)
		}
	}
	e := &fix.Editor{
		Named: args, Write: write,
		Diff: func(text []byte) error {
			var in io.Reader = bytes.NewReader(text)
			if console.IsTerminal(a.Out) { // the files are those of others
				in = wire.Text(in)
			}
			_, err := io.Copy(a.Out, in)
			return console.OutputError(err)
		},
		Left: func(at check.Place, reason error) {
			a.Say("%s:%d:%d: left as it is: %v", at.File, at.Line, at.Column, reason)
		},
	}
	n, err := e.Apply(ctx, changes)
	a.Info("%d places", n)
	return err
}

// together returns an error for flags that have no meaning, or none together.
func (o *checkOptions) together(args []string) error {
	switch {
	case o.report.update && (o.input.since != "" || len(o.checker.Schemes)+len(o.checker.Exclude) > 0):
		return scheme.Fail(scheme.CodeUsage, "--update-baseline needs a check of all links, without --since, --scheme and --exclude-url: it forgets those that are not checked")
	case o.parallel < 1:
		return scheme.Fail(scheme.CodeUsage, "--parallel must be positive")
	case o.resume && o.place.empty():
		return scheme.Fail(scheme.CodeUsage, "--resume needs the run that it goes on with: --run DIR, or --store URL and --run NAME")
	case o.write && !o.fix:
		return scheme.Fail(scheme.CodeUsage, "--write needs --fix")
	case o.fix && len(args) == 0:
		return scheme.Fail(scheme.CodeUsage, "--fix needs the files or folders that may be changed")
	}
	return nil
}
