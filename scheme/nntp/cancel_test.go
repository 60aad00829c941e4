package nntp_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/nntp"
	"locator/scheme/nntp/nntptest"
)

// The author of an article cancels it, and nobody else.
//
// Covers: A9, T138
func TestCancel(t *testing.T) {
	t.Parallel()
	mine := strings.Replace(text("mine@b.example", "x", "x\r\n"), "a@b.example", "Alice <Alice@example.org>", 1)
	s := start(t, append(numbered(1), nntptest.Article("g.test", mine))...)
	var notes []string
	c := newPoster(t, s, func(o *client.Options) {
		o.Note = func(_ locator.URL, text string) { notes = append(notes, text) }
	})
	err := c.Remove(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 1)})
	wantCode(t, err, scheme.CodeRefused, "a@b.example", "alice@example.org")
	err = newPoster(t, s, func(o *client.Options) { o.Mail = "" }).Remove(t.Context(), scheme.Request{URL: locator.Current.MustParse("news:mine@b.example")})
	wantCode(t, err, scheme.CodeLocal, "[Mail]")
	wantCode(t, c.Remove(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}), scheme.CodeUnsupported)
	wantCode(t, c.Remove(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 99)}), scheme.CodeNotFound)
	if len(s.Messages()) > 0 {
		t.Fatalf("posted %q", s.Messages())
	}
	err = c.Remove(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 2)})
	wantCode(t, err, scheme.CodeUsage, "/mine@b.example")
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok || e.Partial.Attr.ID != "mine@b.example" || len(s.Messages()) > 0 {
		t.Fatalf("%v; posted %q", err, s.Messages())
	}
	if err := c.Remove(t.Context(), scheme.Request{URL: e.Partial.URL}); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(s.Messages()[0], "\r\n\r\n")
	for _, line := range []string{"Control: cancel <mine@b.example>", "From: Alice <Alice@example.org>", "Newsgroups: g.test", "Subject: cmsg cancel <mine@b.example>"} {
		if !strings.Contains("\r\n"+header+"\r\n", "\r\n"+line+"\r\n") {
			t.Errorf("%q lacks %q", header, line)
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "for <mine@b.example> was posted; servers may ignore it") {
		t.Errorf("notes %q", notes)
	}
	_, err = get(t, c, locator.Current.MustParse("news:mine@b.example"))
	wantCode(t, err, scheme.CodeNotFound)
}

// A server that answers with another article, or with several message-ids, gets no cancel message
// for it, and no key.
//
// Covers: A9, T138
func TestCancelAnother(t *testing.T) {
	t.Parallel()
	const victim = "victim@real.example"
	asked := locator.Current.MustParse("news:asked@b.example")
	for _, tt := range []struct {
		reply, ids string
		code       scheme.Code
		text       string
	}{
		{"0 <asked@b.example>", "Message-ID: <victim@real.example>", scheme.CodeProtocol, `another article, "<victim@real.example>"`},
		{"0 <victim@real.example>", "Message-ID: <victim@real.example>", scheme.CodeProtocol, "another article"},
		{"0 <asked@b.example>", "Message-ID: <asked@b.example>\r\nMessage-ID: <victim@real.example>", scheme.CodeProtocol, "2 fields Message-ID"},
		{"0 <asked@b.example>", "Message-ID: <victim@real.example>\r\nmessage-id: <asked@b.example>", scheme.CodeProtocol, "2 fields Message-ID"},
		{"0 <asked@b.example>", "Message-ID: <asked@b.example>\r\n <victim@real.example>", scheme.CodeProtocol, "another article"},
		{"0 <asked@b.example>", "Message-ID: <asked@b.example> <victim@real.example>", scheme.CodeProtocol, "another article"},
		{"0 <asked@b.example>", "Message-ID: =?utf-8?q?<asked@b.example>?=", scheme.CodeProtocol, "another article"},
		{"0 <asked@b.example>", "X-ID: <asked@b.example>", scheme.CodeProtocol, "0 fields Message-ID"},
	} {
		s := start(t, nntptest.Reply("HEAD", "221 "+tt.reply+"\r\nFrom: alice@example.org\r\nNewsgroups: g.test\r\n"+tt.ids+"\r\nSubject: x\r\n.\r\n"))
		c := newPoster(t, s, func(o *client.Options) { o.Settings = []any{nntp.Settings{CancelSecret: "secret of alice"}} })
		wantCode(t, c.Remove(t.Context(), scheme.Request{URL: asked}), tt.code, tt.text)
		if lines := strings.Join(s.Lines(), "\n"); strings.Contains(lines, "POST") || len(s.Messages()) > 0 {
			t.Errorf("%s: %s", tt.ids, lines)
		}
	}
	for ids, text := range map[string]string{
		"Message-ID: <" + victim + ">": victim, "Message-ID: " + victim: "no valid Message-ID", "Message-ID: <>": "no valid Message-ID",
		"Message-ID: <a@b.example> <" + victim + ">": "no valid Message-ID", "Message-ID: <a@b.example>\r\nMessage-ID: <" + victim + ">": "2 fields",
	} {
		s := start(t, append(numbered(1), nntptest.Reply("HEAD", "221 1\r\nFrom: alice@example.org\r\nNewsgroups: g.test\r\n"+ids+"\r\nSubject: x\r\n.\r\n"))...)
		err := newPoster(t, s).Remove(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 1)})
		if err == nil || !strings.Contains(err.Error(), text) || len(s.Messages()) > 0 {
			t.Errorf("%s: %v; posted %q", ids, err, s.Messages())
		}
	}
}

// With a secret, the key in the cancel message opens the lock of the article (RFC 8315).
//
// Covers: A9
func TestCancelLock(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newPoster(t, s, func(o *client.Options) { o.Settings = []any{nntp.Settings{CancelSecret: "secret of alice"}} })
	res, err := post(t, c, s.GroupURL("g.test", 0), "Subject: x\n\nx\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Remove(t.Context(), scheme.Request{URL: res.URL}); err != nil {
		t.Fatal(err)
	}
	field := func(message, name string) string {
		_, rest, _ := strings.Cut(message, "\r\n"+name+": sha256:")
		value, _, _ := strings.Cut(rest, "\r\n")
		return value
	}
	sum := sha256.Sum256([]byte(field(s.Messages()[1], "Cancel-Key")))
	if lock := field(s.Messages()[0], "Cancel-Lock"); lock != base64.StdEncoding.EncodeToString(sum[:]) {
		t.Errorf("the key does not fit: %q", s.Messages())
	}
	if strings.Contains(strings.Join(s.Messages(), ""), "secret of alice") {
		t.Error("the secret was sent")
	}
}
