package check

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/client"
	"locator/internal/clock"
	"locator/internal/localsite"
	"locator/scheme"
	"locator/tree"
	"locator/wire"
)

// A Checker checks URLs with a client. Only Client is required. It is safe for concurrent use.
type Checker struct {
	Client  *client.Client
	Parse   func(string) (locator.URL, error) // nil means that of today's RFCs
	Confirm Confirm                           // zero means DefaultConfirm
	Mail    bool                              // ask for the mail exchangers of mail addresses
	// Fragments reports fragments that a page does not have. A page is read once a minute for all of
	// its fragments.
	Fragments bool
	// Content reads each resource, up to MaxContent, to see whether it is still the same, and
	// whether its host answers in the same way for names that do not exist.
	Content bool
	// Manners returns the limits for a host; nil means the defaults. For a machine that has several
	// hosts, or is asked for several runs, each request keeps those of its own.
	Manners func(host string) Manners
	// RetryAfter is how long a URL that failed waits at least for its second attempt; 0 means
	// DefaultRetryAfter. Negative means that there is no second attempt.
	RetryAfter time.Duration
	// Schemes are those that are checked, in lower case; nil means all. Excluded reports whether a
	// URL is skipped by a rule of the user. Both are asked before a URL is parsed. Excluded may be
	// nil.
	Schemes  []string
	Excluded func(text string) bool
	// Folders are those whose files are checked; other files are skipped. Nil means all files.
	Folders []string
	Scope   Scope        // of tasks with a Depth
	Agent   string       // the product token that robots.txt is read for; empty ignores robots.txt
	Clock   scheme.Clock // nil is that of the system, of which times within a process are not set back; another one must not be either

	skips   func(host string) bool // by a rule of the user; nil skips none
	answers recent[*answer]        // of hosts, for names that cannot exist
	pages   recent[*page]          // with fragments
	paces   recent[*machine]       // of hosts, for Pause
	ways    recent[string]         // by page and depth, the URL with a fragment that is followed for all
}

// attempt is what came of one try of a task.
type attempt struct {
	result  *Result
	err     error         // nil if the resource is there
	wait    time.Duration // how long the server asks to leave its host alone; 0 if it does not
	limited bool          // the server asks for fewer requests
	busy    bool          // the server cannot now
	noHost  bool          // nothing answers for the host
	unread  bool          // its host answers, but its robots.txt could not be read
	found   []Link        // in it, without those that an adder added
	addr    string        // the address of the server without its port; empty if unknown
}

func (c *Checker) retryAfter() time.Duration { return cmp.Or(c.RetryAfter, DefaultRetryAfter) }

func (c *Checker) now() time.Time { return c.clock().Now() }

func (c *Checker) clock() scheme.Clock {
	if c.Clock == nil {
		return clock.System{}
	}
	return c.Clock
}

func (c *Checker) parse(text string) (locator.URL, error) {
	if c.Parse != nil {
		return c.Parse(text)
	}
	return locator.Current.Parse(text)
}

// Check checks a URL once.
func (c *Checker) Check(ctx context.Context, t Task) *Result {
	a := c.attempt(ctx, t, &machine{rules: c.newRules()}, nil)
	c.finish(a.result, t)
	return a.result
}

// rules are the robots.txt rules of a machine. They are safe for concurrent use.
type rules struct {
	mu     sync.Mutex
	new    func() *tree.Robots
	robots *tree.Robots
}

func (c *Checker) newRules() *rules {
	return &rules{new: func() *tree.Robots { return tree.NewRobots(c.Client, c.Agent, scheme.Request{}) }}
}

