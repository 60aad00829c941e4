package schemetest

import (
	"locator/client"
	"locator/scheme"
)

// checkPolicy compares the connections that the server accepted with the calls of the policy. The
// client uses its own dialer here.
//
// Covers: P5
func checkPolicy(s *stage) {
	for _, op := range s.readers() {
		g := &guard{}
		c := s.client(func(o *client.Options) { o.Policy, o.Dial = g, nil })
		before := s.server.Connections()
		s.within(s.times.patience, op.name, func() {
			if err := op.do(c); err != nil {
				s.Errorf("%v", err)
			}
		})
		urls, addrs := g.questions()
		if len(urls) == 0 {
			s.Errorf("%s: the policy was not called for the URL", op.name)
		}
		s.waitConnections(before + len(addrs))
		made := s.server.Connections() - before
		if made != len(addrs) {
			s.Errorf("%s: the server has %d connections, but policy was asked about %d", op.name, made, len(addrs))
		}
		switch {
		case s.h.Local && made > 0:
			s.Errorf("%s: Harness.Local says that nothing is connected to, but there are %d connections", op.name, made)
		case !s.h.Local && made == 0:
			s.Errorf("%s: the server saw no connection; if the scheme needs none, set Harness.Local", op.name)
		}
		s.checkDials(op.name, addrs)
		if s.h.Local {
			continue
		}
		// The policy checks a pooled connection again.
		s.within(s.times.patience, op.name, func() {
			if err := op.do(c); err != nil {
				s.Errorf("again: %v", err)
			}
		})
		if _, again := g.questions(); len(again) == len(addrs) {
			s.Errorf("%s: the second time policy was not asked about the address", op.name)
		}
	}
}

// checkDials checks that the arguments of the policy are complete.
func (s *stage) checkDials(op string, addrs []asked) {
	s.Helper()
	for _, a := range addrs {
		if a.urls == 0 {
			s.Errorf("%s: the policy was called for %v before it was asked about the URL", op, a.addr)
		}
		if a.dial.Scheme == "" || a.dial.Addr == "" || a.dial.Network == "" {
			s.Errorf("%s: the policy was called for %v with %+v, which lacks something", op, a.addr, a.dial)
		}
		if a.dial.Purpose == scheme.ForData && a.dial.Peer.Addr() != a.addr.Addr() {
			s.Errorf("%s: a data connection goes to %v, but the control connection to %v", op, a.addr, a.dial.Peer)
		}
	}
}

// reader is a read operation.
type reader struct {
	name string
	do   func(*client.Client) error
}

// readers returns the read operations.
func (s *stage) readers() []reader {
	u := s.url("text.txt")
	list := []reader{{"access", func(c *client.Client) error { return s.takeNow(s.ctx, c, scheme.Request{URL: u}, nil).err }}}
	if lists(s.h) {
		folder := s.server.URL("etc", "")
		if folder.IsZero() {
			folder = s.server.URL("names", "")
		}
		list = append(list, reader{"list", func(c *client.Client) error {
			_, err := s.collect(client.Entries(c.List(s.ctx, scheme.Request{URL: folder}, nil)), nil)
			return err
		}})
	}
	if finds(s.h) {
		list = append(list, reader{"attributes", func(c *client.Client) error {
			_, err := c.Attributes(s.ctx, scheme.Request{URL: u}, nil)
			if client.CodeOf(err) == scheme.CodeUnsupported {
				err = nil
			}
			return err
		}})
	}
	return list
}

// checkPolicyRefuses runs operations with a policy that allows no address, then one, and so on
// until they succeed.
//
// Covers: P5
func checkPolicyRefuses(s *stage) {
	const most = 10 // connections that an operation may need
	for _, op := range s.readers() {
		for allowed := 0; ; allowed++ {
			if allowed == most {
				s.Fatalf("%s: still refused when the policy allows %d connections", op.name, most)
			}
			g := &guard{limited: true, addrsLeft: allowed}
			c := s.client(func(o *client.Options) { o.Policy, o.Dial = g, nil })
			before := s.server.Connections()
			var err error
			s.within(s.times.patience, op.name, func() { err = op.do(c) })
			_, addrs := g.questions()
			s.waitConnections(before + min(allowed, len(addrs)))
			if err == nil && allowed > 0 {
				break
			}
			s.code(op.name+" past a policy that refuses", err, scheme.CodeRefused)
			if made := s.server.Connections() - before; made > allowed {
				s.Errorf("%s: policy allowed %d connections, the server has %d", op.name, allowed, made)
			}
		}
	}
}

// checkPolicyURL runs every operation with a policy that refuses the URL.
//
// Covers: P1
func checkPolicyURL(s *stage) {
	r := scheme.Request{URL: s.url("text.txt")}
	g := &guard{noURL: true}
	c := s.client(func(o *client.Options) { o.Policy, o.Dial = g, nil })
	before := s.server.Connections()
	for _, op := range operations(s, c, r) {
		if !op.able(s.h.Scheme) {
			continue
		}
		var err error
		s.within(s.times.patience, op.name, func() { err = op.do() })
		s.code(op.name, err, scheme.CodeRefused)
	}
	if _, addrs := g.questions(); len(addrs) > 0 {
		s.Errorf("the policy refused the URL, but was called for the address %v", addrs[0].addr)
	}
	if made := s.server.Connections() - before; made > 0 {
		s.Errorf("the policy refused the URL, but the server has %d connections", made)
	}
}
