package main

import (
	"context"
	"errors"
	"io"

	"locator/internal/console"
	"locator/internal/screen"
	"locator/scheme"
	"locator/scheme/session"
)

// terminal describes the terminal of standard output to a server. Without one it is "dumb", so that
// scripts get text.
func (a *app) terminal() session.Terminal {
	t := session.Terminal{Type: "dumb"}
	if console.IsTerminal(a.Out) {
		t.Type = a.Getenv("TERM")
		t.Width, t.Height = console.WindowSize(a.Out)
	}
	return t
}

// session connects a session with the terminal. If standard input or output is none, it copies one
// to the server and the server's output to the other.
func (g *getter) session(ctx context.Context, res *scheme.Resource, to place) (err error) {
	if g.o.remoteName || g.o.dir != "" {
		return &scheme.Error{Op: scheme.OpAccess, URL: res.URL.Redacted(), Code: scheme.CodeUsage, Err: errors.New("a session has no file name; use -o to save its output")}
	}
	escape, ok := console.ParseEscape(g.o.escape)
	if !ok {
		return scheme.Fail(scheme.CodeUsage, "--escape %q: must be a character, a control character such as ^], or none", g.o.escape)
	}
	g.app.advise(res)
	if g.interactive(to) {
		s := &console.Session{Resource: res, Escape: escape, Filter: g.filter(), Out: g.app.Out, Messages: g.app.Messages,
			Say: func(text string) { g.app.Note("%s: %s", res.URL.Redacted(), text) }}
		g.event.Bytes, err = s.Run(ctx)
		if errors.Is(err, console.ErrHangup) {
			g.app.Status.Add(scheme.CodeInterrupted)
		}
		return err
	}
	return g.writeTo(ctx, res, to, func(w io.Writer) (int64, error) { return g.pipe(ctx, res.Session, w) })
}

// interactive reports whether a session is connected with the terminal.
func (g *getter) interactive(to place) bool {
	return to == (place{}) && !g.listed() && console.IsTerminal(g.app.In) && console.IsTerminal(g.app.Out)
}

// listed reports whether the URL was read from standard input, which is then no input of a session.
func (g *getter) listed() bool { return g.at.Line > 0 && g.at.File == "" }

// advise prints what the URL of a session suggests. The password is shown on a terminal only.
func (a *app) advise(res *scheme.Resource) {
	for _, text := range res.Session.Advice() {
		a.Note("%s: %s", res.URL.Redacted(), text)
	}
	if password, ok := res.Session.Secret(); ok && console.IsTerminal(a.Err) {
		a.Note("%s: the URL suggests the password %s", res.URL.Redacted(), password)
	}
}

// filter returns a new filter for the output of a session, nil with --raw.
func (g *getter) filter() *screen.Filter {
	if g.o.raw {
		return nil
	}
	return &screen.Filter{ASCII: !console.UTF8(g.app.Getenv)}
}

// pipe copies standard input to a session, and its output to w until the server ends it.
func (g *getter) pipe(ctx context.Context, x session.Session, w io.Writer) (int64, error) {
	var filter *screen.Filter
	if w == g.app.Out && console.IsTerminal(w) {
		filter = g.filter()
	}
	var in io.Reader
	if !g.listed() {
		g.app.sayTyping("the input of the session")
		in = g.app.In
	}
	return console.Pipe(ctx, x, in, w, filter)
}
