package nntp

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/wire"
)

// talk returns a connection to a server that answers each command with the next reply.
func talk(t *testing.T, replies ...string) *conn {
	t.Helper()
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() })
	go func() {
		b := make([]byte, 1024)
		for _, r := range replies {
			if _, err := far.Read(b); err != nil {
				return
			}
			io.WriteString(far, r)
		}
	}()
	return &conn{raw: near, wire: wire.NewConn(near, wire.Options{}), max: 1000, tls: true,
		server: server{host: "h", user: locator.Some("alice"), password: locator.Some("28")}}
}

// The password is masked in the text of a reply, and not in its code.
//
// Covers: P3
func TestMaskedReply(t *testing.T) {
	t.Parallel()
	c := talk(t, "381 28?\r\n", "281 28 is welcome\r\n")
	env := &scheme.Env{Trace: &scheme.Trace{}}
	if err := c.login(t.Context(), env, reply{}); err != nil || !c.loggedIn {
		t.Fatal(err)
	}
	c.secrets = []string{"28"}
	for line, want := range map[string]string{"281 28": "281 ****", "281": "281", "28": "****", "281x28": "****1x****", "": ""} {
		if got := c.mask(line, wire.Escape); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

// A server that wants more after a login leaves the connection in the middle of a dialogue: it is not used again.
//
// Covers: A9
func TestUnfinishedLogin(t *testing.T) {
	t.Parallel()
	for _, replies := range [][]string{{"383 =\r\n"}, {"381 more\r\n", "383 =\r\n"}} {
		c := talk(t, replies...)
		if len(replies) == 1 {
			c.caps = capabilities{"AUTHINFO": {"SASL"}, "SASL": {"PLAIN"}}
		}
		err := c.login(t.Context(), &scheme.Env{Trace: &scheme.Trace{}}, reply{})
		if client.CodeOf(err) != scheme.CodeProtocol || !c.unusable.Load() {
			t.Errorf("%q: unusable %v, %v", replies, c.unusable.Load(), err)
		}
	}
}

// A server that repeats the password of SASL PLAIN, encoded or not, shows it neither in an error nor in a trace.
//
// Covers: P3
func TestMaskedSASL(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"281", "481"} {
		c := talk(t, code+" AGFsaWNlAHMzY3JldA== s3cret\\alice\r\n", "101 list\r\n.\r\n")
		c.caps = capabilities{"AUTHINFO": {"SASL"}, "SASL": {"PLAIN"}}
		c.server.password = locator.Some("s3cret")
		var seen []string
		env := &scheme.Env{Trace: &scheme.Trace{Received: func(line string) { seen = append(seen, line) }, Sent: func(line string) { seen = append(seen, line) }}}
		c.wire.SetOptions(c.options(env))
		c.caps = capabilities{"AUTHINFO": {"SASL"}, "SASL": {"PLAIN"}}
		err := c.login(t.Context(), env, reply{})
		text := strings.Join(seen, "\n") + "\n" + fmt.Sprint(err)
		if len(seen) == 0 || strings.Contains(text, "s3cret") || strings.Contains(text, "AGFs") || !strings.Contains(text, "****") {
			t.Errorf("%q", text)
		}
	}
}
