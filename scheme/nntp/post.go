package nntp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"locator"
	"locator/internal/mailfmt"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/scheme/message"
	"locator/wire"
)

// Draft returns the newsgroup of a URL, or the fields of a follow-up to the article that it names,
// which it asks the server for (RFC 5537 3.4.4).
func (Scheme) Draft(ctx context.Context, env *scheme.Env, r scheme.Request) (*message.Draft, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	d, err := p.draft(ctx, env)
	if err == nil {
		_, unknown := p.servers(env)
		d.Ready = unknown == nil
	}
	return d, err
}

func (p *place) draft(ctx context.Context, env *scheme.Env) (*message.Draft, error) {
	switch p.kind {
	case article:
		return withSession(ctx, env, p, (*session).followUp)
	case group:
		if p.span != everySpan {
			return nil, scheme.Fail(scheme.CodeUsage, "a range of articles cannot be answered; to post, use the URL of the group or of one article")
		}
		return &message.Draft{News: true, Header: []message.Field{{Name: "Newsgroups", Value: p.group}}}, nil
	}
	return nil, scheme.Fail(scheme.CodeUsage, "the URL names no newsgroup to post to; several are in the field Newsgroups, and the URL names one of them")
}

// Update posts an article (RFC 3977 6.3.1): to the group of the URL, or a follow-up to the article
// of the URL. b is the article, with its header lines; what is missing is added. The message-id is
// in the Receipt, also that of an error of code CodeInDoubt. The same article can then be posted
// again: a server takes each message-id once. If the server has it already, the error matches
// fs.ErrExist.
func (Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	m, err := p.complete(ctx, env, b, o.Whole)
	if err != nil {
		return nil, err
	}
	return p.post(ctx, env, m, b.Pass)
}

// complete returns the article of a body. The server is not asked about the article that it answers
// if it names one already.
func (p *place) complete(ctx context.Context, env *scheme.Env, b scheme.Body, whole bool) (m *mailfmt.Message, err error) {
	in := mailfmt.Source(ctx, b)
	with := func(d *message.Draft) (m *mailfmt.Message, err error) {
		_, err = b.Source(ctx).Do(func() (int64, error) {
			var err error
			m, err = mailfmt.Complete(in, mailfmt.Options{Draft: d, Mail: env.Mail, Now: env.Clock.Now(), CancelSecret: scheme.Setting[Settings](env).CancelSecret})
			return 0, err
		})
		return m, err
	}
	if whole {
		return with(&message.Draft{News: true})
	}
	if again, ok := in.(io.Seeker); ok && p.kind == article {
		start, err := again.Seek(0, io.SeekCurrent)
		if err == nil {
			if m, err := with(&message.Draft{News: true}); err == nil && len(m.References) > 0 {
				return m, nil
			}
			_, err = again.Seek(start, io.SeekStart)
		}
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "cannot read the article again: %w", err)
		}
	}
	d, err := p.draft(ctx, env)
	if err != nil {
		return nil, err
	}
	return with(d)
}

// posting is an article on its way to a server.
type posting struct {
	*mailfmt.Message
	pass  func() error
	url   locator.URL
	begun bool // a server has begun to read it
}

// post posts an article at the first server that permits it. After a server has begun to read it,
// no other is asked.
func (p *place) post(ctx context.Context, env *scheme.Env, m *mailfmt.Message, pass func() error) (*scheme.Resource, error) {
	servers, err := p.servers(env)
	if err != nil {
		return nil, err
	}
	x := &posting{Message: m, pass: pass}
	if x.url, err = p.postedURL(m.ID); err != nil {
		return nil, err
	}
	var failed error
	for _, at := range servers {
		res, err := atServer(ctx, env, p, at, func(s *session) (*scheme.Resource, error) { return s.post(x) })
		if err == nil || x.begun || ctx.Err() != nil {
			return res, err
		}
		if failed == nil {
			failed = err
		}
	}
	return nil, failed
}

// postedURL returns the URL of an article by its message-id, at the server of the place's URL if it
// names one.
func (p *place) postedURL(id string) (locator.URL, error) {
	v := &locator.News{Secure: p.secure, Kind: locator.NewsArticle, Article: id}
	if nntp, ok := locator.As[*locator.NNTP](p.url); ok {
		v.Server = locator.Login{User: nntp.User, Password: nntp.Password, Hostport: nntp.Hostport}
	}
	p.withServer(v)
	return locator.Build(v)
}

