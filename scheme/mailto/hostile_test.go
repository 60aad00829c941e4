package mailto_test

import (
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
)

// No part of a URL, a message or a login begins a command or a field of its own.
//
// Covers: P1, P2, T127, T128
func TestInjection(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, url := range []string{
		"mailto:bob@to.example%3E%0D%0ARCPT%20TO:%3Cspy@to.example", "mailto:%22a%0D%0Ab%22@to.example", "mailto:?to=bob@to.example%0Aspy@to.example", "mailto:bob@to.example?subject=x%0D%0ABcc:%20spy@to.example",
		"mailto:bob@to.example?keywords=a%0Db", "mailto:bob@to.example?cc=a@to.example%0D%0AX:y", "mailto:bob@to.example?in-reply-to=%3Ca@b%3E%0AX:y", "mailto:bob@to.example?body=a%00b",
	} {
		if got := send(t, s, url, letter, scheme.WriteOptions{}); got.err == nil || client.CodeOf(got.err) != scheme.CodeRefused {
			t.Errorf("%s: %v", url, got.err)
		}
	}
	for _, text := range []string{"Subject: x\rBcc: spy@to.example\n\ny\n", "From: a@b.example\nTo: bob@to.example,\n\x00spy@to.example\n\ny\n", "From: \"a\r\rMAIL\"@b.example\n\ny\n", "Subject: x\n\na\r.\r\nQUIT\r\n"} {
		if got := send(t, s, "mailto:bob@to.example", text, scheme.WriteOptions{}, func(o *client.Options) { o.Mail = "ann@from.example" }); got.err == nil {
			t.Errorf("%q was sent", text)
		}
	}
	for _, to := range []string{"a@b.example>\r\nRCPT TO:<spy@to.example", "a@b.example> NOTIFY=NEVER", "a b@c.example d@e.example", "\r\n"} {
		if got := send(t, s, "mailto:bob@to.example", letter, scheme.WriteOptions{Recipients: []string{to}}); got.err == nil && strings.Contains(got.trace, "RCPT TO:<"+to+">") {
			t.Errorf("%q was sent", to)
		}
	}
	for _, line := range s.Lines() {
		if strings.Contains(line, "spy") && !strings.HasPrefix(line, "RCPT TO:<\"") {
			t.Errorf("the server got %q", line)
		}
	}
	for _, m := range s.Mails() {
		if len(m.To) == 1 && m.To[0] == `"a b@c.example d"@e.example` {
			continue // one recipient with a strange name
		}
		t.Errorf("a mail was sent to %q: %q", m.To, m.Data)
	}
}
