package client

import (
	"context"
	"io"

	"locator"
	"locator/internal/robots"
	"locator/scheme"
)

// robotsRules are the robots.txt rules of one server.
type robotsRules struct {
	rules robots.Rules
	none  bool // disallow everything: robots.txt could not be read
}

// maxRobots is the maximum size of a robots.txt (RFC 9309 2.5: at least 500 KiB).
const maxRobots = 512 << 10

// allowed reports whether robots.txt allows u. It is read once per server and walk. Schemes without robots.txt allow all.
func (w *walk) allowed(ctx context.Context, u locator.URL, from *scheme.Hop) bool {
	if w.o.Robots == "" {
		return true
	}
	s, _ := w.c.opt.Registry.Lookup(u.Scheme())
	asks, ok := s.(scheme.RobotsChecker)
	if !ok {
		return true
	}
	u = u.Canonical() // rules are matched against one spelling
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

// readRobots reads a robots.txt. A missing file allows everything, an unreachable one disallows everything (RFC 9309 2.3.1).
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