// allowed reports whether robots.txt allows u. The error is that of reading robots.txt, which is
// read again the next time.
func (x *rules) allowed(ctx context.Context, c *Checker, u locator.URL) (bool, error) {
	if c.Agent == "" {
		return true, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.robots == nil {
		x.robots = x.new()
	}
	ok := x.robots.Allowed(ctx, u, nil)
	err := x.robots.Err(u)
	if err != nil {
		x.robots = nil
	}
	return ok, err
}

// finish completes a result that decides a task.
func (c *Checker) finish(r *Result, t Task) {
	r.Attempts = max(r.Attempts, t.Attempts+1)
	r.At = c.now()
	cmp.Or(c.Confirm, DefaultConfirm).remember(r, t.Before)
}

// blank returns a result that says nothing yet.
func (c *Checker) blank(t Task) *Result {
	r := &Result{URL: locator.Redact(t.URL), Bytes: -1}
	if u, err := c.parse(t.URL); err == nil {
		r.URL, r.Scheme = u.Redacted(), u.Scheme()
	}
	return r
}

// adder adds some of the links of a page, and reports whether it did.
type adder func(ctx context.Context, links []Link) bool

// attempt tries a task, whose host is on a machine. The adder may be nil.
func (c *Checker) attempt(ctx context.Context, t Task, m *machine, add adder) *attempt {
	res := &Result{URL: locator.Redact(t.URL), Bytes: -1}
	a := &attempt{result: res}
	u, err := c.parse(t.URL)
	if err != nil {
		res.Verdict, res.Why, res.Note = Broken, WhyMalformed, locator.Redact(err.Error())
		return a
	}
	res.URL, res.Scheme = u.Redacted(), u.Scheme()
	if c.outside(u) {
		res.Verdict, res.Why, res.Note = Skipped, WhyExcluded, noteOutside
		return a
	}
	switch ok, err := m.rules.allowed(ctx, c, u); {
	case err != nil:
		c.fail(a, err)
		a.unread = !a.noHost
		return a
	case !ok:
		res.Verdict, res.Why = Skipped, WhyRobots
		return a
	}
	start := c.now()
	p := c.page(ctx, t, u)
	res.MS = c.now().Sub(start).Milliseconds()
	c.judgePage(ctx, m, t, u, p, a, add)
	return a
}

// judgePage judges a resource, whose host is on a machine.
func (c *Checker) judgePage(ctx context.Context, m *machine, t Task, u locator.URL, p *page, a *attempt, add adder) {
	if p.err != nil {
		c.fail(a, p.err)
		return
	}
	res, found := a.result, p.found
	res.Status = found.Status
	res.describe(u, found)
	a.addr = addrOf(u, found)
	res.Verdict = OK
	if res.To != "" {
		res.Verdict = Moved
	}
	if p.read {
		c.judge(ctx, m, u, p, t, res)
	}
	a.found = c.links(ctx, m, t, u, p, add)
}

const noteOutside = "the file is not in a folder that is checked here"

// outside reports whether u is the URL of a file that is not checked.
func (c *Checker) outside(u locator.URL) bool {
	return c.Folders != nil && localsite.Outside(u, c.Folders...)
}

// access asks for the resource; with its body if that is to be read. A server that does not send it
// may still say that it is there.
func (c *Checker) access(ctx context.Context, u locator.URL, body bool) (*scheme.Resource, error) {
	r, o := c.request(u), &scheme.CheckOptions{Verify: c.Mail, Body: body}
	found, err := c.Client.Check(ctx, r, o)
	if verdict, _ := judge(err); o.Body && err != nil && verdict == Unsure && ctx.Err() == nil {
		o.Body = false
		found, err = c.Client.Check(ctx, r, o)
	}
	return found, err
}

// request returns the request for a URL, which follows no redirect to a host that a rule skips.
func (c *Checker) request(u locator.URL) scheme.Request {
	return scheme.Request{URL: u, Follow: func(to locator.URL) error {
		if c.skips != nil && c.skips(strings.ToLower(to.ASCIIHost())) {
			return scheme.Fail(scheme.CodeRefused, "it leads to %s, which a rule skips", to.ASCIIHost())
		}
		return nil
	}}
}

// fail records an attempt that failed.
func (c *Checker) fail(a *attempt, err error) {
	res := a.result
	a.err = err
	res.Verdict, res.Why = judge(err)
	res.Status = statusOf(err)
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok {
		res.Note = wire.Escape(err.Error())
		return
	}
	res.Reply = e.Reply
	if e.Err != nil {
		res.Note = e.Err.Error()
	}
	a.wait, a.limited, a.busy = e.RetryAfter, e.Code == scheme.CodeLimited, e.Code == scheme.CodeUnavailable
	a.noHost = e.Code == scheme.CodeUnreachable
	if e.Partial == nil {
		return
	}
	if u, err := c.parse(res.URL); err == nil {
		res.describe(u, e.Partial)
	}
	res.To = ""
	a.noHost = a.noHost && len(e.Partial.Via) == 0 // else it is another host
	if len(e.Partial.Via) == 0 {
		a.addr = addrOf(e.Partial.URL, e.Partial)
	}
}

// addrOf returns the address of the host of u; empty if it is unknown, as when redirects led to
// another host.
func addrOf(u locator.URL, found *scheme.Resource) string {
	if !found.Addr.IsValid() || len(found.Via) > 0 && found.URL.Canonical().Host() != u.Canonical().Host() {
		return ""
	}
	return found.Addr.Addr().String()
}

// describe records what is known of a resource.
func (r *Result) describe(u locator.URL, found *scheme.Resource) {
	attr := &found.Attr
	if n, ok := attr.Size.Get(); ok {
		r.Bytes = n
	}
	r.Modified, r.ETag, r.Type = attr.Modified, wire.Escape(attr.ETag), wire.Escape(attr.Type)
	if found.Addr.IsValid() {
		r.Addr = found.Addr.String()
	}
	if len(found.Via) == 0 {
		return
	}
	permanent := true
	for i, h := range found.Via {
		to := found.URL
		if i+1 < len(found.Via) {
			to = found.Via[i+1].From
		}
		r.Hops = append(r.Hops, to.Redacted())
		if permanent = permanent && h.Permanent; permanent {
			r.To = to.Redacted()
		}
	}
	r.Final = found.URL.Redacted()
}

func fragmentOf(u locator.URL) string {
	f, _ := u.Fragment()
	return f
}
