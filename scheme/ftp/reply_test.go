package ftp

import (
	"errors"
	"net"
	"strings"
	"testing"
	"unicode/utf8"

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

// Covers: P6
func TestFailure(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]scheme.Code{
		"421 bye": scheme.CodeUnavailable, "425 no": scheme.CodeUnavailable, "450 busy": scheme.CodeUnavailable, "451 x": scheme.CodeUnavailable, "452 x": scheme.CodeUnavailable,
		"450 x: No such file or directory": scheme.CodeNotFound, "550 Failed to open file.": scheme.CodeNotFound, "550 x: Permission denied": scheme.CodeLoginNeeded,
		"550 Access is denied.": scheme.CodeLoginNeeded, "553 bad name": scheme.CodeNotFound, "553 Prohibited file name: a\\b": scheme.CodeUnsupported, "550 Filename not allowed": scheme.CodeUnsupported, "530 Please login": scheme.CodeLoginNeeded, "532 x": scheme.CodeLoginNeeded,
		"430 x": scheme.CodeLoginNeeded, "500 x": scheme.CodeUnsupported, "502 x": scheme.CodeUnsupported, "504 x": scheme.CodeUnsupported, "503 x": scheme.CodeProtocol,
		"552 full": scheme.CodeUnavailable, "534 x": scheme.CodeUnsupported, "599 x": scheme.CodeProtocol, "230 x": scheme.CodeProtocol, "331 x": scheme.CodeProtocol,
	} {
		code, _, ok := dialogue.ParseCode(line)
		r := newReply(code, line)
		if !ok || r.failure() != want {
			t.Errorf("%s: %v, want %v", line, r.failure(), want)
		}
	}
	for line, want := range map[string]scheme.Code{
		"550 Could not create file.": scheme.CodeLoginNeeded, "553 x": scheme.CodeLoginNeeded, "553 Prohibited file name: a": scheme.CodeUnsupported, "550 No such directory": scheme.CodeNotFound, "452 x": scheme.CodeUnavailable,
	} {
		code, _, _ := dialogue.ParseCode(line)
		var e *scheme.Error
		if err := newReply(code, line).failWrite("x"); !errors.As(err, &e) || e.Code != want {
			t.Errorf("writing, %s: %v, want %v", line, err, want)
		}
	}
}

// Covers: P5, T2
func TestPassiveReplies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint16{
		"Entering Extended Passive Mode (|||6446|)": 6446, "ok (!!!1!)": 1, "(|||65535|).": 65535,
		"(|||65536|)": 0, "(|||0|)": 0, "(||||)": 0, "(|||-1|)": 0, "|||6446|": 0, "(|1|127.0.0.1|6446|)": 0, "(1116446 1)": 0, "(|||6446": 0, "": 0, "(": 0,
	} {
		if got, ok := parseEPSV(text); got != want && ok || ok != (want > 0) {
			t.Errorf("EPSV %q: %d %v, want %d", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{
		"Entering Passive Mode (192,0,2,1,4,1).": "192.0.2.1:1025", "=10,0,0,1,0,21": "10.0.0.1:21", "1 try: 10,0,0,1,255,255!": "10.0.0.1:65535",
		"(192,0,2,1,0,0)": "", "(192,0,2,256,4,1)": "", "(192,0,2,1,4)": "", "192,0,2,1,4,1000": "", "192,0,2,1,4,1,1": "", "(192.0.2.1.4.1)": "", "": "",
	} {
		got, ok := parsePASV(text)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("PASV %q: %v %v, want %q", text, got, ok, want)
		}
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

// Covers: A4
func TestFeatures(t *testing.T) {
	t.Parallel()
	f := parseFeatures(newReply(211, "211-Features:", " MLST Type*;Size;Modify;X*;", "utf8", "  REST STREAM ", "", "211 End"))
	if !f.has("UTF8") || f["REST"] != "STREAM" || !f.machineLists() || len(f) != 3 {
		t.Errorf("%q", f)
	}
	if got := f.missingFacts(); got != "Type;Size;Modify;X;" {
		t.Errorf("missing facts %q", got)
	}
	if got := (features{"MLST": "type*;size*;modify*;UNIX.mode;"}).missingFacts(); got != "" {
		t.Errorf("missing facts %q", got)
	}
	for _, r := range []reply{newReply(500, "500 what?"), newReply(211, "211 none"), newReply(211, "211-a", "211 b")} {
		if f := parseFeatures(r); len(f) != 0 || f.machineLists() || f.missingFacts() != "" {
			t.Errorf("%v: %q", r.Lines, f)
		}
	}
}

// The temporary name of an upload ends a long name between two characters.
func TestTemporary(t *testing.T) {
	t.Parallel()
	name := temporary("x" + strings.Repeat("é", 150))
	if !utf8.ValidString(name) || len(name) > 255 || !strings.HasPrefix(name, "x"+strings.Repeat("é", 99)+".") {
		t.Errorf("%q, %d bytes", name, len(name))
	}
}
