package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

// getOptions are the flags of get.
type getOptions struct {
	output     string
	remoteName bool
	dir        string
	force      bool
	raw        bool
	ask        askOptions
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
		Example: "  locator get ftp://ftp.example.org/pub/README\n" +
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
	o.ask.register(cmd)
	return cmd
}

func (o *askOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.query, "query", "", "words for a search")
	f.StringArrayVar(&o.fields, "field", nil, "answer to a field of a form, 'Name=value' (repeatable)")
	f.StringArrayVar(&o.files, "field-file", nil, "file for a field of a form, 'Name=path' (repeatable)")
}

func (a *app) get(ctx context.Context, args []string, o getOptions, hasQuery bool) error {
	if o.output != "" && (o.remoteName || o.dir != "") {
		return scheme.Fail(scheme.Usage, "-o names the file, -O and --dir let the URL name it: give one of them")
	}
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	c, err := a.client()
	if err != nil {
		return err
	}
	defer c.Close()
	n := 0
	return a.urls(ctx, args, func(text string) error {
		if n++; n > 1 && o.output != "" {
			return scheme.Fail(scheme.Usage, "-o takes one URL; -O or --dir take many")
		}
		g := &getter{app: a, c: c, o: o, event: event{URL: octets(redactInput(text)), Status: 0}}
		r, answers, err := o.ask.request(hasQuery)
		if err != nil {
			return err
		}
		err = g.get(ctx, text, r, answers)
		g.report(err)
		return ctx.Err()
	})
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

// request makes what --query and --field ask for. Files are opened anew for each URL.
func (o *askOptions) request(hasQuery bool) (scheme.Request, []scheme.Answer, error) {
	r := scheme.Request{Query: o.query, HasQuery: hasQuery}
	var answers []scheme.Answer
	for _, f := range o.fields {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			return r, nil, scheme.Fail(scheme.Usage, "--field takes 'Name=value'")
		}
		answers = append(answers, scheme.Answer{Name: name, Value: value})
	}
	for _, f := range o.files {
		name, path, ok := strings.Cut(f, "=")
		if !ok {
			return r, nil, scheme.Fail(scheme.Usage, "--field-file takes 'Name=path'")
		}
		h, err := os.Open(path)
		if err != nil {
			return r, nil, scheme.Fail(scheme.Local, "--field-file: %w", err)
		}
		answers = append(answers, scheme.Answer{Name: name, File: h})
	}
	return r, answers, nil
}

// getter is the get of one URL.
type getter struct {
	app   *app
	c     *client.Client
	o     getOptions
	event event
}

func (g *getter) get(ctx context.Context, text string, r scheme.Request, answers []scheme.Answer) error {
	defer func(start time.Time) { g.event.MS = time.Since(start).Milliseconds() }(time.Now())
	defer closeFiles(answers)
	u, err := g.app.read(g.c, text)
	if err != nil {
		return err
	}
	r.URL, r.Answers, r.Raw = u.WithoutFragment(), answers, g.o.raw
	r.Accept = g.app.flags.wishes()
	res, err := g.c.Access(ctx, r)
	if err != nil {
		return err
	}
	defer res.Close()
	if res.Kind == scheme.Query || res.Kind == scheme.Form {
		if res, err = g.submit(ctx, res, r, answers); err != nil {
			return err
		}
		defer res.Close()
	}
	g.app.notes(res)
	g.event.describe(res)
	if res.URL != r.URL {
		g.app.info("%s is at %s", u.Redacted(), res.URL.Redacted())
	}
	return g.deliver(ctx, res)
}

func closeFiles(answers []scheme.Answer) {
	for _, x := range answers {
		if c, ok := x.File.(io.Closer); ok {
			c.Close()
		}
	}
}

// wishes are --accept, --accept-language and --charset.
func (f *flags) wishes() scheme.Accept {
	return scheme.Accept{Types: f.accept, Languages: f.languages, Charset: f.charset}
}

