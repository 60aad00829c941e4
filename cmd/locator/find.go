package main

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/find"
	"locator/find/format"
	"locator/internal/octet"
	"locator/repair"
	"locator/scheme"
)

// findOptions holds the flags of find.
type findOptions struct {
	finder     find.Finder
	maxWrapper string
	formatName string
	format     *format.Format // of formatName; nil: by name and content
	pdfCommand string
	pdf        []string // the words of pdfCommand
	decompress bool

	schemes []string
	valid   bool
	unique  bool

	context   bool
	linkify   bool
	withName  bool
	noName    bool
	parallel  int
	recursion findRecursion
}

// findRecursion holds the flags about folders.
type findRecursion struct {
	hidden   bool
	noIgnore bool
	follow   bool
	depth    int
	patterns pathPatterns
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
	f.StringVar(&o.formatName, "format", "", "read all files as "+oneOf(formatNames())+" (default: by name and content)")
	f.BoolVarP(&o.decompress, "decompress", "z", false, "search the text of files that gzip or bzip2 compressed")
	f.BoolVar(&o.finder.IRI, "iri", false, "a bare URL goes on through characters beyond ASCII")
	f.BoolVar(&o.finder.Web, "www", false, "also find host names that begin with www.")
	f.BoolVar(&o.finder.Mail, "email", false, "also find mail addresses without mailto:")
	f.StringVar(&o.maxWrapper, "max-wrapper", "64K", "length of the longest wrapper")
	f.StringVar(&o.pdfCommand, "pdf-command", "", "command that reads a PDF file on standard input and prints its text, such as \"pdftotext - -\"; blanks separate its words")
	f.StringArrayVar(&o.schemes, "scheme", nil, "print only URLs of this scheme (repeatable)")
	f.BoolVar(&o.valid, "valid-only", false, "leave out malformed URLs")
	f.BoolVar(&o.unique, "unique", false, "print each URL once, also if it is spelt differently")
	f.BoolVar(&o.context, "with-context", false, "also print the lines that a URL stands in")
	f.BoolVar(&o.linkify, "linkify", false, "print the text as HTML, with its URLs as links")
	f.BoolVarP(&o.withName, "with-filename", "H", false, "print file, line and column also for one file")
	f.BoolVarP(&o.noName, "no-filename", "I", false, "print the URL alone")
	f.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "files that are read at once")
	f.BoolVar(&o.recursion.hidden, "hidden", false, "also read files and folders whose names begin with a dot")
	f.BoolVar(&o.recursion.noIgnore, "no-ignore", false, "also read what .gitignore and .ignore files leave out, and the folder .git")
	f.BoolVarP(&o.recursion.follow, "follow", "L", false, "follow symbolic links in folders")
	f.IntVar(&o.recursion.depth, "depth", 0, "go at most this many folders deep (0: no limit)")
	o.recursion.patterns.register(f, "in folders, ", "read")
	return cmd
}

// find prints the URLs in files, folders and standard input.
func (a *app) find(ctx context.Context, args []string, o findOptions) error {
	s, err := a.newSearch(args, o)
	if err != nil {
		return err
	}
	return s.run(ctx, args)
}

// check rejects values and flags that cannot be combined.
func (o *findOptions) check(asJSON bool) error {
	size, ok := parseSize(o.maxWrapper)
	switch {
	case !ok || size < find.MinMaxWrapper || size > maxURL:
		return scheme.Fail(scheme.CodeUsage, "--max-wrapper %q: must be bytes, such as 64K, from %d to 16M", o.maxWrapper, find.MinMaxWrapper)
	case o.parallel < 1:
		return scheme.Fail(scheme.CodeUsage, "--parallel must be at least 1")
	case o.recursion.depth < 0:
		return scheme.Fail(scheme.CodeUsage, "--depth must not be negative")
	case o.withName && o.noName:
		return scheme.Fail(scheme.CodeUsage, "--with-filename and --no-filename cannot be used together")
	case o.linkify && (asJSON || o.context || o.unique || o.formatName != ""):
		return scheme.Fail(scheme.CodeUsage, "--linkify cannot be combined with --json, --with-context, --unique or --format")
	}
	o.finder.MaxWrapper = int(size)
	if o.format = format.Lookup(o.formatName); o.format == nil && o.formatName != "" {
		return scheme.Fail(scheme.CodeUsage, "--format %q: must be %s", o.formatName, oneOf(formatNames()))
	}
	if words := strings.Fields(o.pdfCommand); len(words) > 0 {
		o.pdf = words
	}
	for i, name := range o.schemes {
		o.schemes[i] = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "//"), ":"))
		if !octet.IsScheme(o.schemes[i]) {
			return scheme.Fail(scheme.CodeUsage, "--scheme %q: must be the name of a scheme, such as ftp; for several, repeat --scheme", name)
		}
	}
	return o.recursion.patterns.check()
}

// sayUnknown says where URLs of the schemes that locator does not know are found.
func (a *app) sayUnknown(schemes []string) {
	for _, name := range schemes {
		if locator.SyntaxOf(name) != nil || a.flags.quiet {
			continue
		}
		hint := ""
		if u, err := locator.Current.Parse(name + "://host/"); err == nil && repair.Hint(u) != "" {
			near := slices.MinFunc(locator.Schemes(), func(a, b *locator.Syntax) int { return nameDistance(name, a.Name) - nameDistance(name, b.Name) })
			hint = "; did you mean " + near.Name + "?"
		}
		a.say("scheme %s is unknown: its URLs are found only in <URL:%s:...>, <%s://...> and links of HTML and Markdown%s", name, name, name, hint)
	}
}

// formatNames returns the names of the formats.
func formatNames() (names []string) {
	for _, f := range format.All() {
		names = append(names, f.Name())
	}
	return names
}
