package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/units"
	"locator/outbox"
	"locator/scheme"
	"locator/upload"
)

// mailer is the outbox.Client of the program: it limits the rate and shows the progress.
type mailer struct {
	a      *app
	c      *client.Client
	limit  *rate.Limiter
	others map[string]*mailer // by the URL of their server
}

// newMailer returns the mailer of a client. The caller must close it.
func newMailer(a *app, c *client.Client) *mailer {
	return &mailer{a: a, c: c, others: make(map[string]*mailer)}
}

// close closes the clients for other servers.
func (m *mailer) close() {
	for _, other := range m.others {
		other.c.Close()
	}
}

// through implements outbox.SendOptions.Through: a mail that was put with --smtp is sent through
// that server, unless this run names another server or a command. The password of --user is for one
// server.
func (m *mailer) through(server locator.URL) (outbox.Client, error) {
	a, key := m.a, server.Text()
	if a.flags.IsSet("smtp") || a.flags.IsSet("sendmail") {
		return nil, nil
	}
	if other := m.others[key]; other != nil {
		return other, nil
	}
	if a.flags.IsSet("user") && len(m.others) > 0 {
		return nil, scheme.Fail(scheme.CodeUsage, "--user is for one server, and the mails have several; name the mails, or the server with --smtp")
	}
	c, err := a.clientWith([]string{key})
	if err != nil {
		return nil, err
	}
	m.others[key] = &mailer{a: a, c: c, limit: m.limit}
	return m.others[key], nil
}

// Update implements outbox.Client.
func (m *mailer) Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	out, err := m.a.upload(ctx, m.c, r, b, upload.Options{Append: true, Rate: m.limit, Write: *o})
	if err == nil {
		m.a.Notes(out.Resource)
	}
	return out.Resource, err
}

// sendMessages sends mail that is queued: all that is due, or that with the given IDs.
func (a *app) sendMessages(ctx context.Context, b *outbox.Outbox, ids []string, _ outboxOptions) error {
	return a.access(ctx, func(ctx context.Context, c *client.Client) error {
		m := newMailer(a, c)
		defer m.close()
		if len(ids) > 0 {
			return a.eachMessage(ctx, b, ids, func(e outbox.Entry) error {
				if e.State == outbox.Sent {
					return scheme.Fail(scheme.CodeUsage, "mail %s was sent at %s", e.ID, present.Minute(e.Changed))
				}
				return a.sendOne(ctx, b, m, e.ID, outbox.SendOptions{})
			})
		}
		var failed error
		sent, notTried := 0, 0
		err := b.SendDue(ctx, m, outbox.SendOptions{Through: m.through}, func(e outbox.Entry, err error) {
			if sent++; errors.Is(err, outbox.ErrNotTried) {
				notTried++
			}
			if err := a.sentMessage(b, e, err); err != nil && failed == nil {
				failed = err
			}
		})
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if notTried > 0 {
			a.Note("not tried, since the server cannot be reached: %s", units.Count(notTried, "other mail"))
		}
		return a.sayRest(b, sent)
	})
}

// sendOne sends one mail and reports the result.
func (a *app) sendOne(ctx context.Context, b *outbox.Outbox, m *mailer, id string, o outbox.SendOptions) error {
	o.Through = m.through
	e, err := b.Send(ctx, m, id, o)
	if e.ID == "" { // it could not be read
		return err
	}
	return a.sentMessage(b, e, err)
}

