package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"locator/download"
	"locator/internal/compose"
	"locator/internal/console"
	"locator/internal/ctxio"
	"locator/internal/present"
	"locator/internal/symlink"
	"locator/repair"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/form"
	"locator/scheme/message"
	"locator/transfer"
	"locator/wire"
)

// place is where a result goes: into a file, to a device or pipe, or, if neither is set, to
// standard output.
type place struct {
	file   *download.File
	device string
	shown  string // the name in messages
}

func (p place) close() {
	if p.file != nil {
		p.file.Close()
	}
}

// outputPlace returns the place that -o names. The caller must close it.
func outputPlace(name string) (place, error) {
	if name == "" || name == "-" {
		return place{}, nil
	}
	resolved, err := symlink.Resolve(name) // nothing is opened through a link that another user has planted
	if err != nil {
		return place{}, scheme.Fail(scheme.CodeLocal, "-o: %w", err)
	}
	if in, err := os.Stat(resolved); err == nil && in.IsDir() {
		return place{}, scheme.Fail(scheme.CodeUsage, "-o %s: is a folder; use --dir", name)
	} else if err == nil && !in.Mode().IsRegular() {
		return place{device: resolved, shown: name}, nil
	}
	f, err := download.OpenFile(name)
	if err != nil {
		dir := filepath.Dir(name)
		switch in, e := os.Stat(dir); {
		case errors.Is(e, fs.ErrNotExist):
			return place{}, scheme.Fail(scheme.CodeLocal, "-o %s: the folder %s does not exist", name, dir)
		case e == nil && !in.IsDir():
			return place{}, scheme.Fail(scheme.CodeLocal, "-o %s: %s is a file, not a folder", name, dir)
		}
		return place{}, scheme.Fail(scheme.CodeLocal, "-o: %w", err)
	}
	return place{file: &f, shown: name}, nil
}

// deliver writes a resource to a place and closes it. A query or form is filled in and sent first.
func (g *getter) deliver(ctx context.Context, r scheme.Request, res *scheme.Resource, to place) error {
	defer func() { res.Close() }()
	if res.Kind == scheme.KindQuery || res.Kind == scheme.KindForm {
		reply, err := g.submit(ctx, r, res)
		if err != nil {
			return err
		}
		res.Close()
		res = reply
	}
	g.describe(r.URL, res)
	return g.write(ctx, res, to)
}

// write writes what a resource holds to a place.
func (g *getter) write(ctx context.Context, res *scheme.Resource, to place) error {
	switch res.Kind {
	case scheme.KindObject:
		if res.NotModified {
			return nil
		}
		if g.opt.Rate != nil {
			res.Body = struct {
				io.Reader
				io.Closer
			}{transfer.Limit(ctx, res.Body, g.opt.Rate), res.Body}
		}
		body := io.Reader(res.Body)
		if bar := g.show.File(res.URL.Redacted()); g.show.HasBars() && !console.IsTerminal(g.app.Out) {
			bar.Begin(res.Attr.Size.Or(-1), res.Range.Offset)
			defer bar.Drop()
			body = bar.Reader(body)
		}
		return g.writeTo(ctx, res, to, func(w io.Writer) (int64, error) { return io.Copy(w, body) })
	case scheme.KindListing:
		return g.writeTo(ctx, res, to, func(w io.Writer) (int64, error) {
			counted := &countWriter{w: w}
			form := present.Columns() // of a file or device
			if to == (place{}) {
				form = g.app.entryForm(g.app.Out, res.URL, false)
			}
			err := g.app.printEntries(counted, res.Entries, form)
			return counted.n, err
		})
	case scheme.KindSession:
		return g.session(ctx, res, to)
	case scheme.KindDraft:
		return g.draft(ctx, res, to)
	}
	return &scheme.Error{Op: scheme.OpAccess, URL: res.URL.Redacted(), Code: scheme.CodeUnsupported,
		Err: fmt.Errorf("get cannot show a %s yet", res.Kind)}
}

// writeTo calls write with the writer for a place.
func (g *getter) writeTo(ctx context.Context, res *scheme.Resource, to place, write func(io.Writer) (int64, error)) (err error) {
	switch {
	case to.file != nil:
		if g.event.Bytes, err = download.Write(*to.file, g.opt.Mode, write); err == nil {
			g.event.File = present.OrNull(to.shown)
		}
		return localError(err)
	case to.device != "":
		return g.writeDevice(ctx, to, write)
	case console.IsTerminal(g.app.Out) && !g.o.force && res.Kind == scheme.KindObject:
		n, binary, err := console.WriteText(g.app.Out, res.Body, res.Attr.Type)
		if g.event.Bytes = n; binary {
			return scheme.Fail(scheme.CodeUsage, "%s is binary (%s); use -o FILE to save it, or --force to write it to the terminal", res.URL.Redacted(), res.Attr.Type)
		}
		return err
	}
	g.event.Bytes, err = write(g.app.Out)
	return g.app.closedOutput(err)
}

