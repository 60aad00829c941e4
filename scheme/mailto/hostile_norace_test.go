//go:build !race

package mailto_test

import (
	"errors"
	"strings"
	"testing"

	"locator/scheme"
	"locator/scheme/mailto/smtptest"
	"locator/wire"
)

// A reply without an end is bounded in bytes and lines.
//
// Covers: P6, T131
func TestEndless(t *testing.T) {
	t.Parallel()
	for verb, text := range map[string]string{"EHLO": strings.Repeat("250-again\r\n", 1<<16), "": strings.Repeat("220-again\r\n", 1<<16), "MAIL": "250 " + strings.Repeat("x", 1<<20)} {
		got := send(t, start(t, smtptest.Reply(verb, text)), "mailto:bob@to.example", letter, scheme.WriteOptions{})
		wantCode(t, got.err, scheme.CodeBroken)
		if !errors.Is(got.err, wire.ErrLimit) {
			t.Errorf("%q: %v", verb, got.err)
		}
	}
}
