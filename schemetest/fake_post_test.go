package schemetest

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/internal/mailfmt"
	"locator/scheme"
	"locator/scheme/message"
)

// mailbox is the path to which messages are sent.
const mailbox = "mailbox"

// poster is a fake that sends messages.
type poster struct{ fake }

func (f poster) Draft(context.Context, *scheme.Env, scheme.Request) (*message.Draft, error) {
	return &message.Draft{}, nil
}

func (f poster) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	text, err := io.ReadAll(b.Source(ctx))
	if err != nil {
		return nil, err
	}
	mail, committed := env.Mail, false
	if f.flaw == "takes any author" {
		mail, _, _ = strings.Cut(env.Mail+author, "\r\n")
	}
	if f.flaw == "takes any text" {
		text = bytes.Map(func(c rune) rune {
			if c == '\r' || c == 0 {
				return ' '
			}
			return c
		}, text)
	}
	m, err := mailfmt.Complete(bytes.NewReader(text), mailfmt.Options{Mail: mail, Now: env.Clock.Now()})
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	if _, err := m.WriteTo(&out); err != nil {
		return nil, err
	}
	if f.flaw == "marks messages" {
		out.WriteString("sent by a fake\r\n")
	}
	body := scheme.Body{Reader: strings.NewReader(out.String()), Commit: func() error { committed = true; return b.Pass() }}
	res, err := f.fake.Update(ctx, env, r, body, o)
	if f.flaw == "sends again" {
		body.Reader, body.Commit = strings.NewReader(out.String()), nil
		_, _ = f.fake.Update(ctx, env, r, body, o)
	}
	receipt := &scheme.Receipt{ID: m.ID, Reply: "OK"}
	switch {
	case err == nil && f.flaw != "gives no receipt":
		res.Receipt = receipt
	case err != nil && committed && f.flaw != "doubts nothing" && strings.Contains(err.Error(), "EOF"):
		e := scheme.Fail(scheme.CodeInDoubt, "no answer came for <%s>: %w", m.ID, err)
		e.Partial = &scheme.Resource{URL: r.URL, Receipt: receipt}
		return nil, e
	}
	return res, err
}

// Messages implements peer.Mailbox.
func (s *fakeServer) Messages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mail)
}

// A correct scheme that sends messages passes the duties about them, and a broken one fails the
// duty that it breaks.
func TestSuitePosts(t *testing.T) {
	isPost := func(d duty) bool { return strings.HasPrefix(d.name, "post") }
	for flaw, want := range map[string]string{
		"": "", "sends again": "post", "marks messages": "post", "gives no receipt": "post", "doubts nothing": "post in doubt",
		"asks for no commit": "post vetoed", "takes any text": "post refused", "takes any author": "post refused",
	} {
		t.Run(flaw, func(t *testing.T) {
			h := fakeHarness(flaw)
			h.Scheme, h.Faults = poster{fake{flaw: flaw}}, append(h.Faults, Unanswered)
			h.Post = func(s Server) locator.URL { return s.URL(mailbox) }
			r := newRecorder(t)
			run(r, h, slices.DeleteFunc(duties(), func(d duty) bool { return !isPost(d) }), quick)
			for _, d := range slices.DeleteFunc(duties(), func(d duty) bool { return !isPost(d) }) {
				if found := r.failed[d.name]; d.name == want && len(found) == 0 || flaw == "" && len(found) > 0 {
					t.Errorf("the duty %q reports %q", d.name, found)
				}
			}
		})
	}
}
