package mailto

import (
	"context"
	"fmt"
	"io"
	"strings"

	"locator/internal/addrspec"
	"locator/internal/mailfmt"
	"locator/scheme"
	"locator/scheme/message"
)

// Update sends a message through the configured submission server, or the command if there is no
// server. It completes the message as bulk.Poster says. The recipients are o.Recipients or, without
// them, those of the fields To, Cc and Bcc; Bcc is not sent.
//
// If the server refuses some of the recipients, the others get the message, and Resource.Receipt
// names both. If it refuses all, the error has the code of the first refusal, and the Receipt is in
// its Partial.
func (Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	d, err := newDraft(r.URL)
	if err != nil {
		return nil, err
	}
	if !canSend(env) {
		return nil, noServer()
	}
	of := d
	if o.Whole {
		of = nil
	}
	m, err := mailfmt.Complete(mailfmt.Source(ctx, b), mailfmt.Options{Draft: of, Mail: env.Mail, Now: env.Clock.Now()})
	if err != nil {
		return nil, err
	}
	e, err := newEnvelope(m, o)
	if err != nil {
		return nil, err
	}
	e.pass = b.Pass
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft, Draft: d, Notes: d.Notes}
	if len(env.Servers) == 0 {
		res.Receipt, err = e.hand(ctx, env)
	} else {
		res.Receipt, err = e.send(ctx, env, func(text string) {
			res.Notes = append(res.Notes, text)
			env.Trace.OnNote(text)
		})
	}
	if res.Receipt != nil {
		res.Receipt.ID, res.Receipt.At = m.ID, env.Clock.Now()
		res.Status, _, _ = strings.Cut(res.Receipt.Reply, " ")
	}
	if err != nil {
		return nil, withReceipt(err, res)
	}
	return res, nil
}

// withReceipt adds what is known of a message to the error that ended its Update.
func withReceipt(err error, res *scheme.Resource) error {
	e, ok := err.(*scheme.Error)
	if !ok || res.Receipt == nil {
		return err
	}
	e.Partial = &scheme.Resource{Status: res.Status, Receipt: res.Receipt}
	if e.Code == scheme.CodeInDoubt {
		e.Err = fmt.Errorf("%w; its Message-ID is <%s>", e.Err, res.Receipt.ID)
	}
	return e
}

// envelope is a message and where it goes (RFC 5321 2.3.1).
type envelope struct {
	from     addrspec.Address
	to       []addrspec.Address
	eightBit bool // the message has bytes beyond ASCII
	utf8     bool // its header or an address has
	size     int64
	msg      io.WriterTo
	reports  message.Reports
	pass     func() error // called before the server may act
}

// newEnvelope returns the envelope of a message.
func newEnvelope(m *mailfmt.Message, o scheme.WriteOptions) (*envelope, error) {
	e := &envelope{eightBit: m.EightBit || m.UTF8, utf8: m.UTF8, msg: m, reports: o.Reports}
	if err := checkReports(o.Reports); err != nil {
		return nil, err
	}
	var err error
	if e.from, err = mailbox(m.From); err != nil {
		return nil, err
	}
	list := o.Recipients
	if list == nil {
		list = m.Recipients
	}
	known := make(map[addrspec.Address]bool)
	for _, text := range list {
		a, err := mailbox(text)
		if err != nil {
			return nil, err
		}
		if key := a.Key(); !known[key] {
			known[key], e.to = true, append(e.to, a)
		}
		e.utf8 = e.utf8 || !a.IsASCII()
	}
	if len(e.to) == 0 {
		return nil, scheme.Fail(scheme.CodeUsage, "the message has no recipient; name one in the URL, or write a line To: into the message")
	}
	e.utf8 = e.utf8 || !e.from.IsASCII()
	e.size, err = m.Size()
	return e, err
}

// mailbox returns an address for an envelope.
func mailbox(text string) (addrspec.Address, error) {
	a, err := addrspec.Parse(text)
	if err == nil {
		a, err = a.ToASCII()
	}
	if err != nil {
		return a, notAddress(text, err)
	}
	return a, nil
}

// hand gives the message to the configured command.
func (e *envelope) hand(ctx context.Context, env *scheme.Env) (*scheme.Receipt, error) {
	receipt := &scheme.Receipt{}
	if err := scheme.Setting[Settings](env).Sendmail(ctx, e.from.String(), texts(e.to), e.msg, e.pass); err != nil {
		return receipt, err
	}
	receipt.Accepted = texts(e.to)
	return receipt, nil
}