// notes says what a person should know about an access.
func (a *app) notes(res *scheme.Resource) {
	if a.flags.quiet {
		return
	}
	for _, note := range res.Notes {
		a.say("%s: %s", res.URL.Redacted(), note)
	}
}

// submit fills a query or form; what is missing is named.
func (g *getter) submit(ctx context.Context, form *scheme.Resource, r scheme.Request, answers []scheme.Answer) (*scheme.Resource, error) {
	fields := form.Form.Fields()
	if r.HasQuery && form.Kind == scheme.Query && len(answers) == 0 && len(fields) > 0 {
		answers = []scheme.Answer{{Name: fields[0].Name, Value: r.Query}}
	}
	if missing := missingFields(fields, answers); len(answers) == 0 || len(missing) > 0 {
		flag := "--field 'Name=value'"
		if form.Kind == scheme.Query {
			flag = "--query WORDS"
		}
		return nil, &scheme.Error{Op: "access", URL: form.URL.Redacted(), Code: scheme.Usage,
			Err: fmt.Errorf("it is a %s and wants %s: give %s", form.Kind, strings.Join(missing, ", "), flag)}
	}
	if u, ok := form.Form.Fill(answers); ok { // the way through the client: policy is asked about the filled URL
		r.URL, r.HasQuery, r.Answers = u, false, nil
		return g.c.Access(ctx, r)
	}
	return form.Form.Submit(ctx, answers)
}

// missingFields names the fields that have neither answer nor default.
func missingFields(fields []scheme.Field, answers []scheme.Answer) []string {
	var missing []string
	for _, f := range fields {
		answered := f.Kind == scheme.FieldNote || f.Default != ""
		for _, x := range answers {
			answered = answered || scheme.SameField(f.Name, x.Name)
		}
		if !answered {
			missing = append(missing, "\""+f.Name+"\"")
		}
	}
	return missing
}

// deliver puts a resource where it belongs.
func (g *getter) deliver(ctx context.Context, res *scheme.Resource) error {
	switch res.Kind {
	case scheme.Object:
		if res.NotModified {
			return nil
		}
		return g.deliverTo(res, func(w io.Writer) (int64, error) { return io.Copy(w, res.Body) })
	case scheme.Listing:
		return g.deliverTo(res, func(w io.Writer) (int64, error) {
			counted := &countWriter{w: w}
			err := g.app.printEntries(counted, res.Entries, false)
			return counted.n, err
		})
	case scheme.Draft:
		return g.deliverTo(res, func(w io.Writer) (int64, error) {
			n, err := io.WriteString(w, draftText(res.Draft))
			return int64(n), err
		})
	}
	return &scheme.Error{Op: "access", URL: res.URL.Redacted(), Code: scheme.Unsupported,
		Err: fmt.Errorf("it is a %s, which get cannot show yet", res.Kind)}
}

// draftText is the message of a mailto URL, ready to be finished and sent.
func draftText(m *scheme.Message) string {
	var b strings.Builder
	if len(m.To) > 0 {
		fmt.Fprintf(&b, "To: %s\n", safe(strings.Join(m.To, ", ")))
	}
	for _, h := range m.Header {
		fmt.Fprintf(&b, "%s: %s\n", safe(h.Name), safe(h.Value))
	}
	b.WriteString("\n" + m.Body)
	return b.String()
}

type countWriter struct {
	w io.Writer
	n int64
}

func (c *countWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// deliverTo chooses the place: a file, a terminal, or standard output as it is.
func (g *getter) deliverTo(res *scheme.Resource, write func(io.Writer) (int64, error)) error {
	switch {
	case g.o.output != "" && g.o.output != "-":
		return g.toFile(g.o.output, write)
	case g.o.remoteName || g.o.dir != "":
		return g.toNamed(res, write)
	case isTerminal(g.app.Out) && !g.o.force && res.Kind == scheme.Object:
		return g.toTerminal(res)
	}
	n, err := write(g.app.Out)
	g.event.Bytes = n
	return err
}