// post sends an article.
func (s *session) post(x *posting) (*scheme.Resource, error) {
	r, err := s.command("POST", dialogue.Bare("POST"))
	if err != nil {
		return nil, err
	}
	if r.Code != 340 {
		return nil, s.postFailed(r)
	}
	x.begun = true
	src := scheme.Body{}.Source(s.ctx)
	if _, err := src.Do(func() (int64, error) {
		out := &stuffer{w: s.Wire.NetConn()}
		n, err := x.WriteTo(out)
		return n, errors.Join(err, out.flush())
	}); err != nil {
		return nil, s.End(notSent(err)) // the server drops an article without its last line
	}
	if err := x.pass(); err != nil {
		return nil, s.End(err)
	}
	if r, err = s.ask("the article", dialogue.Bare(".")); err != nil {
		if cause := context.Cause(s.ctx); s.ctx.Err() != nil {
			code := scheme.CodeInterrupted
			if errors.Is(cause, context.DeadlineExceeded) {
				code = scheme.CodeInDoubt
			}
			err = scheme.Fail(code, "%w; %s", cause, x.inDoubt())
		} else if code := new(scheme.Error); !errors.As(err, &code) || code.Code != scheme.CodeUnavailable {
			err = scheme.Fail(scheme.CodeInDoubt, "%w; %s", err, x.inDoubt())
		}
		return nil, s.receipt(x, reply{}, err)
	}
	switch {
	case r.Code == 240:
		s.tellModerated(x, r)
		res := &scheme.Resource{URL: x.url, Kind: scheme.KindObject, Notes: s.notes, Status: digits(int64(r.Code)), Receipt: s.newReceipt(x, r)}
		s.release()
		return res, nil
	case r.Code == 441:
		return nil, s.receipt(x, r, s.refusal(x, r))
	case r.Class() < 4:
		return nil, s.End(s.receipt(x, r, scheme.Replied(scheme.CodeInDoubt, r.Shown(), "reply %d makes no sense after an article; %s", r.Code, x.inDoubt())))
	}
	return nil, s.receipt(x, r, s.postFailed(r))
}

// tellModerated says that an article which the server took waits for a moderator. It takes no
// error: the article is posted.
func (s *session) tellModerated(x *posting, r reply) {
	const then = "; it appears in the group when it is approved"
	if strings.Contains(strings.ToLower(r.Text()), "moderator") {
		s.env.Tell("the article waits for a moderator (server: " + r.Shown() + ")" + then)
		return
	}
	l, err := wire.Command("LIST ACTIVE", "group", strings.Join(x.Newsgroups, ","))
	if err != nil || len(l.String()) > maxArgument || x.Approved {
		return
	}
	if r, err = s.ask("LIST ACTIVE", l); err != nil || r.Code != 215 {
		return
	}
	b := s.newBlock(nil)
	b.left = int64(s.Max)
	moderated := ""
	for line, err := range b.lines("LIST ACTIVE") {
		words := strings.Fields(line)
		switch {
		case err != nil:
			return
		case len(words) == 4 && words[3] == "m" && slices.Contains(x.Newsgroups, words[0]) && moderated == "":
			moderated = words[0]
		}
	}
	if moderated != "" {
		s.env.Tell("the article waits for the moderator of " + moderated + then)
	}
}

// postFailed returns the error of a reply that refuses to take an article.
func (s *session) postFailed(r reply) error {
	if r.Class() < 4 {
		return s.End(r.fail("POST"))
	}
	return r.fail("POST")
}

// inDoubt says what is known of an article without an answer, and what to do.
func (x *posting) inDoubt() string {
	return fmt.Sprintf("it may have been posted: see %s; to post it again does no harm if it has the field Message-ID: <%s>", x.url.Redacted(), x.ID)
}

// refusal returns the error of 441. A server that has an article with this message-id refuses it,
// in words that differ.
func (s *session) refusal(x *posting, r reply) error {
	stat, err := wire.Command("STAT", "message-id", "<"+x.ID+">")
	if err != nil {
		return refused(err)
	}
	if has, err := s.ask("STAT", stat); err == nil && has.Code == 223 {
		return &scheme.Error{Code: scheme.CodeUsage, Reply: r.Shown(), Err: errPosted(x.ID)}
	}
	return scheme.Replied(scheme.CodeUsage, r.Shown(), "the server does not accept the article")
}

// errPosted is the message-id of an article that the server has already. It matches fs.ErrExist.
type errPosted string

func (e errPosted) Error() string {
	return "the server has an article <" + string(e) + ">; nothing was posted twice"
}

// Is implements the interface of errors.Is.
func (e errPosted) Is(target error) bool { return target == fs.ErrExist }

func (s *session) newReceipt(x *posting, r reply) *scheme.Receipt {
	receipt := &scheme.Receipt{ID: x.ID, At: s.env.Clock.Now()}
	if r.Code > 0 {
		receipt.Reply = r.Shown()
	}
	return receipt
}

// receipt adds the message-id to an error.
func (s *session) receipt(x *posting, r reply, err error) error {
	if e, ok := errors.AsType[*scheme.Error](err); ok && e.Partial == nil {
		e.Partial = &scheme.Resource{URL: x.url, Receipt: s.newReceipt(x, r)}
	}
	return err
}

// notSent is the error of an article that did not reach the server.
func notSent(err error) error {
	if _, ok := errors.AsType[*scheme.Error](err); ok {
		return err
	}
	return scheme.Fail(scheme.CodeBroken, "the article was not posted, since the connection broke off before its end: %w", err)
}
