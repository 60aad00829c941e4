package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"locator"
	"locator/check"
	"locator/find/search"
	"locator/internal/ctxio"
	"locator/internal/gitdiff"
	"locator/internal/settings"
	"locator/scheme"
)

// checkInput holds the flags of check that say which URLs are checked.
type checkInput struct {
	since      string
	allowEmpty bool
	patterns   pathPatterns
	hidden     bool
}

func (o *checkInput) register(f *pflag.FlagSet) {
	f.StringVar(&o.since, "since", "", "check only links in lines that were added since the `COMMIT` of git")
	f.BoolVar(&o.allowEmpty, "allow-empty", false, "no URL is no failure")
	f.BoolVar(&o.hidden, "hidden", false, "also read files and folders whose names begin with a dot")
	o.patterns.register(f, "in folders, ", "read")
}

// checkFlags holds the flags of check that say how a URL is judged.
type checkFlags struct {
	check.Settings
	recursive bool
	given     *pflag.FlagSet // the flags of the command
}

func (o *checkFlags) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.Schemes, "scheme", nil, "check only URLs of this scheme (repeatable)")
	f.StringArrayVar(&o.Exclude, "exclude-url", nil, "skip URLs that match this regular expression (repeatable)")
	f.StringVar(&o.Confirm, "confirm", "3/72h", "a URL that worked before is broken after this many runs in a row over this time")
	f.BoolVar(&o.Fragments, "fragments", false, "also check that pages have the fragments of the URLs")
	f.BoolVar(&o.Content, "content", false, "also read what is there: report what has changed, and pages that only say \"not found\"")
	f.BoolVar(&o.Mail, "mail", false, "also ask for the mail exchangers of mail addresses; no mail server is asked")
	f.BoolVar(&o.recursive, "recursive", false, "also check the links in the pages and listings below the URLs that are named")
	f.IntVar(&o.Depth, "depth", 5, "with --recursive, follow at most this many links in a row")
	f.IntVar(&o.PerHost, "per-host", 0, "connections to one host at once (default 2; no limit on this machine)")
	f.Var((*settings.Duration)(&o.Interval), "interval", "pause between two requests to one host (default 200ms; none on this machine)")
	f.Var(&o.Hosts, "host", "limits for one host, or for all of a domain with *: HOST per-host=N interval=D skip=true (repeatable)")
	o.Again = check.DefaultRetryAfter
	f.Var((*settings.Duration)(&o.Again), "retry-after", "pause before a URL that failed is tried again, at the end of the run (0: it is not)")
	f.BoolVar(&o.NoRobots, "ignore-robots", false, "check what robots.txt forbids, too")
}

// complete sets what does not come from a flag alone: the scope of a recursive check is that of the
// URLs that are named, and a pause of zero is none.
func (o *checkFlags) complete(f *pflag.FlagSet, args []string, parse func(string) (locator.URL, error)) {
	o.given, o.Home = f, check.Here()
	if f.Changed("interval") {
		o.Interval = cmp.Or(o.Interval, -1)
	}
	o.Again = cmp.Or(o.Again, -1)
	for _, arg := range args {
		if u, err := parse(arg); err == nil && o.recursive {
			o.Scope = append(o.Scope, check.ScopeOf(u))
		}
	}
}

// resume takes over the settings of a run. No flag may say otherwise. Local files of a run in a
// shared store are those of the machine and the folder where it was begun.
func (o *checkFlags) resume(ctx context.Context, run check.Run, shared bool) error {
	info, err := run.Info(ctx)
	if err != nil {
		return err
	}
	var kept checkFlags
	was := pflag.NewFlagSet("", pflag.ContinueOnError)
	kept.register(was)
	if err := kept.Read(info); err != nil {
		return err
	}
	kept.recursive = kept.Scope != nil
	differ := settings.Differing(o.given, was)
	if o.Folders != nil && kept.Folders == nil {
		differ = append(differ, "--addresses public")
	}
	if len(differ) > 0 {
		return scheme.Fail(scheme.CodeUsage, "the run was begun with other settings than %s; leave that out, or begin a new run without --resume", strings.Join(differ, " and "))
	}
	if shared && o.Home != kept.Home {
		kept.Folders = []string{}
	}
	*o = kept
	return nil
}

// siteFlags holds the flags of check that say where the files of a site are.
type siteFlags struct {
	root, base string
	rules      []string
}

func (o *siteFlags) register(f *pflag.FlagSet) {
	f.StringVar(&o.root, "root", "", "the `FOLDER` of a site: references that begin with / lead there")
	f.StringVar(&o.base, "base", "", "the `URL` of --root, which is checked by the files; without --root, what references in files are relative to")
	f.StringArrayVar(&o.rules, "map", nil, "'FROM TO': instead of URLs that begin with FROM check those that begin with TO, a URL or a path (repeatable)")
}

// readLinks adds the URLs of all input to a run, and returns how many there were.
func (a *app) readLinks(ctx context.Context, run check.Run, c *check.Checker, args []string, o *checkOptions) (int64, error) {
	in := &check.Input{Run: run, Checker: c, Failed: a.failText, Search: a.linkSearch(&o.input), Target: o.target.Target}
	in.Search.Base = o.target.URL
	if c.Scope != nil {
		in.Depth = o.checker.Depth
	}
	if o.input.since != "" {
		added, err := gitdiff.Since(ctx, ".", o.input.since)
		if err != nil {
			return 0, err
		}
		in.Wanted = func(at check.Place) bool { return at.File == "" || added.File(at.File).Has(at.Line) }
	}
	if len(args) == 0 && a.listFile == "" && !o.resume {
		args = []string{"-"}
	}
	err := in.Named(ctx, args...)
	if err == nil {
		err = a.readList(ctx, in)
	}
	if err == nil {
		err = in.Flush(ctx)
	}
	if err != nil {
		return 0, err
	}
	return in.Count(), run.Seal(ctx)
}

// readList adds the URLs of the list of -i.
func (a *app) readList(ctx context.Context, in *check.Input) error {
	switch a.listFile {
	case "":
		return nil
	case "-":
		return in.List(ctx, a.In, "-")
	}
	h, err := ctxio.OpenFile(ctx, a.listFile, os.O_RDONLY)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "list of URLs: %w", err)
	}
	defer h.Close()
	return in.List(ctx, h, a.listFile)
}

// linkSearch returns the search for the links in texts.
func (a *app) linkSearch(o *checkInput) *search.Search {
	return &search.Search{
		Folders: search.Folders{Hidden: o.hidden, Want: o.patterns.Wants, Enter: func(path string) bool { return !o.patterns.Excluded(path) }},
		Stdin:   func() io.Reader { a.sayTyping("text"); return a.In },
		Parser:  a.flags.Parser(nil),
	}
}
