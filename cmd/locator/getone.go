package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"locator"
	"locator/client"
	"locator/download"
	"locator/scheme"
)

// getter is the get of one URL.
type getter struct {
	app   *app
	c     *client.Client
	o     getOptions
	opt   download.Options
	show  *progress
	event event
	// access and answers are the wishes about the access.
	access  scheme.AccessOptions
	answers []scheme.Answer
	// filesOnly is for a tree: what turns out to be no file, such as a link to a folder, is left out.
	filesOnly bool
}

// follows says whether another URL of the same server is accessed at once.
func (g *getter) follows(more bool) {
	if more {
		g.access.Next = func(func(locator.URL) bool) {}
	}
}

// get accesses u and delivers what comes.
func (g *getter) get(ctx context.Context, r scheme.Request, to place) error {
	defer func(start time.Time) { g.event.MS = time.Since(start).Milliseconds() }(time.Now())
	g.access.Raw, g.access.Decode = g.o.raw, g.o.decode
	g.access.Accept = g.app.flags.wishes()
	var res *scheme.Resource
	var err error
	if to.file != nil {
		to.file.Sync = g.o.sync
	}
	if to.file != nil {
		var done bool
		if res, done, err = g.fetch(ctx, r, to); err != nil || done {
			return err
		}
	} else if res, err = g.c.Access(ctx, r, &g.access); err != nil {
		return err
	}
	defer func() { res.Close() }()
	if res.Kind == scheme.KindQuery || res.Kind == scheme.KindForm {
		form := res
		if res, err = g.submit(ctx, form, r); err != nil {
			res = form
			return err
		}
		form.Close()
	}
	g.tell(r.URL, res)
	return g.deliver(ctx, res, to)
}

// fetch brings an object into a file. What is no object comes back to be delivered otherwise.
func (g *getter) fetch(ctx context.Context, r scheme.Request, to place) (res *scheme.Resource, done bool, err error) {
	o := g.opt
	o.Access = g.access
	bar := g.show.file(to.shown)
	o.Events = download.Events{
		Begin: func(res *scheme.Resource, have int64) { bar.begin(res.Attr.Size.Or(-1), have) },
		Note:  func(text string) { g.app.note("%s: %s", to.shown, text) },
		Retry: func(err error, attempt int, wait time.Duration) {
			g.app.note("%v; try %d of %d in %v", err, attempt+1, o.Retries+1, wait)
		},
	}
	if bar.wants() {
		o.Events.Progress = bar.progress
	}
	out, err := download.Fetch(ctx, g.c, r, *to.file, o)
	switch {
	case err != nil:
		bar.drop()
		g.kept(out, to)
		return nil, true, err
	case out.Resource.Kind == scheme.KindObject:
	case g.filesOnly:
		bar.drop()
		out.Resource.Close()
		g.app.info("%s is left out: it is a %s", r.URL.Redacted(), out.Resource.Kind)
		return nil, true, nil
	default:
		bar.drop()
		return out.Resource, false, nil
	}
	g.tell(r.URL, out.Resource)
	g.event.Bytes, g.event.Resumed, g.event.SHA256 = out.Bytes, out.Resumed, orNull(out.SHA256)
	g.event.File, g.event.Verified = orNull(to.shown), orNull(out.Verified)
	if out.Skipped {
		bar.drop()
		g.app.info("%s is good as it is%s", to.shown, verified(out.Verified))
	} else {
		bar.end(out.Bytes, verified(out.Verified))
	}
	return out.Resource, true, nil
}

// verified says that the file was compared with what the server tells.
func verified(algorithm string) string {
	if algorithm == "" {
		return ""
	}
	return ", the server's " + algorithm + " is the same"
}

// kept says what a transfer that failed has left.
func (g *getter) kept(out download.Outcome, to place) {
	switch {
	case out.Continuable:
		g.app.note("%d octets are kept in %s; --continue goes on with them", out.Kept, to.shown+".part")
	case out.Kept > 0:
		g.app.note("%d octets are kept in %s", out.Kept, to.shown+".part")
	}
}

// tell writes down what access gave, and says what a person should know.
func (g *getter) tell(u locator.URL, res *scheme.Resource) {
	g.app.notes(res)
	g.event.describe(res)
	if res.URL != u {
		g.app.note("%s is at %s", u.Redacted(), res.URL.Redacted())
	}
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
func (g *getter) submit(ctx context.Context, form *scheme.Resource, r scheme.Request) (*scheme.Resource, error) {
	fields, answers := form.Form.Fields, g.answers
	if words, ok := g.access.Query.Get(); ok && form.Kind == scheme.KindQuery && len(answers) == 0 && len(fields) > 0 {
		answers = []scheme.Answer{{Name: fields[0].Name, Value: words}}
	}
	missing := missingFields(fields, answers)
	if len(answers) == 0 || len(missing) > 0 {
		asked, ok, err := g.app.askFields(ctx, form.Form, answers)
		if err != nil {
			return nil, err
		}
		if ok {
			defer closeFiles(asked)
			answers, missing = asked, nil
		}
	}
	if len(answers) == 0 || len(missing) > 0 {
		flag := "--field 'Name=value'"
		if form.Kind == scheme.KindQuery {
			flag = "--query WORDS"
		}
		return nil, &scheme.Error{Op: "access", URL: form.URL.Redacted(), Code: scheme.CodeUsage,
			Err: fmt.Errorf("it is a %s and wants %s: give %s", form.Kind, strings.Join(missing, ", "), flag)}
	}
	r.URL, r.From = form.URL, form.From()
	return g.c.Submit(ctx, r, scheme.SubmitOptions{Answers: answers, Form: form.Form, Accept: g.access.Accept, Raw: g.access.Raw})
}

// missingFields names the fields that have neither answer nor default.
func missingFields(fields []scheme.Field, answers []scheme.Answer) []string {
	var missing []string
	for _, f := range fields {
		if f.Kind != scheme.FieldNote && f.Default == "" && !answered(f, answers) {
			missing = append(missing, "\""+f.Name+"\"")
		}
	}
	return missing
}

// deliver puts a resource where it belongs.
func (g *getter) deliver(ctx context.Context, res *scheme.Resource, to place) error {
	switch res.Kind {
	case scheme.KindObject:
		if res.NotModified {
			return nil
		}
		return g.deliverTo(ctx, res, to, func(w io.Writer) (int64, error) { return io.Copy(w, res.Body) })
	case scheme.KindListing:
		return g.deliverTo(ctx, res, to, func(w io.Writer) (int64, error) {
			counted := &countWriter{w: w}
			err := g.app.printEntries(counted, res.Entries, false)
			return counted.n, err
		})
	case scheme.KindDraft:
		return g.deliverTo(ctx, res, to, func(w io.Writer) (int64, error) {
			n, err := io.WriteString(w, draftText(res.Draft))
			return int64(n), err
		})
	}
	return &scheme.Error{Op: "access", URL: res.URL.Redacted(), Code: scheme.CodeUnsupported,
		Err: fmt.Errorf("it is a %s, which get cannot show yet", res.Kind)}
}

// draftText is the message of a mailto URL, ready to be finished and sent.
func draftText(m *scheme.Draft) string {
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
