package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/check"
	"locator/check/baseline"
	"locator/check/report"
	"locator/internal/console"
	"locator/scheme"
)

// reportOptions holds the flags that say how a run is reported, and when it fails.
type reportOptions struct {
	formats   map[string]*bool
	failOn    string
	baseline  string
	update    bool
	redirects bool
	chosen    report.Format
	fails     check.Selector
}

func (o *reportOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.failOn, "fail-on", "broken", "verdicts and reasons that make the check fail, with commas between them; also new")
	f.StringVar(&o.baseline, "baseline", "", "file of URLs that are known to be broken, which do not fail")
	f.BoolVar(&o.update, "update-baseline", false, "write what is broken now into the baseline")
	f.BoolVar(&o.redirects, "redirects", false, "also list URLs that have moved")
	o.formats = make(map[string]*bool)
	for _, x := range report.Formats()[1:] {
		if x.Name != "json" { // a shared flag
			o.formats[x.Name] = f.Bool(x.Name, false, "print "+x.Help)
		}
	}
}

// check checks the flags, and sets chosen and fails.
func (o *reportOptions) check(json bool) (err error) {
	o.chosen = report.Formats()[0]
	n := 0
	for _, x := range report.Formats() {
		if on := o.formats[x.Name]; x.Name == "json" && json || on != nil && *on {
			o.chosen, n = x, n+1
		}
	}
	if n > 1 {
		return scheme.Fail(scheme.CodeUsage, "a report has one format")
	}
	if o.update && o.baseline == "" {
		return scheme.Fail(scheme.CodeUsage, "--update-baseline needs --baseline FILE")
	}
	o.fails, err = check.ParseSelector(o.failOn)
	return err
}

func (a *app) reportCommand() *cobra.Command {
	var o reportOptions
	var place checkPlace
	cmd := &cobra.Command{
		Use:   "report [DIR]",
		Short: "Print what the last check found out",
		Long: "report prints the results of the last run that check has kept in a folder or a database, beside those of the run\n" +
			"before. The status is that of the check.",
		Example: "  locator report .links\n" +
			"  locator report --html .links > report.html",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(a.flags.JSON); err != nil {
				return err
			}
			return a.kept(cmd.Context(), &place, args, true, func(ctx context.Context, s check.Store) error {
				run, err := s.Open(ctx, 0)
				if err != nil {
					return err
				}
				return a.report(ctx, s, run, &o)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	place.register(f)
	o.register(f)
	return cmd
}

// kept calls do with the store that the flags or the argument name.
func (a *app) kept(ctx context.Context, place *checkPlace, args []string, readOnly bool, do func(ctx context.Context, s check.Store) error) error {
	if len(args) > 0 && place.run == "" && place.store == "" {
		place.run = args[0]
	} else if len(args) > 0 || place.empty() {
		return scheme.Fail(scheme.CodeUsage, "name the folder of the runs, or --store URL and --run NAME")
	}
	s, err := place.open(ctx, readOnly)
	if err == nil {
		defer s.Close()
		err = do(ctx, s)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return scheme.Fail(scheme.CodeLocal, "no run is kept there; check --run keeps one")
	}
	return err
}

// report prints the report of a run, and sets the exit status.
func (a *app) report(ctx context.Context, s check.Store, run check.Run, o *reportOptions) error {
	known, err := baseline.ReadFile(o.baseline, o.update)
	if err != nil {
		return err
	}
	r := report.Report{Fails: o.fails.Match, Known: known.Knows, Version: readBuild().String(), Redirects: o.redirects}
	if err := r.Describe(ctx, s, run); err != nil {
		return err
	}
	failed, unread, compared := false, error(nil), known.Compare(o.fails.Match, time.Now())
	r.Results = func(yield func(*check.Result, error) bool) {
		for x, err := range run.Results(ctx) {
			if unread = err; err == nil {
				if o.baseline != "" {
					compared.Add(x)
				}
				failed = failed || o.fails.Match(x) && !known.Knows(x)
			}
			if !yield(x, err) {
				return
			}
		}
	}
	if err := o.chosen.Write(a.Out, r); err != nil {
		return cmp.Or(unread, console.OutputError(err))
	}
	for _, e := range compared.Recovered() {
		a.Say("works again: %s", e.URL)
	}
	if failed {
		a.Status.Add(scheme.CodeSeveral)
	}
	if !o.update {
		return nil
	}
	if r.Run.Ended.IsZero() {
		return scheme.Fail(scheme.CodeUsage, "the run has not ended, and the baseline would forget what it has not checked; go on with check --resume")
	}
	return compared.WriteFile(o.baseline)
}
