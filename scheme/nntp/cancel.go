package nntp

import (
	"context"
	"net/mail"
	"strings"

	"locator"
	"locator/internal/hint"
	"locator/internal/mailfmt"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/scheme/message"
	"locator/wire"
)

// Remove posts a cancel message for the article of the URL (RFC 5537 5.3). The configured mail
// address must be that of its author. With Settings.CancelSecret, the message has the key that
// proves it (RFC 8315), which a server can use as soon as it has it. So the URL must name the
// article by its message-id. For a number nothing is posted: the error has code CodeUsage, and its
// Partial the URL by message-id and the header fields, for the user to confirm.
func (Scheme) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	p, err := newPlace(r.URL)
	if err != nil {
		return err
	}
	if p.kind != article {
		return scheme.Fail(scheme.CodeUnsupported, "only an article can be removed, by a cancel message of its author")
	}
	if env.Mail == "" {
		return hint.Fail(hint.Mail, scheme.CodeLocal, "only its author can cancel an article, and your mail address is not known")
	}
	m, err := withSession(ctx, env, p, func(s *session) (*mailfmt.Message, error) {
		m, err := s.cancel()
		if err == nil {
			s.release()
		}
		return m, err
	})
	if err != nil {
		return err
	}
	res, err := p.post(ctx, env, m, func() error { return nil })
	if err != nil {
		return err
	}
	env.Tell("the cancel message <" + res.Receipt.ID + "> for <" + p.id + "> was posted; servers may ignore it, and readers may have the article already")
	return res.Close()
}

// cancel returns the cancel message for the article of the place.
func (s *session) cancel() (*mailfmt.Message, error) {
	r, err := s.article(s.place.lines.head, "HEAD")
	if err != nil {
		return nil, err
	}
	if r.Code != 221 {
		return nil, s.End(r.fail("HEAD"))
	}
	h, err := s.readHead()
	if err != nil {
		return nil, err
	}
	id, err := s.place.onlyID(string(h))
	if err != nil {
		return nil, err
	}
	attr := attributes(h, "")
	field := func(name string) string {
		for _, a := range attr.More {
			if strings.EqualFold(a.Name, name) {
				return a.Value
			}
		}
		return ""
	}
	author, err := mail.ParseAddress(field("From"))
	mine, mineErr := mail.ParseAddress(s.env.Mail)
	switch {
	case mineErr != nil:
		return nil, scheme.Fail(scheme.CodeLocal, "the configured mail address is not one")
	case err != nil || !strings.EqualFold(author.Address, mine.Address):
		return nil, scheme.Fail(scheme.CodeRefused, "the article is by %s; only its author can cancel it, and your mail address is %s", dialogue.Quoted(attr.From), wire.Escape(mine.Address))
	case s.place.number > 0:
		u, err := s.place.postedURL(id)
		if err != nil {
			return nil, err
		}
		return nil, unconfirmed(u, attr)
	}
	const text = "This article is cancelled by its author.\n"
	return mailfmt.Complete(strings.NewReader("\n"+text), mailfmt.Options{
		Draft: &message.Draft{News: true, Header: []message.Field{
			{Name: "Newsgroups", Value: field("Newsgroups")}, {Name: "Subject", Value: "cmsg cancel <" + id + ">"},
			{Name: "Control", Value: "cancel <" + id + ">"}, {Name: "From", Value: field("From")},
		}},
		Now: s.env.Clock.Now(), CancelSecret: scheme.Setting[Settings](s.env).CancelSecret,
	})
}

// onlyID returns the message-id in the header of an article. It must be the one that the place
// names: a server that answers with another article would get the key to cancel that one.
func (p *place) onlyID(header string) (string, error) {
	var fields []string
	for name, value := range mailtext.Fields(header) {
		if strings.EqualFold(name, "Message-ID") {
			fields = append(fields, value)
		}
	}
	if len(fields) != 1 {
		return "", scheme.Fail(scheme.CodeProtocol, "the article has %d fields Message-ID in place of one; nothing was cancelled", len(fields))
	}
	id := bareID(fields[0])
	switch {
	case p.id != "" && id != p.id:
		return "", scheme.Fail(scheme.CodeProtocol, "the server answered with another article, %s; nothing was cancelled", dialogue.Quoted(fields[0]))
	case id == "" || id == fields[0] || wire.Check("message-id", id, " \t<>") != nil:
		return "", scheme.Fail(scheme.CodeProtocol, "the article has no valid Message-ID, but %s; nothing was cancelled", dialogue.Quoted(fields[0]))
	}
	return id, nil
}

// unconfirmed is the error for an article that the URL names by a number, which names another one
// on another server.
func unconfirmed(u locator.URL, attr scheme.Attr) error {
	err := scheme.Fail(scheme.CodeUsage, "a number can come to name another article; to cancel this one, use its message-id: %s", u.Redacted())
	err.Partial = &scheme.Resource{URL: u, Attr: attr}
	return err
}