// closedOutput ends the program by SIGPIPE, like a failed Write of package os, if err is that of
// standard output whose reader has closed it. A splice to standard output raises no signal.
// Elsewhere it returns err.
func (a *app) closedOutput(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok && p.Op == "write" && errors.Is(err, syscall.EPIPE) {
		if _, again := a.Out.Write([]byte{'\n'}); again != nil { // nobody can read it
			return again
		}
	}
	return err
}

// writeDevice writes to a device or pipe. It is not replaced by a file.
func (g *getter) writeDevice(ctx context.Context, to place, write func(io.Writer) (int64, error)) error {
	h, err := ctxio.OpenFile(ctx, to.device, os.O_WRONLY)
	if err != nil && ctx.Err() == nil {
		return scheme.Fail(scheme.CodeLocal, "-o: %w", err)
	} else if err != nil {
		return err
	}
	unbind := scheme.Bind(ctx, h) // the reader of a pipe may have stopped reading
	defer unbind()
	g.event.File = present.OrNull(to.shown)
	g.event.Bytes, err = write(h)
	if e := h.Close(); err == nil {
		err = e
	}
	if err != nil && ctx.Err() != nil { // the end of the context closed h
		return ctx.Err()
	}
	return localError(err)
}

// localError gives an error of the file system the code CodeLocal.
func localError(err error) error {
	var p *fs.PathError
	var e *scheme.Error
	if errors.As(err, &p) && !errors.As(err, &e) {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	return err
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

// submit fills in a query or form and sends it. If answers are missing, it asks for them at the
// terminal, or returns an error that names them.
func (g *getter) submit(ctx context.Context, r scheme.Request, page *scheme.Resource) (*scheme.Resource, error) {
	fields, answers := page.Form.Fields, g.answers
	if words, ok := g.opt.Access.Query.Get(); ok && page.Kind == scheme.KindQuery && len(answers) == 0 && len(fields) > 0 {
		answers = []form.Answer{{Name: fields[0].Name, Value: words}}
	}
	missing := console.Missing(fields, answers)
	if (len(answers) == 0 || len(missing) > 0) && console.IsTerminal(g.app.In) {
		asked, ok, err := g.app.Messages.AskFields(ctx, page.Form.Fields, answers)
		if err != nil {
			return nil, err
		}
		if ok {
			defer console.CloseFiles(asked)
			answers, missing = asked, nil
		}
	}
	if len(answers) == 0 || len(missing) > 0 {
		flag := "--field 'Name=value'"
		if page.Kind == scheme.KindQuery {
			flag = "--query WORDS"
		}
		err := fmt.Errorf("this is a %s that needs %s; use %s", page.Kind, strings.Join(missing, ", "), flag)
		if hint := repair.Hint(page.URL); hint != "" {
			err = fmt.Errorf("%w; %s", err, hint)
		}
		return nil, &scheme.Error{Op: scheme.OpAccess, URL: page.URL.Redacted(), Code: scheme.CodeUsage, Err: err}
	}
	r.URL, r.From = page.URL, page.From()
	return g.c.Submit(ctx, r, scheme.SubmitOptions{Answers: answers, Form: page.Form, Accept: g.opt.Access.Accept, Raw: g.opt.Access.Raw})
}

// noteBcc says which blind copies a draft has lost.
func (a *app) noteBcc(shown string, leftOut []string) {
	if len(leftOut) > 0 {
		a.Note("%s: the URL asks for a blind copy to %s, which is left out; to keep it, use --allow-bcc", shown, strings.Join(leftOut, ", "))
	}
}

// draft writes a draft to a place, or hands it to the mail program of the desktop.
func (g *getter) draft(ctx context.Context, res *scheme.Resource, to place) error {
	d := *res.Draft
	g.app.noteBcc(res.URL.Redacted(), compose.Bcc(&d, g.o.allowBcc))
	if g.o.open {
		return g.openDraft(ctx, res, &d)
	}
	return g.writeTo(ctx, res, to, func(w io.Writer) (int64, error) {
		text := io.Reader(strings.NewReader(compose.Text(&d)))
		if to == (place{}) && console.IsTerminal(g.app.Out) {
			text = wire.Text(text)
		}
		return io.Copy(w, text)
	})
}

// openDraft hands a draft to the mail program of the desktop. The URL is made of the fields that
// the draft has kept.
func (g *getter) openDraft(ctx context.Context, res *scheme.Resource, d *message.Draft) error {
	s, _ := g.c.Registry().Lookup(res.URL.Scheme())
	link, ok := s.(bulk.Linker)
	if !ok {
		return scheme.Fail(scheme.CodeUnsupported, "a draft of the scheme %s has no URL for a mail program", res.URL.Scheme())
	}
	u, err := link.Link(d)
	if err != nil {
		return err
	}
	if err := compose.Open(ctx, u); err != nil {
		return err
	}
	g.app.Info("%s: handed to the mail program of the desktop", res.URL.Redacted())
	return nil
}
