package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/units"
	"locator/outbox"
	"locator/scheme"
)

// jsonMessage is the object of outbox --json.
type jsonMessage struct {
	ID         present.Octets  `json:"id"`
	State      *present.Octets `json:"state"`
	URL        *present.Octets `json:"url"`
	Server     *present.Octets `json:"server"`
	MessageID  *present.Octets `json:"message_id"`
	From       *present.Octets `json:"from"`
	Subject    *present.Octets `json:"subject"`
	Recipients []jsonRecipient `json:"recipients"`
	Size       int64           `json:"size"`
	Queued     *string         `json:"queued"`
	Changed    *string         `json:"changed"`
	Next       *string         `json:"next"`
	Attempts   int             `json:"attempts"`
	Status     int             `json:"status"`
	Error      *present.Octets `json:"error"`
	Reply      *present.Octets `json:"reply"`

	History []jsonMessageEvent `json:"history,omitempty"`
}

// jsonRecipient is a recipient of a jsonMessage.
type jsonRecipient struct {
	Address present.Octets  `json:"address"`
	State   string          `json:"state"`
	Reply   *present.Octets `json:"reply"`
}

// jsonMessageEvent is an event in the history of a jsonMessage.
type jsonMessageEvent struct {
	At    string         `json:"at"`
	State string         `json:"state"`
	Text  present.Octets `json:"text"`
}

// newJSONMessage returns the object of a message. Its status and error are those of the last attempt.
func newJSONMessage(e outbox.Entry) jsonMessage {
	j := jsonMessage{ID: present.Octets(e.ID), From: present.OrNull(e.From), Subject: present.OrNull(e.Subject), MessageID: present.OrNull(e.MessageID), Size: e.Size,
		Attempts: e.Attempts, Status: e.Code.Exit(), Error: present.OrNull(e.Error), Reply: present.OrNull(e.Reply), Recipients: []jsonRecipient{}}
	if e.ID != "" {
		j.State, j.URL, j.Server = present.OrNull(e.State.String()), present.OrNull(e.URL.Redacted()), present.OrNull(e.Server.Redacted())
	}
	if e.Receipt != nil && e.Reply == "" {
		j.Reply = present.OrNull(e.Receipt.Reply)
	}
	for _, r := range e.Recipients {
		j.Recipients = append(j.Recipients, jsonRecipient{present.Octets(r.Address), r.State.String(), present.OrNull(r.Reply)})
	}
	for _, t := range []struct {
		to *(*string)
		at time.Time
	}{{&j.Queued, e.Queued}, {&j.Changed, e.Changed}, {&j.Next, e.Next}} {
		if !t.at.IsZero() {
			text := t.at.UTC().Format(time.RFC3339)
			*t.to = &text
		}
	}
	return j
}

// listOutbox prints a line for each mail, and one for the reason if it was not sent.
func (a *app) listOutbox(_ context.Context, b *outbox.Outbox, _ []string, _ outboxOptions) error {
	entries, problems, err := b.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if a.flags.json {
			err = a.printJSON(newJSONMessage(e))
		} else {
			_, err = fmt.Fprint(a.Out, a.messageLines(e))
			err = outputError(err)
		}
		if err != nil {
			return err
		}
	}
	if len(entries) == 0 {
		a.note("the outbox %s is empty", b.Dir())
	}
	a.reportProblems(problems)
	return nil
}

// Widths of the columns of outbox list.
const (
	stateWidth = len("in doubt")
	toWidth    = 28
	idIndent   = "            " // below an ID
)

// messageLines returns the lines of outbox list for a message.
func (a *app) messageLines(e outbox.Entry) string {
	to := ""
	if len(e.Recipients) > 0 {
		to = safe(e.Recipients[0].Address)
	}
	if n := len(e.Recipients) - 1; n > 0 {
		more := fmt.Sprintf(" +%d", n)
		to = runewidth.Truncate(to, toWidth-len(more), "…") + more
	}
	to = runewidth.FillRight(runewidth.Truncate(to, toWidth, "…"), toWidth)
	line := fmt.Sprintf("%s  %-*s  %s  %s  %s", e.ID, stateWidth, e.State, minute(e.Queued), to, safe(e.Subject))
	why := reason(e)
	if console.IsTerminal(a.Out) {
		width := console.Width(a.Out)
		line, why = runewidth.Truncate(line, width, "…"), runewidth.Truncate(why, max(width-len(idIndent), 20), "…")
	}
	line = strings.TrimRight(line, " ") + "\n"
	if why != "" {
		line += idIndent + why + "\n"
	}
	return line
}

// shownServer returns the URL of the server of a message for people.
func shownServer(e outbox.Entry) string { return strings.TrimSuffix(e.Server.Redacted(), "/") }

// reason says why a message was not sent, when it will be, and through which server if it has one of its own.
func reason(e outbox.Entry) string {
	if e.State == outbox.Sent || e.State == outbox.Sending {
		return ""
	}
	text := safe(e.Error)
	if e.Reply != "" && !strings.Contains(text, e.Reply) {
		text += " (server: " + safe(e.Reply) + ")"
	}
	if !e.Next.IsZero() {
		text = "next " + minute(e.Next) + ": " + text
	}
	if e.Server.IsZero() {
		return text
	}
	return strings.TrimSuffix("through "+shownServer(e)+": "+text, ": ")
}

// reportProblems reports files that are no messages. Those that look like one are failures.
func (a *app) reportProblems(problems []outbox.Problem) {
	const most = 10
	for i, p := range problems {
		if i == most {
			a.note("and %s", units.Count(len(problems)-most, "other file"))
		}
		if bad, ok := errors.AsType[*scheme.Error](p.Err); ok {
			a.status.add(bad.Code)
			if i < most && !a.flags.quiet {
				a.say("%v; it is left alone", bad)
			}
		} else if i < most {
			a.note("outbox: %s %v", p.Name, p.Err)
		}
	}
}
