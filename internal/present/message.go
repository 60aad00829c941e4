package present

import (
	"fmt"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"locator/internal/units"
	"locator/outbox"
	"locator/wire"
)

// Message is the object of a mail in the outbox.
type Message struct {
	ID         Octets      `json:"id"`
	State      *Octets     `json:"state"`
	URL        *Octets     `json:"url"`
	Server     *Octets     `json:"server"`
	MessageID  *Octets     `json:"message_id"`
	From       *Octets     `json:"from"`
	Subject    *Octets     `json:"subject"`
	Recipients []Recipient `json:"recipients"`
	Size       int64       `json:"size"`
	Queued     *string     `json:"queued"`
	Changed    *string     `json:"changed"`
	Next       *string     `json:"next"`
	Attempts   int         `json:"attempts"`
	Status     int         `json:"status"`
	Error      *Octets     `json:"error"`
	Reply      *Octets     `json:"reply"`

	History []MessageEvent `json:"history,omitempty"`
}

// Recipient is a recipient of a Message.
type Recipient struct {
	Address Octets  `json:"address"`
	State   string  `json:"state"`
	Reply   *Octets `json:"reply"`
}

// MessageEvent is an event in the history of a Message.
type MessageEvent struct {
	At    string `json:"at"`
	State string `json:"state"`
	Text  Octets `json:"text"`
}

// MessageOf returns the object of a message. Its status and error are those of the last attempt.
func MessageOf(e outbox.Entry) Message {
	j := Message{ID: Octets(e.ID), From: OrNull(e.From), Subject: OrNull(e.Subject), MessageID: OrNull(e.MessageID), Size: e.Size,
		Attempts: e.Attempts, Status: e.Code.Exit(), Error: OrNull(e.Error), Reply: OrNull(e.Reply), Recipients: []Recipient{}}
	if e.ID != "" {
		j.State, j.URL, j.Server = OrNull(e.State.String()), OrNull(e.URL.Redacted()), OrNull(e.Server.Redacted())
	}
	if e.Receipt != nil && e.Reply == "" {
		j.Reply = OrNull(e.Receipt.Reply)
	}
	for _, r := range e.Recipients {
		j.Recipients = append(j.Recipients, Recipient{Octets(r.Address), r.State.String(), OrNull(r.Reply)})
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

// Widths of the columns of outbox list.
const (
	stateWidth = len("in doubt")
	toWidth    = 28
	idIndent   = "            " // below an ID
)

// MessageLines returns a line for a mail in the outbox, and one for the reason if it was not sent.
// On a terminal with that many columns, long lines are cut; with 0 they are not.
func MessageLines(e outbox.Entry, width int) string {
	to := ""
	if len(e.Recipients) > 0 {
		to = wire.TextLine(e.Recipients[0].Address)
	}
	if n := len(e.Recipients) - 1; n > 0 {
		more := fmt.Sprintf(" +%d", n)
		to = runewidth.Truncate(to, toWidth-len(more), "…") + more
	}
	to = runewidth.FillRight(runewidth.Truncate(to, toWidth, "…"), toWidth)
	line := fmt.Sprintf("%s  %-*s  %s  %s  %s", e.ID, stateWidth, e.State, Minute(e.Queued), to, wire.TextLine(e.Subject))
	why := reason(e)
	if width > 0 {
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

// reason says why a message was not sent, when it will be, and through which server if it has one
// of its own.
func reason(e outbox.Entry) string {
	if e.State == outbox.Sent || e.State == outbox.Sending {
		return ""
	}
	text := wire.TextLine(e.Error)
	if e.Reply != "" && !strings.Contains(text, e.Reply) {
		text += " (server: " + wire.TextLine(e.Reply) + ")"
	}
	if !e.Next.IsZero() {
		text = "next " + Minute(e.Next) + ": " + text
	}
	if e.Server.IsZero() {
		return text
	}
	return strings.TrimSuffix("through "+shownServer(e)+": "+text, ": ")
}

// MessageText returns what is known of a message, as lines.
func MessageText(e outbox.Entry) string {
	var s strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&s, "%-12s%s\n", name, wire.TextLine(value))
		}
	}
	line("id", e.ID)
	line("state", e.State.String())
	line("why", e.Error)
	if !e.Next.IsZero() {
		line("next", Minute(e.Next))
	}
	line("url", e.URL.Redacted())
	line("server", shownServer(e))
	line("message-id", e.MessageID)
	line("from", e.From)
	for i, r := range e.Recipients {
		name := ""
		if i == 0 {
			name = "to"
		}
		text := r.Address + "  " + r.State.String()
		if r.Reply != "" {
			text += ": " + r.Reply
		}
		fmt.Fprintf(&s, "%-12s%s\n", name, wire.TextLine(text))
	}
	line("subject", e.Subject)
	line("size", units.Size(e.Size))
	if e.Receipt != nil {
		line("reply", e.Receipt.Reply)
	}
	for i, v := range e.History {
		name := ""
		if i == 0 {
			name = "history"
		}
		text := Minute(v.At) + "  " + v.State.String()
		if v.Text != "" {
			text += ": " + v.Text
		}
		fmt.Fprintf(&s, "%-12s%s\n", name, wire.TextLine(text))
	}
	s.WriteByte('\n')
	return s.String()
}

// Minute formats a time for people, in UTC.
func Minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// ToSome says that a message was sent to some recipients, if it was.
func ToSome(e outbox.Entry) string {
	if ToUnsent(e) == "" {
		return ""
	}
	return " to all recipients"
}

// MessageTitle names a message in a sentence.
func MessageTitle(e outbox.Entry) string {
	if e.Subject == "" {
		return "mail " + e.ID
	}
	return fmt.Sprintf("mail %s (%s)", e.ID, e.Subject)
}

// ToUnsent says to how many recipients a mail would be sent again, if others have got it.
func ToUnsent(e outbox.Entry) string {
	n := 0
	for _, r := range e.Recipients {
		if r.State != outbox.Sent {
			n++
		}
	}
	if n == len(e.Recipients) {
		return ""
	}
	return " to the " + units.Count(n, "recipient") + " who did not get it"
}
