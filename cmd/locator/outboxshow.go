package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"locator/internal/present"
	"locator/internal/units"
	"locator/outbox"
)

// showMessages prints mails with what has happened to them.
func (a *app) showMessages(ctx context.Context, b *outbox.Outbox, ids []string, o outboxOptions) error {
	return a.eachMessage(ctx, b, ids, func(e outbox.Entry) error {
		if a.flags.json {
			j := newJSONMessage(e)
			for _, v := range e.History {
				j.History = append(j.History, jsonMessageEvent{v.At.Format(time.RFC3339), v.State.String(), present.Octets(v.Text)})
			}
			return a.printJSON(j)
		}
		text, err := b.Content(e.ID)
		if err != nil {
			return err
		}
		defer text.Close()
		if !o.raw {
			if _, err := io.WriteString(a.Out, describeMessage(e)); err != nil {
				return outputError(err)
			}
		}
		_, err = io.Copy(a.Out, a.forTerminal(text))
		return outputError(err)
	})
}

// describeMessage returns what is known of a message, as lines.
func describeMessage(e outbox.Entry) string {
	var s strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&s, "%-12s%s\n", name, safe(value))
		}
	}
	line("id", e.ID)
	line("state", e.State.String())
	line("why", e.Error)
	if !e.Next.IsZero() {
		line("next", minute(e.Next))
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
		fmt.Fprintf(&s, "%-12s%s\n", name, safe(text))
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
		text := minute(v.At) + "  " + v.State.String()
		if v.Text != "" {
			text += ": " + v.Text
		}
		fmt.Fprintf(&s, "%-12s%s\n", name, safe(text))
	}
	s.WriteByte('\n')
	return s.String()
}

// minute formats a time for people, in UTC.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
