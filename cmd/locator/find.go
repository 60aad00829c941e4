package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"locator"
	"locator/explain"
	"locator/find"
	"locator/find/format"
	"locator/find/search"
	"locator/internal/console"
	"locator/internal/manual"
	"locator/internal/octet"
	"locator/internal/present"
	"locator/internal/settings"
	"locator/internal/units"
	"locator/repair"
	"locator/scheme"
)

// findOptions holds the flags of find.
type findOptions struct {
	search     search.Search
	maxWrapper string
	formatName string
	pdfCommand string
	patterns   pathPatterns

	linkify  bool
	withName bool
	noName   bool
}

func (a *app) findCommand() *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:   "find [FILE|FOLDER ...]",
		Short: "Find URLs in files or standard input",
		Long: "find prints the URLs in files, in all files of folders, or in standard input, in their order: bare URLs in running text,\n" +
			"and those in the wrappers <URL:...> and <...>, which may be broken over lines. With one file it prints a URL per line.\n" +
			"With several files or a folder, the file, the line and the column stand before the URL.",
		Example: "  locator find mail.txt\n" +
			"  locator find --json docs | jq -r 'select(.ok | not) | .url'\n" +
			"  locator find --unique --scheme ftp --scheme gopher .\n" +
			"  locator find --linkify README > readme.html",
		RunE: func(cmd *cobra.Command, args []string) error { return a.find(cmd.Context(), args, o) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.formatName, "format", "", "read all files as "+settings.OneOf(formatNames())+" (default: by name and content)")
	f.BoolVarP(&o.search.Decompress, "decompress", "z", false, "search the text of files that gzip or bzip2 compressed")
	f.BoolVar(&o.search.Finder.IRI, "iri", false, "a bare URL goes on through characters beyond ASCII")
	f.BoolVar(&o.search.Finder.Web, "www", false, "also find host names that begin with www.")
	f.BoolVar(&o.search.Finder.Mail, "email", false, "also find mail addresses without mailto:")
	f.StringVar(&o.maxWrapper, "max-wrapper", "64K", "length of the longest wrapper")
	f.StringVar(&o.pdfCommand, "pdf-command", "", "command that reads a PDF file on standard input and prints its text, such as \"pdftotext - -\"; blanks separate its words")
	f.StringArrayVar(&o.search.Schemes, "scheme", nil, "print only URLs of this scheme (repeatable)")
	f.BoolVar(&o.search.Valid, "valid-only", false, "leave out malformed URLs")
	f.BoolVar(&o.search.Unique, "unique", false, "print each URL once, also if it is spelt differently")
	f.BoolVar(&o.search.Lines, "with-context", false, "also print the lines that a URL stands in")
	f.BoolVar(&o.linkify, "linkify", false, "print the text as HTML, with its URLs as links")
	f.BoolVarP(&o.withName, "with-filename", "H", false, "print file, line and column also for one file")
	f.BoolVarP(&o.noName, "no-filename", "I", false, "print the URL alone")
	f.IntVar(&o.search.Parallel, "parallel", runtime.GOMAXPROCS(0), "files that are read at once")
	f.BoolVar(&o.search.Folders.Hidden, "hidden", false, "also read files and folders whose names begin with a dot")
	f.BoolVar(&o.search.Folders.NoIgnore, "no-ignore", false, "also read what .gitignore and .ignore files leave out, and the folder .git")
	f.BoolVarP(&o.search.Folders.Follow, "follow", "L", false, "follow symbolic links in folders")
	f.IntVar(&o.search.Folders.Depth, "depth", 0, "go at most this many folders deep (0: no limit)")
	o.patterns.register(f, "in folders, ", "read")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
	return cmd
}

// find prints the URLs in files, folders and standard input.
func (a *app) find(ctx context.Context, args []string, o findOptions) error {
	if err := o.check(a.flags.JSON); err != nil {
		return err
	}
	if slices.Contains(args, "") {
		return scheme.Fail(scheme.CodeUsage, "an argument is empty; name a file or a folder, or - for standard input")
	}
	a.sayUnknown(o.search.Schemes)
	if len(args) == 0 {
		args = []string{"-"}
	}
	s := &o.search
	s.Parser = a.flags.Parser(locator.Current)
	s.Folders.Want, s.Folders.Enter = o.patterns.Wants, func(path string) bool { return !o.patterns.Excluded(path) }
	s.Stdin = func() io.Reader { a.sayTyping("text"); return a.In }
	places := !o.noName && (o.withName || !s.Single(args...))
	s.Finder.NoLines = !places && !a.flags.JSON && !s.Lines
	if f, ok := a.Out.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.Output = info
		}
	}
	var searched, skipped atomic.Int64
	s.Events = a.findEvents(s, &searched, &skipped)
	// Most of what is allocated is short-lived, and little else is kept: with a larger heap, less
	// time is lost, up to the limit.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	limit := debug.SetMemoryLimit(-1)
	growHeap := sync.OnceFunc(func() { debug.SetMemoryLimit(limit) })
	s.Events.Whole = growHeap
	defer growHeap()
	if !s.Unique { // which keeps 40 bytes of each URL
		debug.SetMemoryLimit(min(memoryLimit, limit))
	}
	var err error
	if o.linkify {
		err = s.WriteHTML(ctx, a.Out, places, args...)
	} else {
		p := present.Matches{JSON: a.flags.JSON, Places: places, Terminal: console.IsTerminal(a.Out), Lines: s.Lines, MaxWrapper: s.Finder.MaxWrapper}
		err = s.Write(ctx, a.Out, p.Text, args...)
	}
	a.Info("%s searched, %d skipped", units.Count(int(searched.Load()), "file"), skipped.Load())
	if ctx.Err() != nil {
		return err
	}
	return console.OutputError(err)
}

