package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/internal/compose"
	"locator/internal/mailfmt"
	"locator/internal/present"
	"locator/internal/units"
	"locator/outbox"
	"locator/scheme"
	"locator/scheme/message"
)

// keepMessage stores a message in the outbox and sends it from there. With --queue it only stores it. From then on the message is not lost: a
// failure is reported here, and is no error.
func (a *app) keepMessage(ctx context.Context, c *client.Client, r scheme.Request, m *mailfmt.Message, o putOptions, limit *rate.Limiter) error {
	b, err := a.openOutbox()
	if err != nil {
		return err
	}
	defer b.Close()
	e, err := a.queueMessage(b, r, m, o.message.reports(), c)
	if err != nil {
		return err
	}
	sent := present.Put{URL: present.Octets(r.URL.Redacted()), Entry: present.OrNull(e.ID)}
	sent.Describe(m)
	if o.queue {
		sent.State = present.OrNull(e.State.String())
		a.note("the mail is queued as %s; to send it: %s", e.ID, a.outboxCommandLine("send"))
		return a.printKept(sent, m)
	}
	start := time.Now()
	e, err = b.Send(ctx, &mailer{a: a, c: c, limit: limit}, e.ID, outbox.SendOptions{})
	if e.ID == "" { // another process has it, or it could not be read
		return err
	}
	_ = b.Prune()
	code := client.CodeOf(err)
	sent.State, sent.Status, sent.Error = present.OrNull(e.State.String()), code.Exit(), nil
	refused := compose.Refused(e)
	sent.Refuse(refused)
	if err != nil {
		a.status.add(code)
		sent.Error = present.OrNull(errorText(err))
		if !a.flags.json {
			if !a.flags.quiet && e.Receipt == nil { // nobody has got it
				a.say("%v", a.of(a.at, err))
			}
			a.sayRefused(refused)
		}
		a.noteMessage(e)
	}
	if e.Receipt == nil {
		if a.flags.json {
			return a.printJSON(sent)
		}
		return nil
	}
	a.sayTime(r.URL.Redacted(), start, ", sent "+units.Size(e.Size))
	a.info("%s: %s", r.URL.Redacted(), e.Receipt.Reply)
	sent.Bytes, sent.Reply, sent.Final = e.Size, present.OrNull(e.Receipt.Reply), present.OrNull(r.URL.Redacted())
	return a.printKept(sent, m)
}

// queueMessage stores a message. If one like it was not sent yet, it says so.
func (a *app) queueMessage(b *outbox.Outbox, r scheme.Request, m *mailfmt.Message, reports message.Reports, c *client.Client) (outbox.Entry, error) {
	server, err := a.ownServer(c, r.URL)
	if err != nil {
		return outbox.Entry{}, err
	}
	e, alike, err := compose.Queue(b, r.URL, server, m, reports)
	if n := len(alike); n > 0 {
		x := alike[n-1]
		a.note("the outbox has %s with this subject and these recipients, such as %s (%v); to see them: %s", units.Count(n, "other mail"), x.ID, x.State, a.outboxCommandLine("list"))
	}
	return e, err
}

// ownServer returns the server of --smtp, with the user of --user if it names none, to which later attempts go, too. That of the
// configuration file is not a mail's own: if it changes, mail that waits is sent through the new one.
func (a *app) ownServer(c *client.Client, u locator.URL) (locator.URL, error) {
	if !a.isSet("smtp") || len(a.flags.smtp) == 0 {
		return locator.URL{}, nil
	}
	servers, err := serversFor(c.Registry(), a.flags.serverTexts(a.flags.smtp, a.Getenv))
	if err != nil || len(servers[u.Scheme()]) == 0 {
		return locator.URL{}, err
	}
	server := servers[u.Scheme()][0]
	if _, named := server.User(); named || !a.isSet("user") {
		return server, nil
	}
	user, _, _ := strings.Cut(a.flags.user, ":")
	with, err := server.WithUser(locator.Some(locator.Encode(user)), locator.Optional{})
	if err != nil {
		return server, nil // a name that no URL has
	}
	return with, nil
}

// printKept prints the message-id of a message, or the object of --json.
func (a *app) printKept(sent present.Put, m *mailfmt.Message) error {
	if a.flags.json {
		return a.printJSON(sent)
	}
	_, err := fmt.Fprintln(a.Out, safe("<"+m.ID+">"))
	return outputError(err)
}
