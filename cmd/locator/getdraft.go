package main

import (
	"context"
	"io"
	"strings"

	"locator/internal/compose"
	"locator/internal/console"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
	"locator/wire"
)

// noteBcc says which blind copies a draft has lost.
func (p *printer) noteBcc(shown string, leftOut []string) {
	if len(leftOut) > 0 {
		p.note("%s: the URL asks for a blind copy to %s, which is left out; to keep it, use --allow-bcc", shown, strings.Join(leftOut, ", "))
	}
}

// draft writes a draft to a place, or hands it to the mail program of the desktop.
func (g *getter) draft(ctx context.Context, res *scheme.Resource, to place) error {
	d := *res.Draft
	g.app.noteBcc(res.URL.Redacted(), compose.Bcc(&d, g.o.allowBcc))
	if g.o.open {
		return g.openDraft(ctx, res, &d)
	}
	return g.writeTo(ctx, res, to, func(w io.Writer) (int64, error) {
		text := io.Reader(strings.NewReader(compose.Text(&d)))
		if to == (place{}) && console.IsTerminal(g.app.Out) {
			text = wire.Text(text)
		}
		return io.Copy(w, text)
	})
}

// openDraft hands a draft to the mail program of the desktop. The URL is made of the fields that the draft has kept.
func (g *getter) openDraft(ctx context.Context, res *scheme.Resource, d *message.Draft) error {
	s, _ := g.c.Registry().Lookup(res.URL.Scheme())
	link, ok := s.(bulk.Linker)
	if !ok {
		return scheme.Fail(scheme.CodeUnsupported, "a draft of the scheme %s has no URL for a mail program", res.URL.Scheme())
	}
	u, err := link.Link(d)
	if err != nil {
		return err
	}
	if err := compose.Open(ctx, u); err != nil {
		return err
	}
	g.app.info("%s: handed to the mail program of the desktop", res.URL.Redacted())
	return nil
}
