package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"locator"
	"locator/check"
	"locator/client"
	"locator/internal/localsite"
	"locator/internal/manual"
	"locator/policy"
)

// checkOptions holds the flags of check.
type checkOptions struct {
	place    checkPlace
	report   reportOptions
	input    checkInput
	checker  checkFlags
	site     siteFlags
	target   *localsite.Map
	resume   bool
	fix      bool
	write    bool
	parallel int
}

func (a *app) checkCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [FILE|FOLDER|URL ...]",
		Short: "Find out which URLs lead to nothing",
		Long: "check finds the URLs in files and in all files of folders, reads those of a list, takes those that are named, and finds\n" +
			"out whether they still lead to something. A URL is checked once, however often it stands there.\n\n" +
			"A URL is broken only where that is certain: what a wall for programs, a login, a limit or a bad minute of a server\n" +
			"hides is blocked or unsure. With --run, check remembers: a URL that worked before is failing first, and broken after\n" +
			"three runs over three days. Status 1: a URL is broken; 14: there was no URL.",
		Example: "  locator check README.md docs\n" +
			"  locator check --run .links docs\n" +
			"  locator check -i urls.txt --json > results.jsonl\n" +
			"  locator check --fail-on broken,blocked http://www.example.org/",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.checker.complete(cmd.Flags(), args, a.flags.Parser(locator.Current).Parse)
			return a.check(cmd.Context(), args, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.place.register(f)
	f.BoolVar(&o.resume, "resume", false, "go on with the last run; begin one if there is none")
	a.listFlag(cmd)
	o.input.register(f)
	o.checker.register(f)
	o.site.register(f)
	f.IntVar(&o.parallel, "parallel", check.DefaultParallel, "requests at once; those that wait long for an answer count no more")
	o.report.register(f)
	f.BoolVar(&o.fix, "fix", false, "instead of a report, print which URLs in the files to replace: those that have moved, and others that lead to the same by a better way")
	f.BoolVar(&o.write, "write", false, "with --fix, also write that into the files")
	return cmd
}

// check checks the URLs of its input and prints a report.
func (a *app) check(ctx context.Context, args []string, o checkOptions) error {
	if err := cmp.Or(o.report.check(a.flags.JSON), o.together(args)); err != nil {
		return err
	}
	var err error
	if o.target, err = localsite.New(o.site.root, o.site.base, o.site.rules); err != nil {
		return err
	}
	if a.flags.Policy().Options().Addresses == policy.PublicOnly { // strangers may have written the links
		o.checker.Folders, a.flags.LocalFiles = o.target.Restrict(args), true
	}
	if _, err := o.checker.Checker(); err != nil {
		return err
	}
	a.pool = client.PoolOptions{PerKey: o.parallel, Total: 2 * o.parallel}
	return a.access(ctx, func(ctx context.Context, c *client.Client) error {
		s, err := o.place.open(ctx, false)
		if err != nil {
			return err
		}
		defer s.Close()
		run, err := o.begin(ctx, s)
		if err != nil {
			return err
		}
		checker, err := o.checker.Checker()
		if err != nil {
			return err
		}
		checker.Client, checker.Parse = c, a.flags.Parser(locator.Current).Parse
		n, err := a.readLinks(ctx, run, checker, args, &o)
		if err != nil {
			return err
		}
		w := &check.Worker{Checker: checker, Parallel: o.parallel, Buckets: o.place.buckets(o.parallel), Decided: a.decided}
		if err := w.Run(ctx, run); err != nil || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
		info, err := run.Info(ctx)
		if err == nil && n+info.Decided() == 0 && !o.input.allowEmpty {
			err = exitError{manual.NoURL, "no URL was found"}
		}
		if err != nil {
			return err
		}
		if o.fix {
			return a.fix(ctx, run, checker, args, o.write)
		}
		return a.report(ctx, s, run, &o.report)
	})
}

// begin begins a run, or opens the one to resume and takes over its settings.
func (o *checkOptions) begin(ctx context.Context, s check.Store) (check.Run, error) {
	if o.resume {
		run, err := s.Open(ctx, 0)
		if err == nil {
			err = o.checker.resume(ctx, run, o.place.store != "")
		}
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return run, err
		}
	}
	flags, err := json.Marshal(o.checker.Settings)
	if err != nil {
		return nil, err
	}
	return s.Begin(ctx, flags)
}

// decided says what was found out about a URL.
func (a *app) decided(r *check.Result) { a.Info("%s: %s %s", r.URL, r.Verdict, r.Why) }

// exitError ends the program with a status of its own.
type exitError struct {
	status int
	text   string
}

func (e exitError) Error() string { return e.text }
