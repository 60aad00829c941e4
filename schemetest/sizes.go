package schemetest

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// checkSizesSent sends bodies whose announced size is wrong. None must succeed, and the next
// request must work.
//
// Covers: A15
func checkSizesSent(s *stage) {
	c := s.client()
	u := s.writable()
	content := strings.Repeat("0123456789", 10_000)
	for _, op := range s.writers(c, u) {
		whole := int64(len(content))
		for _, size := range []int64{whole - 1, whole + 1, whole - 50_000, whole + 50_000, 0} {
			what := fmt.Sprintf("%s of %d bytes, announced as %d", op.name, len(content), size)
			s.within(s.times.patience, what, func() {
				// Only Read is visible, so that the size cannot be found otherwise.
				body := scheme.Body{Reader: struct{ io.Reader }{strings.NewReader(content)}, Size: scheme.Known(size)}
				res, err := op.do(body)
				s.journal.note(err)
				if err == nil {
					res.Close()
					s.Errorf("%s: it succeeds", what)
				}
			})
		}
		s.put(op.name+" after that", func() (*scheme.Resource, error) {
			return op.do(scheme.Body{Reader: strings.NewReader(content), Size: scheme.Known(whole)})
		})
	}
}

// checkNoReader sends bodies without a Reader, which are empty.
//
// Covers: A15
func checkNoReader(s *stage) {
	c := s.client()
	u := s.writable()
	for _, op := range s.writers(c, u) {
		for _, size := range []scheme.Count{{}, scheme.Known(0)} {
			s.put(op.name, func() (*scheme.Resource, error) { return op.do(scheme.Body{Size: size}) })
		}
		if op.name == "replace" {
			s.holds(c, op.name, u, "")
		}
		what := op.name + " announced as 5 bytes"
		s.within(s.times.patience, what, func() {
			res, err := op.do(scheme.Body{Size: scheme.Known(5)})
			s.journal.note(err)
			if err == nil {
				res.Close()
				s.Errorf("%s: it succeeds", what)
			}
		})
	}
}

// writer is a write operation.
type writer struct {
	name string
	do   func(scheme.Body) (*scheme.Resource, error)
}

// writers returns the write operations, without those that the server cannot test.
func (s *stage) writers(c *client.Client, u locator.URL) []writer {
	r := scheme.Request{URL: u}
	var list []writer
	if updates(s.h) && s.h.Except["update"] == "" {
		list = append(list, writer{"update", func(b scheme.Body) (*scheme.Resource, error) { return c.Update(s.ctx, r, b, nil) }})
	}
	if replaces(s.h) && s.h.Except["replace"] == "" {
		list = append(list, writer{"replace", func(b scheme.Body) (*scheme.Resource, error) { return c.Replace(s.ctx, r, b, nil) }})
	}
	return list
}

// checkCommit checks when Body.Commit is called, and that its error stops the operation.
func checkCommit(s *stage) {
	c := s.client()
	u := s.writable()
	veto := errors.New("no, rather not")
	for _, op := range s.writers(c, u) {
		for _, size := range []scheme.Count{scheme.Known(5), {}} {
			runs, early := 0, false
			text := fmt.Sprintf("%s committed %v\n", op.name, size)
			if size != (scheme.Count{}) {
				size = scheme.Known(int64(len(text)))
			}
			s.put(op.name, func() (*scheme.Resource, error) {
				return op.do(scheme.Body{Reader: strings.NewReader(text), Size: size, Commit: func() error {
					runs++
					held, _ := s.server.File(s.h.Writable...)
					early = early || strings.Contains(string(held), text)
					return nil
				}})
			})
			if early && op.name == "replace" {
				s.Errorf("%s: the server holds the body before Body.Commit was called", op.name)
			}
			if runs != 1 {
				s.Errorf("%s: Body.Commit was called %d times, want once", op.name, runs)
			}
		}
		before, _ := s.server.File(s.h.Writable...)
		s.within(s.times.patience, op.name+" with a veto", func() {
			res, err := op.do(scheme.Body{Reader: strings.NewReader("vetoed\n"), Size: scheme.Known(7), Commit: func() error { return veto }})
			switch {
			case err == nil:
				res.Close()
				s.Errorf("%s: it succeeds, though Body.Commit returned an error", op.name)
			case !errors.Is(err, veto):
				s.Errorf("%s: the error is not that of Body.Commit: %v", op.name, err)
			}
			s.code(op.name+" with a veto", err, scheme.CodeLocal)
		})
		if after, _ := s.server.File(s.h.Writable...); op.name == "replace" && string(after) != string(before) {
			s.Errorf("%s: Body.Commit returned an error, and the server holds %.60q, want %.60q as before", op.name, after, before)
		}
	}
}

// checkSizesTold reads a body that is shorter than announced, although the server reports success.
//
// Covers: P6
func checkSizesTold(s *stage) {
	c := s.client()
	s.server.Misbehave(Short)
	t := s.take(s.ctx, c, scheme.Request{URL: s.url("big.bin")})
	s.code("a body shorter than announced", t.err, scheme.CodeBroken, scheme.CodeProtocol)
	s.server.Misbehave(NoFault)
	u, content := s.file("big.bin")
	if got := s.get(c, u); got != content {
		s.Errorf("after that, a file of %d bytes has %d", len(content), len(got))
	}
}
