package nntp

import (
	"bytes"
	"testing"

	"locator/client"
	"locator/scheme"
)

// A CR or LF alone is never sent: a server could take it for a line end, and what follows a dot for
// a command. Package mailfmt refuses it before; an article that was changed since then is not
// posted.
//
// Covers: P2, A9, T124
func TestStuffer(t *testing.T) {
	t.Parallel()
	for _, pieces := range [][]string{
		{"a\rb\r\n"}, {"a\nb\r\n"}, {"\n"}, {"a\r"}, {"a\r\r\n"}, {"a\r", "b\r\n"}, {"a\r", "\r\n"}, {"a", "\n"}, {"a\r\n", "\n"}, {"\r\n.\r", ".\r\n"}, {"\r\n.\n"}, {"no end"},
	} {
		var sent bytes.Buffer
		s := &stuffer{w: &sent}
		var err error
		for _, p := range pieces {
			if err == nil {
				_, err = s.Write([]byte(p))
			}
		}
		if err == nil {
			err = s.flush()
		}
		if client.CodeOf(err) != scheme.CodeLocal || sent.Len() > 0 {
			t.Errorf("%q: %v, sent %q", pieces, err, sent.String())
		}
	}
	for _, pieces := range [][]string{{".a\r\n..\r\n.\r\n"}, {".", "a\r", "\n", "..\r\n", ".", "\r\n"}} {
		var sent bytes.Buffer
		s := &stuffer{w: &sent}
		for _, p := range pieces {
			if n, err := s.Write([]byte(p)); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := s.flush(); err != nil || sent.String() != "..a\r\n...\r\n..\r\n" {
			t.Errorf("%q: %v, sent %q", pieces, err, sent.String())
		}
	}
}
