package mailto

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"locator/internal/addrspec"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// Times for the end of a session.
const (
	quitTime = 5 * time.Second
	// A server may take long to accept a message, and a client that gives up too early sends it
	// twice (RFC 5321 4.5.3.2.6).
	acceptFactor  = 20
	maxAcceptTime = 10 * time.Minute
)

// transmit sends the message in a session. The receipt is nil if the server was not asked about the
// recipients.
func (e *envelope) transmit(ctx context.Context, env *scheme.Env, s *session, note func(string)) (*scheme.Receipt, error) {
	if err := e.checkExtensions(s, note); err != nil {
		return nil, err
	}
	o := &smtp.MailOptions{Size: e.size, UTF8: e.utf8, Return: smtp.DSNReturn(strings.ToUpper(e.reports.Return))}
	if err := s.Mail(e.from.String(), o); err != nil {
		return nil, failed(atSender, err)
	}
	receipt := &scheme.Receipt{}
	var first error
	for _, a := range e.to {
		err := s.Rcpt(a.String(), e.rcptOptions())
		if err == nil {
			receipt.Accepted = append(receipt.Accepted, a.String())
			continue
		}
		bad := failed(atRecipient, err)
		refusal, ok := errors.AsType[*smtp.SMTPError](err)
		if !ok || refusal.Code == 421 { // the server ends the session
			return nil, bad
		}
		if first == nil {
			first = bad
		}
		code := scheme.CodeProtocol
		if e, ok := errors.AsType[*scheme.Error](bad); ok {
			code = e.Code
		}
		receipt.Refused = append(receipt.Refused, scheme.Refusal{Recipient: a.String(), Reply: shown(refusal), Code: code})
	}
	if len(receipt.Accepted) == 0 {
		return receipt, first
	}
	accepted := receipt.Accepted
	receipt.Accepted = nil // until the server has the message
	reply, err := e.data(ctx, env, s)
	if err != nil {
		return receipt, err
	}
	receipt.Accepted, receipt.Reply = accepted, reply
	return receipt, nil
}

// checkExtensions checks before anything is sent whether the server can take the message.
func (e *envelope) checkExtensions(s *session, note func(string)) error {
	has := func(keyword string) bool { ok, _ := s.Extension(keyword); return ok }
	switch limit, ok := s.MaxMessageSize(); {
	case ok && limit > 0 && e.size > int64(limit):
		return scheme.Fail(scheme.CodeUnsupported, "the message has %d bytes, and the mail server takes at most %d", e.size, limit)
	case e.utf8 && !has("SMTPUTF8"):
		return scheme.Fail(scheme.CodeUnsupported, "%s, and the mail server does not offer SMTPUTF8", e.beyondASCII())
	case e.eightBit && !has("8BITMIME"):
		return scheme.Fail(scheme.CodeUnsupported, "the message has bytes beyond ASCII, and the mail server does not offer 8BITMIME; encode it as quoted-printable")
	}
	if (e.reports.Return != "" || len(e.reports.Notify) > 0) && !has("DSN") {
		note("the mail server offers no reports about the delivery (DSN); the message is sent without asking for them")
	}
	return nil
}

// beyondASCII says why a message needs SMTPUTF8.
func (e *envelope) beyondASCII() string {
	for _, a := range append([]addrspec.Address{e.from}, e.to...) {
		if !a.IsASCII() {
			return "the address " + wire.TextLine(a.String()) + " has characters beyond ASCII before the @"
		}
	}
	return "the header of the message has characters beyond ASCII that are not encoded"
}

// rcptOptions are the options of RCPT.
func (e *envelope) rcptOptions() *smtp.RcptOptions {
	o := &smtp.RcptOptions{}
	for _, word := range e.reports.Notify {
		o.Notify = append(o.Notify, smtp.DSNNotify(strings.ToUpper(word)))
	}
	return o
}

// data sends the message, and returns the reply to it. From the last byte on until a reply, the
// error has the code CodeInDoubt.
func (e *envelope) data(ctx context.Context, env *scheme.Env, s *session) (string, error) {
	w, err := s.Data()
	if err != nil {
		return "", failed(atMessage, err)
	}
	s.conn.isData = true
	if _, err := e.msg.WriteTo(w); err != nil {
		if e, ok := errors.AsType[*scheme.Error](err); ok { // the message cannot be read
			return "", e
		}
		return "", lost("a part of the message", err)
	}
	if err := s.conn.checkAhead(); err != nil {
		return "", err
	}
	if err := e.pass(); err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	scheme.SetIdle(s.conn.Raw, max(env.Limits.Idle, min(acceptFactor*env.Limits.Idle, maxAcceptTime)))
	s.conn.expectReply()
	reply, err := w.CloseWithResponse()
	s.conn.isData = false
	scheme.SetIdle(s.conn.Raw, env.Limits.Idle)
	if err == nil {
		return wire.Excerpt("250 "+strings.ReplaceAll(reply.StatusText, "\n", " "), dialogue.ShownReply), nil
	}
	refusal, ok := errors.AsType[*smtp.SMTPError](err)
	switch {
	case ok && refusal.Code/100 == 2:
		return shown(refusal), nil
	case ok && slices.Contains([]int{4, 5}, refusal.Code/100):
		return "", fail(atMessage, refusal)
	case ok:
		return "", scheme.Replied(scheme.CodeInDoubt, shown(refusal), "the message was sent, and the reply makes no sense; the mail server may have taken it")
	}
	return "", scheme.Fail(scheme.CodeInDoubt, "the message was sent, but there was no reply; the mail server may have taken it: %w", lost("the message", err))
}
