package archive

import (
	"strings"
	"testing"

	"locator/internal/mailtext"
)

// Only a Message-ID that is sound and alone identifies a message.
//
// Covers: A9, T95
func TestMessageID(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"Message-ID: <a@b>":                    "a@b",
		"message-id:\n <a@b>":                  "a@b",
		"Message-ID: a@b":                      "a@b",
		"Subject: x":                           "",
		"Message-ID: <>":                       "",
		"Message-ID:":                          "",
		"Message-ID: <a b@c>":                  "",
		"Message-ID: <a@b> <c@d>":              "",
		"Message-ID: <a@b>\nMessage-ID: <a@b>": "",
		"Message-ID: <12345>":                  "",
		"Message-ID: <@b>":                     "",
		"Message-ID: <a@>":                     "",
		"Message-ID: <caf\xe9@b>":              "",
		"Message-ID: <" + strings.Repeat("x", 2000) + "@b>": "",
	} {
		if got := messageID(mailtext.Fields(header + "\n\n")); got != want {
			t.Errorf("%.60q: %q, want %q", header, got, want)
		}
	}
}
