package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/time/rate"

	"locator"
	"locator/download"
	"locator/explain"
	"locator/internal/ctxio"
	"locator/internal/units"
	"locator/scheme"
	"locator/scheme/form"
)

// getOptions holds the flags of get.
type getOptions struct {
	output     string
	remoteName bool
	dir        string
	dirs       bool
	names      string
	force      bool
	raw        bool
	escape     string
	decode     bool
	saveParts  bool
	open       bool
	allowBcc   bool
	ask        askOptions

	resume    bool
	sync      bool
	verify    bool
	ifNewer   bool
	sha256    string
	retries   int
	rate      string
	maxSize   string
	maxBytes  int64 // of maxSize; 0 means no limit
	parallel  int
	dryRun    bool
	perHost   int
	recursive recursion
	to        string
	selection selection
}

// askOptions holds the answers to a query or form.
type askOptions struct {
	flags  *pflag.FlagSet // with --query
	query  string
	fields []string
	files  []string
}

func (a *app) getCommand() *cobra.Command {
	var o getOptions
	cmd := &cobra.Command{
		Use:   "get [URL ...]",
		Short: "Access URLs: print them or download them into files",
		Long: "get accesses URLs and writes the content to standard output or to files. A listing is printed as list prints it. A\n" +
			"file gets its name when it is complete; after a failure, the partial download is kept as NAME.part.",
		Example: "  locator get --recursive --dir mirror ftp://ftp.example.org/pub/\n" +
			"  locator get ftp://ftp.example.org/pub/README\n" +
			"  locator get -o motd ftp://myname@host.dom/%2Fetc/motd\n" +
			"  locator get --query 'red wine' gopher://gopher.example.org/7/search\n" +
			"  locator get --decode news:12345@host.example",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.get(cmd.Context(), args, o) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.output, "output", "o", "", "write to this file, device or pipe (one URL)")
	f.BoolVarP(&o.remoteName, "remote-name", "O", false, "write to a file named after the URL")
	f.StringVar(&o.dir, "dir", "", "folder for the files (implies -O)")
	f.BoolVarP(&o.dirs, "dirs", "x", false, "put each file into folders named after its host and path (implies -O)")
	f.StringVar(&o.names, "names", "native", "file names: native keeps all that are legal here, portable uses those that all systems accept")
	f.BoolVar(&o.force, "force", false, "overwrite existing files; write binary data to a terminal")
	f.BoolVar(&o.raw, "raw", false, "write listings as received, and the output of a session to the terminal unfiltered")
	f.StringVar(&o.escape, "escape", "^]", "character that opens the menu of a session, such as ~ or ^X; or none")
	f.BoolVar(&o.decode, "decode", false, "decode BinHex and uuencoded files (gopher types 4 and 6), and articles as people read them")
	f.BoolVar(&o.saveParts, "save-parts", false, "decode articles, and save their attachments in the folder of --dir")
	f.BoolVar(&o.open, "open", false, "hand the mail that a mailto URL describes to the mail program of the desktop")
	f.BoolVar(&o.allowBcc, "allow-bcc", false, "keep the blind copies that a mailto URL asks for")
	o.ask.registerQuery(f)
	o.ask.registerFields(f)
	f.StringArrayVar(&o.ask.files, "field-file", nil, "file for a form field, 'Name=path' (repeatable)")
	f.BoolVarP(&o.resume, "continue", "c", false, "resume a partial download")
	f.BoolVar(&o.ifNewer, "if-newer", false, "download only if the resource is newer than the file")
	f.BoolVar(&o.sync, "fsync", false, "write each file to disk (fsync) before it gets its name")
	f.BoolVar(&o.verify, "verify", false, "compare each file with the server's checksum, if it offers one (ftp HASH and others)")
	f.StringVar(&o.sha256, "sha256", "", "expected SHA-256 of the file, in hex (one URL)")
	f.IntVar(&o.retries, "retries", 2, "retries after a failed download into a file")
	f.StringVar(&o.rate, "limit-rate", "", "limit in bytes per second for all downloads together, such as 500K or 2M")
	f.StringVar(&o.maxSize, "max-size", "", "end a file that is larger than this, such as 500K or 2G; with --recursive: end when all files together are")
	f.IntVar(&o.parallel, "parallel", 8, "simultaneous downloads into files; --to reads one URL after the other")
	f.IntVar(&o.perHost, "per-host", 2, "simultaneous downloads from one host; --to uses one connection")
	f.BoolVar(&o.dryRun, "dry-run", false, "only print what would be accessed; with --recursive, requests the listings")
	o.recursive.register(f)
	f.StringVar(&o.to, "to", "", "store all messages of a group or range in one archive: mbox, maildir or jsonl; with -o, each of them once, also over several runs")
	o.selection.register(f)
	a.listFlag(cmd)
	return cmd
}

func (o *askOptions) registerQuery(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.query, "query", "", "search words (gopher, wais)")
}

func (o *askOptions) registerFields(f *pflag.FlagSet) {
	f.StringArrayVar(&o.fields, "field", nil, "answer for a form field, 'Name=value' (repeatable)")
}

