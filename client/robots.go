package client

import (
	"context"
	"io"
	"strings"

	"locator"
	"locator/internal/robots"
	"locator/scheme"
)

// manners are what one server asks of robots.
type manners struct {
	rules robots.Rules
	none  bool // nothing may be read: the server could not say
}

// maxRobots bounds the file (RFC 9309 2.5 wants 500 KiB at least).
const maxRobots = 512 << 10

// allowed asks the robots.txt of the server of u, which is read once in a walk. ftp and file have none.
func (w *walk) allowed(ctx context.Context, u locator.URL, from *scheme.Hop) bool {
	if w.o.Robots == "" {
		return true
	}
	u = u.Canonical() // one spelling for the rules to meet
	var place, path string
	switch v := u.View().(type) {
	case *locator.HTTP:
		place = "robots.txt"
		p, _ := u.Path()
		path = "/" + p
		if s, ok := u.Search(); ok {
			path += "?" + s
		}
	case *locator.Gopher:
		place = "0robots.txt"
		path = "/" + strings.TrimPrefix(v.Selector.Or(""), "/")
	default:
		return true
	}
	key := hostPort(u)
	m, ok := w.robots[key]
	if !ok {
		m = w.readRobots(ctx, u, place, from)
		w.robots[key] = m
	}
	return !m.none && m.rules.Allowed(path)
}

// readRobots follows RFC 9309 2.3.1: a file that is not there allows all, one that cannot be had now forbids all.
func (w *walk) readRobots(ctx context.Context, u locator.URL, place string, from *scheme.Hop) manners {
	at := u.Scheme() + "://" + u.Host()
	if port := u.Port(); port != "" {
		at += ":" + port
	}
	file, err := w.c.opt.Syntax.Parse(at + "/" + place)
	if err != nil {
		return manners{none: true}
	}
	res, err := w.c.Access(ctx, scheme.Request{URL: file, From: from})
	if err != nil {
		switch CodeOf(err) {
		case scheme.CodeUnavailable, scheme.CodeBroken, scheme.CodeUnreachable, scheme.CodeInterrupted:
			return manners{none: true}
		}
		return manners{}
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		return manners{}
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxRobots))
	if err != nil {
		return manners{none: true}
	}
	return manners{rules: robots.For(w.o.Robots, string(text))}
}
