package client

import (
	"context"
	"io"
	"strings"

	"github.com/temoto/robotstxt"

	"locator"
	"locator/scheme"
)

// robots is what one server asks of robots (RFC 9309).
type robots struct {
	group *robotstxt.Group // nil allows all
	none  bool             // nothing may be read: the server could not say
}

// maxRobots bounds the file (RFC 9309 2.5 wants 500 KiB at least).
const maxRobots = 512 << 10

// allowed asks the robots.txt of the server of u, which is read once in a walk. ftp and file have none.
func (w *walk) allowed(ctx context.Context, u locator.URL) bool {
	if w.o.Robots == "" {
		return true
	}
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
	r, ok := w.robots[key]
	if !ok {
		r = w.readRobots(ctx, u, place)
		w.robots[key] = r
	}
	return !r.none && (r.group == nil || r.group.Test(path))
}

// readRobots follows RFC 9309 2.3.1: a file that is not there allows all, one that cannot be had now forbids all.
func (w *walk) readRobots(ctx context.Context, u locator.URL, place string) *robots {
	at := u.Scheme() + "://" + u.Host()
	if port := u.Port(); port != "" {
		at += ":" + port
	}
	file, err := w.c.opt.Syntax.Parse(at + "/" + place)
	if err != nil {
		return &robots{none: true}
	}
	res, err := w.c.Access(ctx, scheme.Request{URL: file, From: w.root.From})
	if err != nil {
		code := CodeOf(err)
		return &robots{none: code == scheme.Unavailable || code == scheme.Broken || code == scheme.Unreachable}
	}
	defer res.Close()
	if res.Kind != scheme.Object {
		return &robots{}
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxRobots))
	if err != nil {
		return &robots{none: true}
	}
	data, err := robotstxt.FromBytes(text)
	if err != nil { // what cannot be read forbids nothing
		return &robots{}
	}
	return &robots{group: data.FindGroup(w.o.Robots)}
}
