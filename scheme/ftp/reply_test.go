package ftp

import (
	"errors"
	"net"
	"strings"
	"testing"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// replyOf reads one reply from a text.
func replyOf(t testing.TB, text string, max int) (reply, error) {
	client, server := net.Pipe()
	t.Cleanup(func() { client.Close() })
	go func() {
		_, _ = server.Write([]byte(text))
		server.Close()
	}()
	d := &dialogue.Conn{Protocol: protocol, Raw: client, Wire: wire.NewConn(client, wire.Options{MaxLine: 100}), Max: max}
	return (&conn{Conn: d}).reply("x")
}

func newReply(code int, lines ...string) reply {
	return reply{dialogue.Reply{Code: code, Lines: lines}}
}

// Covers: P6, T4
func TestReadReply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		code int
		said string // text of the first line
		n    int    // number of lines
	}{
		{"220 hello\r\n", 220, "hello", 1},
		{"220 hello\n", 220, "hello", 1},
		{"220\r\n", 220, "", 1},
		{"220 \r\n", 220, "", 1},
		{"220-a\r\n220 b\r\n", 220, "a", 2},
		{"220-a\r\n 220 b\r\n221 c\r\n220-d\r\n220\r\n", 220, "a", 5},
		{"220-\r\n\r\n220 x\r\n", 220, "", 3},
		{"257 \"a\rb\"\r\n", 257, "\"a\rb\"", 1},
		{"hello\r\n", 0, "", 1},
		{"22 x\r\n", 0, "", 1},
		{"620 x\r\n", 0, "", 1},
		{"020 x\r\n", 0, "", 1},
		{"220x\r\n", 0, "", 1},
		{"\r\n", 0, "", 1},
		{"220 no end", 0, "", 1},
		{"", 0, "", 0},
		{"220-a\r\n", 0, "", 1},
		{"220 " + strings.Repeat("x", 100) + "\r\n", 0, "", 0},
		{strings.Repeat("220-xxxxxxxx\r\n", 40), 0, "", 0},
	} {
		r, err := replyOf(t, c.text, 400)
		if (err != nil) != (c.code == 0) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if err == nil && (r.Code != c.code || r.Text() != c.said || len(r.Lines) != c.n) {
			t.Errorf("%q: %d %q, %d lines", c.text, r.Code, r.Text(), len(r.Lines))
		}
	}
	_, err := replyOf(t, "HTTP/1.1 400 \x1b[2J\r\n", 400)
	var e *scheme.Error
	if !errors.As(err, &e) || e.Code != scheme.CodeProtocol || strings.ContainsRune(e.Reply, '\x1b') {
		t.Errorf("nonsense: %v", err)
	}
}

func TestParsePath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"/" is the current directory`: "/", `"/a""b" is it`: `/a"b`, `"/a"b" is it`: `/a"b`, `"/x y"`: "/x y", ` "/x"`: "/x", `"/x\"`: `/x\`,
		`/x`: "-", `"/x`: "-", ``: "-", `"`: "-", `""`: "",
	} {
		got, ok := parsePath(text)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAnnounced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"Opening BINARY mode data connection for x (18 bytes).": 18, "Opening x (1 of 2) (7 bytes)": 7, "x (0 bytes)": 0, "x (12 octets)": 12,
		"Accepted data connection": -1, "x (bytes)": -1, "x (-5 bytes)": -1, "x (99999999999999999999 bytes)": -1, "a (5 files)": -1,
	} {
		if got := announced(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
