package compose

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"locator"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// Bcc adds the blind copies that a URL asks for to its draft if keep is set. Otherwise it removes
// them, and returns them.
func Bcc(d *message.Draft, keep bool) (leftOut []string) {
	switch {
	case len(d.Bcc) == 0:
	case keep:
		d.Header = append(d.Header, message.Field{Name: "Bcc", Value: strings.Join(d.Bcc, ", ")})
	default:
		leftOut, d.Bcc = d.Bcc, nil
	}
	return leftOut
}

// Text formats a draft for an editor or mail program.
func Text(d *message.Draft) string {
	var b strings.Builder
	if len(d.To) > 0 {
		fmt.Fprintf(&b, "To: %s\n", wire.TextLine(strings.Join(d.To, ", ")))
	}
	for _, h := range d.Header {
		fmt.Fprintf(&b, "%s: %s\n", wire.TextLine(h.Name), wire.TextLine(h.Value))
	}
	b.WriteString("\n" + d.Body)
	if d.Body != "" && !strings.HasSuffix(d.Body, "\n") {
		b.WriteByte('\n')
	}
	return b.String()
}

// Open hands the URL of a draft to the mail program of the desktop.
func Open(ctx context.Context, u locator.URL) error {
	command := opener(runtime.GOOS, u.Text())
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	if err := cmd.Run(); errors.Is(err, exec.ErrNotFound) {
		return scheme.Fail(scheme.CodeLocal, "cannot open the mail program of the desktop: %s is not installed", command[0])
	} else if err != nil {
		return scheme.Fail(scheme.CodeLocal, "cannot open the mail program of the desktop: %s: %w", command[0], err)
	}
	return nil
}

// opener returns the command that opens a URL with the program of the desktop. None of them is a
// shell, and a URL begins with a letter, so it is not an option.
func opener(system, url string) []string {
	switch system {
	case "darwin":
		return []string{"open", url}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	}
	return []string{"xdg-open", url}
}
