package schemetest

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
)

// drafts reports whether access to the URL of Harness.Alone makes a draft, which the scheme can
// send.
func drafts(h *Harness) bool { return h.Local && h.Alone != nil && can[bulk.Poster](h.Scheme) }

// checkDraft accesses a draft.
//
// Covers: A8
func checkDraft(s *stage) {
	u := s.h.Alone(s.server)
	t := s.take(s.ctx, s.client(), scheme.Request{URL: u})
	if t.err != nil {
		s.Fatalf("%v", t.err)
	}
	if t.res.Kind != scheme.KindDraft || t.res.Draft == nil {
		s.Fatalf("%s: kind %v, want draft", u.Redacted(), t.res.Kind)
	}
	s.checkDraftFields(u, t.res.Draft)
	again, err := s.client().Draft(s.ctx, scheme.Request{URL: u})
	if err != nil || !reflect.DeepEqual(again, t.res.Draft) {
		s.Errorf("%s: Access makes the draft %+v, and Draft %+v, %v", u.Redacted(), t.res.Draft, again, err)
	}
	if l, ok := s.h.Scheme.(bulk.Linker); ok {
		s.checkLink(l, t.res.Draft)
	}
	s.nothingSent("access")
}

// checkLink checks that the URL of a draft has the same draft.
func (s *stage) checkLink(l bulk.Linker, d *message.Draft) {
	s.Helper()
	u, err := l.Link(d)
	if err != nil {
		s.Errorf("the draft %+v has no URL: %v", d, err)
		return
	}
	t := s.take(s.ctx, s.client(), scheme.Request{URL: u})
	if t.err != nil || !reflect.DeepEqual(t.res.Draft.To, d.To) || !reflect.DeepEqual(t.res.Draft.Header, d.Header) || t.res.Draft.Body != d.Body {
		s.Errorf("the draft %+v has the URL %s, which is another draft, %v", d, u.Redacted(), t.err)
	}
	evil := *d
	evil.Header = append(slices.Clone(d.Header), message.Field{Name: "Subject", Value: "a\r\nBcc: x@y.example"})
	if u, err := l.Link(&evil); err == nil {
		s.Errorf("a draft with a line end in a field has the URL %s", u.Redacted())
	}
}

// checkDraftFields checks that nothing in a draft begins another line of a header.
func (s *stage) checkDraftFields(u locator.URL, d *message.Draft) {
	s.Helper()
	texts := slices.Concat(d.To, d.Bcc, d.Notes)
	for _, f := range d.Header {
		texts = append(texts, f.Name, f.Value)
	}
	for _, text := range texts {
		if strings.ContainsAny(text, delimiters) {
			s.Errorf("%s: the draft has %q in a field", u.Redacted(), text)
		}
	}
}

// checkUnsafe accesses drafts with fields that a link must not set.
//
// Covers: A8, P2
func checkUnsafe(s *stage) {
	if len(s.h.Unsafe) == 0 {
		s.Fatalf("Harness.Unsafe names no URL, so nothing is shown")
	}
	for text, field := range s.h.Unsafe {
		u, err := s.client().Parse(text)
		if err != nil {
			s.Errorf("%q is no URL, so it shows nothing: %v", text, err)
			continue
		}
		t := s.take(s.ctx, s.client(), scheme.Request{URL: u})
		if t.err != nil {
			s.code("access of "+text, t.err, scheme.CodeRefused)
			continue
		}
		d := t.res.Draft
		s.checkDraftFields(u, d)
		if slices.ContainsFunc(d.Header, func(f message.Field) bool { return strings.EqualFold(f.Name, field) }) {
			s.Errorf("%s: the draft has the field %q", u.Redacted(), field)
		}
		said := slices.ContainsFunc(slices.Concat(d.Notes, t.res.Notes), func(n string) bool { return strings.Contains(strings.ToLower(n), strings.ToLower(field)) })
		if !said && len(d.Bcc) == 0 { // the caller asks about blind copies
			s.Errorf("%s: the field %q is left out, and no note says so", u.Redacted(), field)
		}
	}
	s.nothingSent("access")
}

// nothingSent checks that the server saw nothing.
func (s *stage) nothingSent(what string) {
	s.Helper()
	if n := s.server.Connections(); n > 0 {
		s.Errorf("%s makes %d connections", what, n)
	}
	if lines := s.server.Lines(); len(lines) > 0 {
		s.Errorf("%s sent %q", what, lines)
	}
}

// talk accesses a URL. If that makes a draft, for which no server is asked, it sends a message.
func (s *stage) talk(ctx context.Context, c *client.Client, r scheme.Request) taken {
	if !drafts(s.h) {
		return s.takeNow(ctx, c, r, nil)
	}
	res, err := c.Update(ctx, r, scheme.Body{Reader: strings.NewReader("From: " + author + "\n" + letter)}, nil)
	return s.read(res, err, nil)
}

// takeTalk is talk with a timeout.
func (s *stage) takeTalk(c *client.Client, u locator.URL) (t taken) {
	s.Helper()
	s.within(s.times.patience, "Access of "+u.Redacted(), func() { t = s.talk(s.ctx, c, scheme.Request{URL: u}) })
	return t
}
