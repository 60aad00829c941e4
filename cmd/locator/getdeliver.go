package main

import (
	"bufio"
	"bytes"
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
	"locator/internal/console"
	"locator/internal/ctxio"
	"locator/internal/present"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/transfer"
	"locator/wire"
)

// place is where a result goes: into a file, to a device or pipe, or, if neither is set, to standard output.
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
		return g.writeTerminal(res)
	}
	g.event.Bytes, err = write(g.app.Out)
	return g.app.closedOutput(err)
}

// closedOutput ends the program by SIGPIPE, like a failed Write of package os, if err is that of standard output whose reader has
// closed it. A splice to standard output raises no signal. Elsewhere it returns err.
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

// sniffLen is how many bytes of a body decide whether it is text.
const sniffLen = 512

// writeTerminal writes text to the terminal with control characters escaped, and refuses binary data.
func (g *getter) writeTerminal(res *scheme.Resource) error {
	in := bufio.NewReaderSize(res.Body, 32<<10)
	head, err := in.Peek(sniffLen)
	if len(head) == 0 && err != nil && err != io.EOF {
		return err
	}
	if bytes.IndexByte(head, 0) >= 0 || res.Attr.Type != "" && !isTextType(res.Attr.Type) && !looksLikeText(head) {
		return scheme.Fail(scheme.CodeUsage, "%s is binary (%s); use -o FILE to save it, or --force to write it to the terminal",
			res.URL.Redacted(), res.Attr.Type)
	}
	n, err := io.Copy(g.app.Out, wire.Text(in))
	g.event.Bytes = n
	return err
}

func isTextType(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml")
}

// looksLikeText reports whether data has no control characters but white space.
func looksLikeText(data []byte) bool {
	for _, c := range data {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7F {
			return false
		}
	}
	return true
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
