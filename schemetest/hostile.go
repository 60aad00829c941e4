package schemetest

import (
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// delimiters end or split a command line in every protocol of lines (RFC 1738 6).
const delimiters = "\r\n\x00"

// checkHostile accesses hostile URLs. The policy must refuse each of them. Without a policy, the
// delimiters in them must still not reach the server.
//
// Covers: P1, P2
func checkHostile(s *stage) {
	if len(s.h.Hostile) == 0 {
		s.Fatalf("Harness.Hostile names no URL, so nothing is shown")
	}
	for _, text := range s.h.Hostile {
		u, err := s.client().Parse(strings.ReplaceAll(text, "HOST", s.host()))
		if err != nil {
			s.Errorf("%q is no URL, so it shows nothing: %v", text, err)
			continue
		}
		s.refusedByPolicy(u)
		if strings.ContainsAny(locator.Decode(u.Text()), delimiters) {
			s.refusedByWire(u)
		}
	}
}

// host returns the server's host and port as in a URL.
func (s *stage) host() string {
	for _, u := range []locator.URL{s.url("text.txt"), s.url("big.bin")} {
		if u.IsZero() || !u.HasHost() {
			continue
		}
		if u.Port() != "" {
			return u.Host() + ":" + u.Port()
		}
		return u.Host()
	}
	return "localhost"
}

// refusedByPolicy checks that the standard policy refuses u in every operation, without a
// connection.
func (s *stage) refusedByPolicy(u locator.URL) {
	s.Helper()
	c := s.client(func(o *client.Options) { o.Policy = nil })
	for _, op := range operations(s, c, scheme.Request{URL: u}) {
		if !op.able(s.h.Scheme) {
			continue
		}
		s.waitConnections(s.network.connections())
		connections, lines := s.server.Connections(), len(s.server.Lines())
		var err error
		s.within(s.times.patience, op.name, func() { err = op.do() })
		s.code(op.name+" of "+u.Redacted(), err, scheme.CodeRefused)
		if made := s.server.Connections() - connections; made > 0 {
			s.Errorf("%s of %s made %d connections", op.name, u.Redacted(), made)
		}
		if got := s.server.Lines(); len(got) > lines {
			s.Errorf("%s of %s sent %q", op.name, u.Redacted(), got[lines:])
		}
	}
}

// refusedByWire checks that without a policy no line sent contains a delimiter or begins with the
// text after one, and that the URL is not truncated and then accessed.
func (s *stage) refusedByWire(u locator.URL) {
	s.Helper()
	parts := strings.FieldsFunc(locator.Decode(u.Text()), func(r rune) bool { return strings.ContainsRune(delimiters, r) })
	if e, ok := s.h.Scheme.(scheme.Explainer); ok {
		_, err := e.Steps(u)
		s.journal.note(err)
		if client.CodeOf(err) != scheme.CodeRefused {
			s.Errorf("steps of %s: code %v, want %v, as access returns: %v", u.Redacted(), client.CodeOf(err), scheme.CodeRefused, err)
		}
	}
	c := s.client()
	for _, op := range operations(s, c, scheme.Request{URL: u}) {
		if !op.able(s.h.Scheme) {
			continue
		}
		lines := len(s.server.Lines())
		var err error
		s.within(s.times.patience, op.name, func() { err = op.do() })
		s.journal.note(err)
		if err == nil {
			s.Errorf("%s of %s, without policy, succeeds: something else than asked for", op.name, u.Redacted())
		}
		for _, line := range s.server.Lines()[lines:] {
			if strings.ContainsAny(line, delimiters) {
				s.Errorf("%s of %s, without policy, sent the line %q", op.name, u.Redacted(), line)
			}
			for _, part := range parts[min(1, len(parts)):] {
				if strings.HasPrefix(line, part) {
					s.Errorf("%s of %s, without policy, sent a line of its own: %q", op.name, u.Redacted(), line)
				}
			}
		}
	}
}
