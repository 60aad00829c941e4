package main

import (
	"context"
	"io"
	"time"

	"locator/internal/console"
	"locator/internal/present"
	"locator/outbox"
)

// showMessages prints mails with what has happened to them.
func (a *app) showMessages(ctx context.Context, b *outbox.Outbox, ids []string, o outboxOptions) error {
	return a.eachMessage(ctx, b, ids, func(e outbox.Entry) error {
		if a.flags.JSON {
			j := present.MessageOf(e)
			for _, v := range e.History {
				j.History = append(j.History, present.MessageEvent{At: v.At.Format(time.RFC3339), State: v.State.String(), Text: present.Octets(v.Text)})
			}
			return a.printJSON(j)
		}
		text, err := b.Content(e.ID)
		if err != nil {
			return err
		}
		defer text.Close()
		if !o.raw {
			if _, err := io.WriteString(a.Out, present.MessageText(e)); err != nil {
				return console.OutputError(err)
			}
		}
		_, err = io.Copy(a.Out, a.forTerminal(text))
		return console.OutputError(err)
	})
}
