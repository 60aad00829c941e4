package client

import (
	"context"
	"io"

	"locator"
	"locator/internal/robots"
	"locator/scheme"
)

// robotsRules are what one server asks of robots.
type robotsRules struct {
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
	s, _ := w.c.opt.Registry.Lookup(u.Scheme())
	asks, ok := s.(scheme.RobotsChecker)
	if !ok {
		return true
	}
	u = u.Canonical() // one spelling for the rules to meet
	file, path, err := asks.Robots(u)
	if err != nil {
		return false
	}
	key := hostPort(u)
	m, ok := w.robots[key]
	if !ok {
		m = w.readRobots(ctx, file, from)
		w.robots[key] = m
	}
	return !m.none && m.rules.Allowed(path)
}

// readRobots follows RFC 9309 2.3.1: a file that is not there allows all, one that cannot be had now forbids all.
func (w *walk) readRobots(ctx context.Context, file locator.URL, from *scheme.Hop) robotsRules {
	res, err := w.c.Access(ctx, scheme.Request{URL: file, From: from, Principal: w.root.Principal, Trace: w.root.Trace, Limits: w.root.Limits}, nil)
	if err != nil {
		switch CodeOf(err) {
		case scheme.CodeUnavailable, scheme.CodeBroken, scheme.CodeUnreachable, scheme.CodeInterrupted:
			return robotsRules{none: true}
		}
		return robotsRules{}
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		return robotsRules{}
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxRobots))
	if err != nil {
		return robotsRules{none: true}
	}
	return robotsRules{rules: robots.For(w.o.Robots, string(text))}
}
