package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"locator/internal/console"
	"locator/scheme"
	"locator/wire"
)

// keepBcc adds the blind copies that a URL asks for to its draft if the user allows that. Otherwise it removes them, and says so.
func (a *app) keepBcc(shown string, d *scheme.Draft, allowed bool) {
	if len(d.Bcc) == 0 {
		return
	}
	to := strings.Join(d.Bcc, ", ")
	if allowed {
		d.Header = append(d.Header, scheme.Attribute{Name: "Bcc", Value: to})
		return
	}
	d.Bcc = nil
	a.note("%s: the URL asks for a blind copy to %s, which is left out; to keep it, use --allow-bcc", shown, to)
}

// draft writes a draft to a place, or hands it to the mail program of the desktop.
func (g *getter) draft(ctx context.Context, res *scheme.Resource, to place) error {
	d := *res.Draft
	g.app.keepBcc(res.URL.Redacted(), &d, g.o.allowBcc)
	if g.o.open {
		return g.openDraft(ctx, res, &d)
	}
	return g.writeTo(ctx, res, to, func(w io.Writer) (int64, error) {
		text := io.Reader(strings.NewReader(draftText(&d)))
		if to == (place{}) && console.IsTerminal(g.app.Out) {
			text = wire.Text(text)
		}
		return io.Copy(w, text)
	})
}

// draftText formats a draft for an editor or mail program.
func draftText(d *scheme.Draft) string {
	var b strings.Builder
	if len(d.To) > 0 {
		fmt.Fprintf(&b, "To: %s\n", safe(strings.Join(d.To, ", ")))
	}
	for _, h := range d.Header {
		fmt.Fprintf(&b, "%s: %s\n", safe(h.Name), safe(h.Value))
	}
	b.WriteString("\n" + d.Body)
	if d.Body != "" && !strings.HasSuffix(d.Body, "\n") {
		b.WriteByte('\n')
	}
	return b.String()
}

// openDraft hands a draft to the mail program of the desktop. The URL is made of the fields that the draft has kept.
func (g *getter) openDraft(ctx context.Context, res *scheme.Resource, d *scheme.Draft) error {
	s, _ := g.c.Registry().Lookup(res.URL.Scheme())
	link, ok := s.(scheme.Linker)
	if !ok {
		return scheme.Fail(scheme.CodeUnsupported, "a draft of the scheme %s has no URL for a mail program", res.URL.Scheme())
	}
	u, err := link.Link(d)
	if err != nil {
		return err
	}
	command := opener(runtime.GOOS, u.Text())
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	if err := cmd.Run(); errors.Is(err, exec.ErrNotFound) {
		return scheme.Fail(scheme.CodeLocal, "cannot open the mail program of the desktop: %s is not installed", command[0])
	} else if err != nil {
		return scheme.Fail(scheme.CodeLocal, "cannot open the mail program of the desktop: %s: %w", command[0], err)
	}
	g.app.info("%s: handed to the mail program of the desktop", res.URL.Redacted())
	return nil
}

// opener returns the command that opens a URL with the program of the desktop. None of them is a shell, and a URL begins with a letter, so
// it is no option.
func opener(system, url string) []string {
	switch system {
	case "darwin":
		return []string{"open", url}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	}
	return []string{"xdg-open", url}
}
