package schemetest

import (
	"errors"
	"io"
	"slices"
	"strings"

	"locator/client"
	"locator/scheme"
)

// checkTorn reads bodies that end too early, with WriteTo and with Read.
//
// Covers: P6
func checkTorn(s *stage) {
	s.server.Misbehave(Torn)
	c := s.client()
	u := s.url("big.bin")
	t := s.take(s.ctx, c, scheme.Request{URL: u})
	s.isTorn(t.err, t.body)
	s.within(s.times.patience, "a torn body, by Read alone", func() {
		res, err := c.Access(s.ctx, scheme.Request{URL: u}, nil)
		if err != nil {
			s.isTorn(err, nil)
			return
		}
		defer res.Close()
		if res.Kind != scheme.KindObject {
			return
		}
		b, err := io.ReadAll(struct{ io.Reader }{res.Body})
		s.isTorn(err, b)
	})
}

func (s *stage) isTorn(err error, body []byte) {
	s.Helper()
	if err == nil {
		s.Errorf("a body that ended too early, after %d bytes, is not an error", len(body))
		return
	}
	s.code("a torn body", err, scheme.CodeBroken)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		s.Errorf("a torn body: errors.Is(err, io.ErrUnexpectedEOF) is false: %v", err)
	}
	if _, content := s.file("big.bin"); !strings.HasPrefix(content, string(body)) {
		s.Errorf("a torn body is not the beginning of the file: %.60q", body)
	}
}

// Covers: P6
func checkNonsense(s *stage) {
	s.server.Misbehave(Nonsense)
	s.fails("a server that sends nonsense", scheme.CodeProtocol, scheme.CodeBroken, scheme.CodeUnsupported)
}

// Covers: P6
func checkWrongCode(s *stage) {
	s.server.Misbehave(WrongCode)
	s.fails("a server whose reply makes no sense", scheme.CodeProtocol, scheme.CodeBroken, scheme.CodeUnsupported, scheme.CodeUnavailable,
		scheme.CodeNotFound, scheme.CodeLoginNeeded)
}

func checkUnavailable(s *stage) {
	s.server.Misbehave(Unavailable)
	s.fails("a server that is unavailable", scheme.CodeUnavailable)
}

// fails reads a file and a folder from a server with a fault. At least one must fail (a protocol
// may have no replies for the other), with one of the codes.
func (s *stage) fails(what string, want ...scheme.Code) {
	s.Helper()
	failed := false
	see := func(op string, err error) {
		if err == nil {
			return
		}
		failed = true
		s.code(what+", "+op, err, want...)
		if !slices.Contains(want, client.CodeOf(err)) {
			return
		}
		var e *scheme.Error
		if errors.As(err, &e) && e.URL == "" {
			s.Errorf("%s, %s: Error.URL is not set", what, op)
		}
	}
	t := s.takeTalk(s.client(), s.url("text.txt"))
	see("access", t.err)
	if t.err == nil && t.res.Kind == scheme.KindObject && len(t.body) == 0 {
		s.Errorf("%s: access succeeds, with an empty body", what)
	}
	if lists(s.h) {
		_, err := s.list(s.ctx, s.client(), scheme.Request{URL: s.server.URL("")})
		see("list", err)
	}
	if !failed {
		s.Errorf("%s: everything succeeds", what)
	}
}
