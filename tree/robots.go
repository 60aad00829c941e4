package tree

import (
	"context"
	"io"

	"locator"
	"locator/client"
	"locator/internal/robots"
	"locator/scheme"
)

// Robots obeys the robots.txt files of servers (RFC 9309). It reads each of them once. It is not
// safe for concurrent use.
type Robots struct {
	c     *client.Client
	agent string
	r     scheme.Request
	rules map[string]robotsRules
}

// NewRobots returns the rules for the robot with the product token agent; "" ignores robots.txt.
// The requests for robots.txt have the Principal, the Trace and the Limits of r.
func NewRobots(c *client.Client, agent string, r scheme.Request) *Robots {
	return &Robots{c: c, agent: agent, r: r, rules: make(map[string]robotsRules)}
}

// robotsRules are the robots.txt rules of one server.
type robotsRules struct {
	rules robots.Rules
	none  bool  // disallow everything: robots.txt could not be read
	err   error // why not
}

// maxRobots is the maximum size of a robots.txt (RFC 9309 2.5: at least 500 KiB).
const maxRobots = 512 << 10

// Allowed reports whether robots.txt allows u, to which the hop from leads. Schemes without
// robots.txt allow all. A missing file allows everything, an unreachable one disallows everything.
func (x *Robots) Allowed(ctx context.Context, u locator.URL, from *scheme.Hop) bool {
	if x.agent == "" {
		return true
	}
	s, _ := x.c.Registry().Lookup(u.Scheme())
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
	m, ok := x.rules[key]
	if !ok {
		m = x.read(ctx, file, from)
		x.rules[key] = m
	}
	return !m.none && m.rules.Allowed(path)
}

// Err returns why the robots.txt of the server of u could not be read, so that it disallows
// everything; nil if it was read, is missing, or was not asked for.
func (x *Robots) Err(u locator.URL) error { return x.rules[hostPort(u.Canonical())].err }

// read reads a robots.txt. A missing file allows everything, an unreachable one disallows
// everything (RFC 9309 2.3.1).
func (x *Robots) read(ctx context.Context, file locator.URL, from *scheme.Hop) robotsRules {
	res, err := x.c.Access(ctx, scheme.Request{URL: file, From: from, Principal: x.r.Principal, Trace: x.r.Trace, Limits: x.r.Limits}, nil)
	if err != nil {
		switch client.CodeOf(err) {
		case scheme.CodeUnavailable, scheme.CodeBroken, scheme.CodeUnreachable, scheme.CodeInterrupted:
			return robotsRules{none: true, err: err}
		}
		return robotsRules{}
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		return robotsRules{}
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxRobots))
	if err != nil {
		return robotsRules{none: true, err: err}
	}
	return robotsRules{rules: robots.For(x.agent, string(text))}
}
