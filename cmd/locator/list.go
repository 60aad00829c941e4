package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locator"
	"locator/archive"
	"locator/client"
	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
	"locator/tree"
)

// listOptions holds the flags of list.
type listOptions struct {
	list      scheme.ListOptions
	details   bool
	urls      bool
	item      int
	recursive bool
	depth     int
	noRobots  bool
	threads   bool
	like      []string
	selection selection
	ask       askOptions
}

func (a *app) listCommand() *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:   "list [URL ...]",
		Short: "List a directory, menu, group, database, index or link set",
		Example: "  locator list ftp://ftp.example.org/pub/\n" +
			"  locator list 'ftp://ftp.example.org/pub/*.txt'\n" +
			"  locator list -r --json ftp://ftp.example.org/pub/\n" +
			"  locator list --newest --max 20 nntp://news.example.org/comp.lang.c\n" +
			"  locator list 'news:comp.*'\n" +
			"  locator get \"$(locator list --item 3 gopher://gopher.example.org/)\"",
		Long: "list shows a menu or directory on a terminal as people read it. To a pipe or file it prints one entry per line: kind,\n" +
			"size in bytes, date, URL and display name, and for messages a tab and the author. An unknown value is \"-\". An entry of\n" +
			"kind note is text without a URL.",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.list(cmd.Context(), args, o) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.recursive, "recursive", "r", false, "list everything below the URL; names are paths")
	f.IntVar(&o.depth, "depth", 0, "with -r: go at most this many folders deep (0: no limit)")
	f.BoolVar(&o.noRobots, "ignore-robots", false, "with -r: ignore robots.txt")
	f.BoolVar(&o.urls, "urls", false, "on a terminal: also show the URL of each entry")
	f.IntVar(&o.item, "item", 0, "print only the URL of this entry, by its number on a terminal (that after # for messages)")
	f.BoolVar(&o.details, "details", false, "request all attributes of each entry; takes more requests")
	f.IntVar(&o.list.Max, "max", 0, "print at most this many entries (0: no limit)")
	f.BoolVar(&o.list.Newest, "newest", false, "newest messages first (newsgroups)")
	f.StringArrayVar(&o.like, "like", nil, "list documents that resemble this one, where a search can (WAIS; repeatable)")
	f.BoolVar(&o.threads, "threads", false, "messages in the order of their threads (newsgroups)")
	o.selection.register(f)
	o.ask.registerQuery(f)
	a.listFlag(cmd)
	return cmd
}

// list prints the listings of URLs.
func (a *app) list(ctx context.Context, args []string, o listOptions) error {
	switch {
	case o.list.Max < 0 || o.item < 0 || o.depth < 0:
		return scheme.Fail(scheme.CodeUsage, "--max, --item and --depth must not be negative")
	case !o.recursive && (o.depth > 0 || o.noRobots):
		return scheme.Fail(scheme.CodeUsage, "--depth and --ignore-robots need --recursive")
	}
	var err error
	if o.list.Filter, err = o.selection.filter(time.Now()); err != nil {
		return err
	}
	if o.selection.news && o.recursive {
		return scheme.Fail(scheme.CodeUsage, "--new cannot be combined with --recursive")
	}
	o.list.Detail, o.list.ServerInfo, o.list.Query, o.list.Accept = o.details, o.details, o.ask.words(), a.flags.Accept()
	for _, text := range o.like {
		u, err := a.read(text)
		if err != nil {
			return err
		}
		o.list.Like = append(o.list.Like, u)
	}
	people := console.IsTerminal(a.Out) && !a.flags.JSON && o.item == 0
	several, begun := len(args) != 1 || args[0] == "-" || a.listFile != "", false
	return a.accessTexts(ctx, args, func(ctx context.Context, c *client.Client, text string) error {
		u, entries, failed, err := a.listing(ctx, c, text, o)
		if err != nil {
			return explainPattern(c, text, err)
		}
		if people && several {
			if begun {
				fmt.Fprintln(a.Out)
			}
			begun = true
			fmt.Fprintf(a.Out, "%s:\n", safe(redactInput(text)))
		}
		if o.item > 0 {
			return a.printItem(entries, u, o.item)
		}
		if o.threads {
			entries = present.Threads(entries, people, scheme.Fail(scheme.CodeBroken,
				"the messages need more than %d MiB, the limit of --threads; list fewer of them with --newest --max", present.ThreadMemory>>20))
		}
		err = explainPattern(c, text, a.printEntries(a.Out, entries, a.entryForm(a.Out, u, o.urls)))
		for _, v := range *failed {
			if e := a.FailURL(v.Entry.URL.Redacted(), v.Err); err == nil {
				err = e
			}
		}
		return err
	})
}