// sentMessage reports the result of an attempt to send a mail: its ID and state on standard output,
// and why it was not sent.
func (a *app) sentMessage(b *outbox.Outbox, e outbox.Entry, err error) error {
	j := present.MessageOf(e)
	j.Status, j.Error = a.Outcome(err)
	if a.flags.JSON {
		return a.PrintJSON(j)
	}
	switch {
	case errors.Is(err, outbox.ErrNotTried): // one message for all
	case err != nil:
		if !a.flags.Quiet {
			a.Say("%s is %v: %s", present.MessageTitle(e), e.State, a.ErrorText(err))
		}
		if e.State != outbox.Queued || !e.Next.IsZero() {
			a.noteMessage(e)
		}
	case e.Receipt != nil && e.Receipt.Reply != "":
		a.Info("%s: %s", e.ID, e.Receipt.Reply)
	}
	_, failed := fmt.Fprintf(a.Out, "%s %v\n", e.ID, e.State)
	return console.OutputError(failed)
}

// noteMessage says where a mail is that was not sent, and how to send it.
func (a *app) noteMessage(e outbox.Entry) {
	retry := a.outboxCommandLine("retry " + e.ID)
	switch e.State {
	case outbox.Queued:
		when := ""
		if !e.Next.IsZero() {
			when = " after " + present.Minute(e.Next)
		}
		a.Note("the mail stays in the outbox as %s; to send it%s: %s", e.ID, when, a.outboxCommandLine("send"))
	case outbox.Failed:
		a.Note("the mail stays in the outbox as %s; to send it again%s: %s", e.ID, present.ToUnsent(e), retry)
	case outbox.InDoubt:
		a.Note("mail %s is in doubt: the server may have it. To send it again, although it may arrive twice: %s", e.ID, retry)
	}
}

// sayRest says what is left in the outbox after all that was due was sent. Mail in doubt is a
// failure, so that nobody overlooks it.
func (a *app) sayRest(b *outbox.Outbox, sent int) error {
	_ = b.Prune()
	entries, problems, err := b.Entries()
	if err != nil {
		return err
	}
	a.reportProblems(problems)
	var doubts []string
	waiting, next := 0, ""
	for _, e := range entries {
		switch e.State {
		case outbox.InDoubt:
			doubts = append(doubts, e.ID)
		case outbox.Queued:
			if waiting++; !e.Next.IsZero() && (next == "" || present.Minute(e.Next) < next) {
				next = present.Minute(e.Next)
			}
		}
	}
	if sent == 0 {
		switch {
		case waiting == 0:
			a.Note("no mail is queued")
		default:
			a.Note("no mail is due: %d waiting, the next until %s; to send one now: %s", waiting, next, a.outboxCommandLine("send ID"))
		}
	}
	if len(doubts) > 0 {
		a.Status.Add(scheme.CodeInDoubt)
		if !a.flags.Quiet {
			more := ""
			if n := len(doubts) - 5; n > 0 {
				doubts, more = doubts[:5], fmt.Sprintf(" and %d others", n)
			}
			it := "it"
			if len(doubts) > 1 {
				it = "them"
			}
			a.Say("in doubt: %s%s; the server may have %s. To see why: %s", strings.Join(doubts, ", "), more, it, a.outboxCommandLine("list"))
		}
	}
	return nil
}

// retryMessages sends mail again that has failed or, if the user says so, is in doubt.
func (a *app) retryMessages(ctx context.Context, b *outbox.Outbox, ids []string, o outboxOptions) error {
	return a.access(ctx, func(ctx context.Context, c *client.Client) error {
		m := newMailer(a, c)
		defer m.close()
		return a.eachMessage(ctx, b, ids, func(e outbox.Entry) error {
			switch {
			case e.State == outbox.Sent:
				return scheme.Fail(scheme.CodeUsage, "mail %s was sent at %s; to send it once more, put it again with another Message-ID", e.ID, present.Minute(e.Changed))
			case e.State == outbox.InDoubt && !o.yes:
				if err := a.confirm(ctx, e, "was sent at "+present.Minute(e.Changed)+", and the server's answer is unknown, so the recipients may get it twice", "Send it again", "to send it again"); err != nil {
					return err
				}
			}
			return a.sendOne(ctx, b, m, e.ID, outbox.SendOptions{Failed: true, InDoubt: e.State == outbox.InDoubt})
		})
	})
}