// get accesses URLs: several at once into files, one after the other to standard output.
func (a *app) get(ctx context.Context, args []string, o getOptions) error {
	limit, err := o.check()
	if err != nil {
		return err
	}
	if o.lists() {
		return a.list(ctx, args, listOptions{selection: o.selection, ask: o.ask})
	}
	ctx, c, end, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer end()
	b := &batch{app: a, c: c, o: o, limit: limit, show: a.Progress(), start: time.Now(),
		folders: make(map[string]*download.Folder), trees: make(map[string]bool)}
	b.total = b.quota()
	defer b.show.Close()
	defer b.close()
	if (b.o.output != "" || b.o.sha256 != "") && b.o.to == "" {
		if args, err = b.oneURL(ctx, args); err != nil {
			return err
		}
	}
	if !o.recursive.on { // where --include selects files
		a.expand = b.expand
	}
	switch {
	case b.o.to != "" && !b.o.dryRun:
		return b.collect(ctx, args)
	case b.o.recursive.on:
		err := a.urls(ctx, args, func(text string) error {
			b.mirror(ctx, text)
			return nil
		})
		b.show.Sum(time.Since(b.start), !a.flags.JSON)
		return err
	case b.o.dryRun:
		return a.urls(ctx, args, b.dryRun)
	case b.o.remoteName || b.o.dir != "":
		err := b.getFiles(ctx, args)
		b.show.Sum(time.Since(b.start), !a.flags.JSON)
		return err
	}
	to, err := outputPlace(b.o.output)
	if err != nil {
		return err
	}
	defer to.close()
	if to.file != nil {
		to.file.Sync = b.o.sync
	}
	return a.urls(ctx, args, func(text string) error {
		return b.get(ctx, text, a.At, nil, func(locator.URL) (place, error) { return to, nil })
	})
}

// check rejects flags that cannot be combined, and returns the limit of --limit-rate.
func (o *getOptions) check() (*rate.Limiter, error) {
	if o.recursive.mirror {
		o.recursive.on, o.dirs = true, true
	}
	o.remoteName = o.remoteName || o.dirs
	o.decode = o.decode || o.saveParts
	named := o.remoteName || o.dir != "" || o.recursive.on
	switch {
	case o.saveParts && o.recursive.on:
		return nil, scheme.Fail(scheme.CodeUsage, "--save-parts cannot be combined with --recursive")
	case o.names != "native" && o.names != "portable":
		return nil, scheme.Fail(scheme.CodeUsage, "--names: must be native or portable")
	case o.output != "" && named:
		return nil, scheme.Fail(scheme.CodeUsage, "-o cannot be combined with -O, --dir, --dirs or --recursive")
	case o.sha256 != "" && len(strings.Trim(o.sha256, "0123456789abcdefABCDEF"))+64 != len(o.sha256):
		return nil, scheme.Fail(scheme.CodeUsage, "--sha256: must be 64 hexadecimal digits")
	case o.sha256 != "" && (o.output == "" && !named || o.recursive.on):
		return nil, scheme.Fail(scheme.CodeUsage, "--sha256 needs one file: use it with -o or -O")
	case (o.resume || o.ifNewer || o.verify) && o.output == "" && !named:
		return nil, scheme.Fail(scheme.CodeUsage, "--continue, --if-newer and --verify need files: use them with -o, -O, --dir or --recursive")
	case o.retries < 0 || o.parallel < 1 || o.perHost < 1:
		return nil, scheme.Fail(scheme.CodeUsage, "--parallel and --per-host must be at least 1, --retries at least 0")
	}
	if err := o.recursive.check(); err != nil {
		return nil, err
	}
	if err := o.checkTo(); err != nil {
		return nil, err
	}
	o.sha256 = strings.ToLower(o.sha256)
	if o.maxSize != "" {
		var ok bool
		if o.maxBytes, ok = units.ParseSize(o.maxSize); !ok {
			return nil, scheme.Fail(scheme.CodeUsage, "--max-size %q: must be bytes, such as 500K or 2G", o.maxSize)
		}
	}
	return parseRate(o.rate)
}

// parseRate parses --limit-rate; "" means no limit.
func parseRate(s string) (*rate.Limiter, error) {
	if s == "" {
		return nil, nil
	}
	n, ok := units.ParseSize(s)
	if !ok {
		return nil, scheme.Fail(scheme.CodeUsage, "--limit-rate %q: must be bytes per second, such as 500K or 2M", s)
	}
	burst := min(n, 64<<10) // small enough to be smooth, large enough to be cheap
	return rate.NewLimiter(rate.Limit(n), int(burst)), nil
}

// redactInput returns an argument for messages, with its password masked.
func redactInput(text string) string {
	inner, _ := locator.Unwrap(explain.Shorten(text))
	return locator.Redact(inner)
}

// words returns the value of --query, if it was given.
func (o *askOptions) words() locator.Optional {
	if !o.flags.Changed("query") {
		return locator.Optional{}
	}
	return locator.Some(o.query)
}

// answers returns the answers of --field and --field-file. The files are opened anew for each URL.
func (o *askOptions) answers(ctx context.Context) ([]form.Answer, error) {
	var answers []form.Answer
	for _, f := range o.fields {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			return nil, scheme.Fail(scheme.CodeUsage, "--field: must be 'Name=value'")
		}
		answers = append(answers, form.Answer{Name: name, Value: value})
	}
	for _, f := range o.files {
		name, path, ok := strings.Cut(f, "=")
		if !ok {
			return nil, scheme.Fail(scheme.CodeUsage, "--field-file: must be 'Name=path'")
		}
		h, err := ctxio.OpenFile(ctx, path, os.O_RDONLY)
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "--field-file: %w", err)
		}
		answers = append(answers, form.Answer{Name: name, File: h})
	}
	return answers, nil
}
