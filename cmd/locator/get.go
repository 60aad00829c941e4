package main

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"locator"
	"locator/download"
	"locator/scheme"
)

// getOptions are the flags of get.
type getOptions struct {
	output     string
	remoteName bool
	dir        string
	force      bool
	raw        bool
	decode     bool
	ask        askOptions

	resume    bool
	sync      bool
	verify    bool
	ifNewer   bool
	sha256    string
	retries   int
	rate      string
	parallel  int
	dryRun    bool
	perHost   int
	recursive recursion
}

// askOptions give a Query or Form its input.
type askOptions struct {
	query  string
	fields []string
	files  []string
}

func (a *app) getCommand() *cobra.Command {
	var o getOptions
	cmd := &cobra.Command{
		Use:   "get [URL ...]",
		Short: "accesses URLs",
		Long: "get accesses URLs (RFC 1738 section 2). The body of an object goes to standard output or to a file; a listing is\n" +
			"printed, an entry a line: kind, size, date, URL, name. A file appears under its name only when it is whole;\n" +
			"what came before a failure is kept as NAME.part.",
		Example: "  locator get --recursive --dir mirror ftp://ftp.example.org/pub/\n" +
			"  locator get ftp://ftp.example.org/pub/README\n" +
			"  locator get -o motd ftp://myname@host.dom/%2Fetc/motd\n" +
			"  locator get --query 'red wine' gopher://gopher.example.org/7/search",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.get(cmd.Context(), args, o, cmd.Flags().Changed("query"))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "file to write to (one URL); a device or pipe is written in place")
	f.BoolVarP(&o.remoteName, "remote-name", "O", false, "write to a file with the name that the URL gives, made safe")
	f.StringVar(&o.dir, "dir", "", "folder for the files of -O (implies -O)")
	f.BoolVar(&o.force, "force", false, "overwrite files of -O; send binary to a terminal")
	f.BoolVar(&o.raw, "raw", false, "listings as the octets received")
	f.BoolVar(&o.decode, "decode", false, "take a file out of its BinHex or uuencoded text (gopher types 4 and 6)")
	o.ask.register(cmd)
	f.BoolVarP(&o.resume, "continue", "c", false, "go on with the part that an earlier run left")
	f.BoolVar(&o.ifNewer, "if-newer", false, "only what is newer than the file that is there")
	f.BoolVar(&o.sync, "fsync", false, "force each file to the disk before it has its name")
	f.BoolVar(&o.verify, "verify", false, "compare each file with the digest that the server tells, if it does (ftp HASH and its like)")
	f.StringVar(&o.sha256, "sha256", "", "digest that the file must have, in hex (one URL)")
	f.IntVar(&o.retries, "retries", 2, "how often a transfer into a file is tried again after it broke off")
	f.StringVar(&o.rate, "limit-rate", "", "octets a second for all transfers together; K, M and G count in 1024s")
	f.IntVar(&o.parallel, "parallel", 8, "transfers into files at once")
	f.IntVar(&o.perHost, "per-host", 2, "transfers at once from one host")
	f.BoolVar(&o.dryRun, "dry-run", false, "only say what would be got; of --recursive all of it, which takes listings")
	o.recursive.register(f)
	return cmd
}

func (o *askOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.query, "query", "", "words for a search")
	f.StringArrayVar(&o.fields, "field", nil, "answer to a field of a form, 'Name=value' (repeatable)")
	f.StringArrayVar(&o.files, "field-file", nil, "file for a field of a form, 'Name=path' (repeatable)")
}

// get accesses what the arguments name: into files several at once, to standard output one after the other.
func (a *app) get(ctx context.Context, args []string, o getOptions, hasQuery bool) error {
	limit, err := o.check()
	if err != nil {
		return err
	}
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	c, err := a.client()
	if err != nil {
		return err
	}
	defer c.Close()
	b := &batch{app: a, c: c, o: o, hasQuery: hasQuery, limit: limit, show: a.progress(), start: time.Now(),
		folders: make(map[string]*download.Folder), trees: make(map[string]bool)}
	defer b.show.close()
	return b.run(ctx, args)
}

// check finds the flags that do not go together.
func (o *getOptions) check() (*rate.Limiter, error) {
	named := o.remoteName || o.dir != "" || o.recursive.on
	switch {
	case o.output != "" && named:
		return nil, scheme.Fail(scheme.CodeUsage, "-o names the file; -O, --dir and --recursive let the URL name it: give one of them")
	case o.sha256 != "" && len(strings.Trim(o.sha256, "0123456789abcdefABCDEF"))+64 != len(o.sha256):
		return nil, scheme.Fail(scheme.CodeUsage, "--sha256 takes 64 hexadecimal digits")
	case o.sha256 != "" && (o.output == "" && !named || o.recursive.on):
		return nil, scheme.Fail(scheme.CodeUsage, "--sha256 goes with one file: -o or -O")
	case (o.resume || o.ifNewer || o.verify) && o.output == "" && !named:
		return nil, scheme.Fail(scheme.CodeUsage, "--continue, --if-newer and --verify go with files: -o, -O, --dir or --recursive")
	case o.retries < 0 || o.parallel < 1 || o.perHost < 1:
		return nil, scheme.Fail(scheme.CodeUsage, "--parallel and --per-host take a number from 1, --retries from 0")
	}
	if err := o.recursive.check(); err != nil {
		return nil, err
	}
	o.sha256 = strings.ToLower(o.sha256)
	return parseRate(o.rate)
}

// parseRate reads --limit-rate.
func parseRate(s string) (*rate.Limiter, error) {
	if s == "" {
		return nil, nil
	}
	digits := strings.TrimRight(strings.ToUpper(s), "KMGB")
	unit := int64(1)
	switch strings.TrimSuffix(strings.ToUpper(s)[len(digits):], "B") {
	case "":
	case "K":
		unit = 1 << 10
	case "M":
		unit = 1 << 20
	case "G":
		unit = 1 << 30
	default:
		unit = 0
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 1 || unit == 0 {
		return nil, scheme.Fail(scheme.CodeUsage, "--limit-rate %q: it takes octets a second, such as 500K or 2M", s)
	}
	burst := min(n*unit, 64<<10) // small enough to be smooth, large enough to be cheap
	return rate.NewLimiter(rate.Limit(n*unit), int(burst)), nil
}

// deadline is --max-time.
func (a *app) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if a.flags.maxTime <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, a.flags.maxTime)
}

// redactInput is an argument as messages may show it.
func redactInput(text string) string {
	inner, _ := locator.Unwrap(text)
	return locator.Redact(inner)
}

// words are those of --query, if it was given.
func (o *askOptions) words(given bool) locator.Optional {
	if !given {
		return locator.Optional{}
	}
	return locator.Some(o.query)
}

// answers are those of --field and --field-file. Files are opened anew for each URL.
func (o *askOptions) answers(ctx context.Context) ([]scheme.Answer, error) {
	var answers []scheme.Answer
	for _, f := range o.fields {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			return nil, scheme.Fail(scheme.CodeUsage, "--field takes 'Name=value'")
		}
		answers = append(answers, scheme.Answer{Name: name, Value: value})
	}
	for _, f := range o.files {
		name, path, ok := strings.Cut(f, "=")
		if !ok {
			return nil, scheme.Fail(scheme.CodeUsage, "--field-file takes 'Name=path'")
		}
		h, err := openFile(ctx, path, os.O_RDONLY)
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "--field-file: %w", err)
		}
		answers = append(answers, scheme.Answer{Name: name, File: h})
	}
	return answers, nil
}