// listing returns the entries that a URL lists: those of a directory, of the tree below it, or
// those that match a pattern. u is the directory; failed has the folders that could not be listed,
// after the entries have been read.
func (a *app) listing(ctx context.Context, c *client.Client, text string, o listOptions) (u locator.URL, entries iter.Seq2[scheme.Entry, error], failed *[]tree.Visit, err error) {
	failed = new([]tree.Visit)
	if p, ok := tree.ParsePattern(c, text, a.read); ok && !o.recursive {
		if err := a.checkMeaning(c, p.Dir()); err != nil {
			return p.Dir(), nil, failed, err
		}
		all := o.list
		all.Max = 0
		matches, exact, err := p.Expand(ctx, c, &all, a.Notes)
		if o.list.Max > 0 {
			matches = matches[:min(len(matches), o.list.Max)]
		}
		if !exact {
			return p.Dir(), entriesOf(matches), failed, err
		}
	}
	if u, err = a.readFor(c, text); err != nil {
		return u, nil, failed, err
	}
	u = u.WithoutFragment()
	switch {
	case o.recursive:
		return u, a.tree(ctx, c, u, o, failed), failed, nil
	case o.selection.news:
		j, err := a.openNew(u)
		if err != nil {
			return u, nil, failed, err
		}
		return u, archive.ListNew(ctx, c, scheme.Request{URL: u}, o.list, j, a.Notes), failed, nil
	}
	list, err := c.List(ctx, scheme.Request{URL: u}, &o.list)
	if err == nil {
		a.Notes(list)
	}
	return u, client.Entries(list, err), failed, nil
}

// entriesOf returns a listing of entries.
func entriesOf(list []scheme.Entry) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// tree returns the entries of list -r. Their names are the paths below u. It adds the folders that
// could not be listed to failed.
func (a *app) tree(ctx context.Context, c *client.Client, u locator.URL, o listOptions, failed *[]tree.Visit) iter.Seq2[scheme.Entry, error] {
	skipped := 0
	w := tree.WalkOptions{Depth: o.depth, List: o.list, Opened: a.Notes, Robots: "locator",
		LeftOut: func(u locator.URL, why string) { skipped++; a.Info("skipped %s: %s", u.Redacted(), why) }}
	if o.noRobots {
		w.Robots = ""
	}
	return func(yield func(scheme.Entry, error) bool) {
		n := 0
		for v := range tree.Walk(ctx, c, scheme.Request{URL: u}, w) {
			if v.Err != nil {
				*failed = append(*failed, v)
				continue
			}
			v.Entry.Name = strings.Join(v.Path, "/")
			if n++; !yield(v.Entry, nil) || n == o.list.Max {
				return
			}
		}
		if n == 0 {
			a.skippedAll(u, skipped)
		}
	}
}

// skippedAll says that a walk has found nothing but URLs that it skips.
func (a *app) skippedAll(u locator.URL, skipped int) {
	if skipped > 0 {
		a.Note("%s: nothing is below it; %s skipped; -v says why", u.Redacted(), units.Count(skipped, "URL"))
	}
}

// printItem prints the URL of the nth entry that has one.
func (a *app) printItem(entries iter.Seq2[scheme.Entry, error], u locator.URL, n int) error {
	count := 0
	for e, err := range entries {
		if err != nil {
			return err
		}
		if e.URL.IsZero() {
			continue
		}
		if count++; count == n {
			return a.PrintLine(e.PlainURL().Redacted())
		}
	}
	return &scheme.Error{Op: scheme.OpList, URL: u.Redacted(), Code: scheme.CodeNotFound, Err: fmt.Errorf("there is no item %d; there are %d", n, count)}
}

// entryForm returns the form for a listing at u: JSON, on a terminal that for people, and columns
// otherwise.
func (a *app) entryForm(w io.Writer, u locator.URL, urls bool) present.Form {
	switch {
	case a.flags.JSON:
		return present.JSON(a.At.Line)
	case console.IsTerminal(w):
		return present.People(u, console.Width(w), urls)
	}
	return present.Columns()
}

// printEntries prints entries as they arrive, up to the first error.
func (a *app) printEntries(w io.Writer, seq iter.Seq2[scheme.Entry, error], form present.Form) error {
	out := bufio.NewWriter(w)
	end := func() error {
		if form.End != nil {
			form.End(out)
		}
		return console.OutputError(out.Flush())
	}
	for e, err := range seq {
		if err != nil {
			end()
			return err
		}
		if err := form.Print(out, e); err != nil {
			return err
		}
		if out.Buffered() > 16<<10 || console.IsTerminal(w) {
			if err := console.OutputError(out.Flush()); err != nil {
				return err
			}
		}
	}
	return end()
}

// explainPattern adds to the error of a URL that looks like a pattern that its scheme has none.
func explainPattern(c *client.Client, text string, err error) error {
	if code := client.CodeOf(err); code != scheme.CodeNotFound && code != scheme.CodeMalformed {
		return err
	}
	name, others := tree.LooksLikePattern(c, text)
	if name == "" {
		return err
	}
	return present.With(err, fmt.Sprintf("; a pattern is possible only with %s; with %s, use get -r --include", strings.Join(others, ", "), name))
}