// memoryLimit is up to where the heap may grow beyond what is needed, in bytes. Where more is
// needed, as for the tree of a Markdown document, the limit would cost time: Events.Whole removes
// it.
const memoryLimit = 48 << 20

// findEvents returns the events that print messages, and count the files that are searched and
// skipped.
func (a *app) findEvents(s *search.Search, searched, skipped *atomic.Int64) search.Events {
	return search.Events{
		Failed:   a.failText,
		Searched: func(string) { searched.Add(1) },
		Skipped: func(name, reason string) {
			skipped.Add(1)
			if reason == search.ReasonPDF {
				reason += "; use --pdf-command"
			}
			a.Info("skipped %s: %s", name, reason)
		},
		Compressed: func(name string) {
			a.Note("%s is compressed, and is searched as it is; to search its text, use --decompress", sourceTitle(name))
		},
		TooLong: func(name string, n int, offset int64) {
			limit := units.Size(int64(s.Finder.MaxWrapper))
			if n == 1 {
				a.Note("%s: a URL at byte %d is longer than %s; only its beginning was read; use --max-wrapper", name, offset, limit)
				return
			}
			a.Note("%s: %d URLs, the first at byte %d, are longer than %s; only their beginnings were read; use --max-wrapper", name, n, offset, limit)
		},
		Note: func(name string, err error) { a.Note("%s: %v", name, err) },
	}
}

// sourceTitle returns what messages call the file or standard input that the user named.
func sourceTitle(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// failText reports an error of reading a file. The others are read all the same.
func (a *app) failText(name string, err error) {
	name = sourceTitle(name)
	reason := err
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Op != "fork/exec" { // that is about a command
		reason = at.Err
	}
	if _, bad := locator.Current.Parse(name); errors.Is(err, fs.ErrNotExist) && bad == nil && strings.Contains(name, ":") {
		a.Fail(scheme.Fail(scheme.CodeLocal, "%s: %w; to search what a URL leads to: locator get URL | locator find", locator.Redact(name), reason))
		return
	}
	a.Fail(scheme.Fail(scheme.CodeLocal, "%s: %w", name, reason))
}

// check rejects values and flags that cannot be combined.
func (o *findOptions) check(asJSON bool) error {
	size, ok := units.ParseSize(o.maxWrapper)
	switch {
	case !ok || size < find.MinMaxWrapper || size > explain.MaxLength:
		return scheme.Fail(scheme.CodeUsage, "--max-wrapper %q: must be bytes, such as 64K, from %d to 16M", o.maxWrapper, find.MinMaxWrapper)
	case o.search.Parallel < 1:
		return scheme.Fail(scheme.CodeUsage, "--parallel must be at least 1")
	case o.search.Folders.Depth < 0:
		return scheme.Fail(scheme.CodeUsage, "--depth must not be negative")
	case o.withName && o.noName:
		return scheme.Fail(scheme.CodeUsage, "--with-filename and --no-filename cannot be used together")
	case o.linkify && (asJSON || o.search.Lines || o.search.Unique || o.formatName != ""):
		return scheme.Fail(scheme.CodeUsage, "--linkify cannot be combined with --json, --with-context, --unique or --format")
	}
	o.search.Finder.MaxWrapper = int(size)
	if o.search.Format = format.Lookup(o.formatName); o.search.Format == nil && o.formatName != "" {
		return scheme.Fail(scheme.CodeUsage, "--format %q: must be %s", o.formatName, settings.OneOf(formatNames()))
	}
	if words := strings.Fields(o.pdfCommand); len(words) > 0 {
		o.search.PDF = words
	}
	for i, name := range o.search.Schemes {
		o.search.Schemes[i] = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "//"), ":"))
		if !octet.IsScheme(o.search.Schemes[i]) {
			return scheme.Fail(scheme.CodeUsage, "--scheme %q: must be the name of a scheme, such as ftp; for several, repeat --scheme", name)
		}
	}
	return o.patterns.Check()
}

// sayUnknown says where URLs of the schemes that locator does not know are found.
func (a *app) sayUnknown(schemes []string) {
	for _, name := range schemes {
		if locator.SyntaxOf(name) != nil || a.flags.Quiet {
			continue
		}
		hint := ""
		if u, err := locator.Current.Parse(name + "://host/"); err == nil && repair.Hint(u) != "" {
			var names []string
			for _, s := range locator.Schemes() {
				names = append(names, s.Name)
			}
			if near := manual.Nearest(name, names); near != nil {
				hint = "; did you mean " + near[0] + "?"
			}
		}
		a.Say("scheme %s is unknown: its URLs are found only in <URL:%s:...>, <%s://...> and links of HTML and Markdown%s", name, name, name, hint)
	}
}

// formatNames returns the names of the formats.
func formatNames() (names []string) {
	for _, f := range format.All() {
		names = append(names, f.Name())
	}
	return names
}
