package nntp_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hint"
	"locator/internal/leaks"
	"locator/scheme"
	"locator/scheme/nntp"
	"locator/scheme/nntp/nntptest"
)

// start starts a server that is closed at the end of the test.
func start(t testing.TB, options ...nntptest.Option) *nntptest.Server {
	t.Helper()
	s, err := nntptest.Start(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// newClient returns a client for the four schemes.
func newClient(t testing.TB, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{
		Registry: scheme.NewRegistry(nntp.New(), nntp.NewNews(), nntp.NewTLS(), nntp.NewNewsTLS()),
		Limits:   scheme.Limits{Idle: 10 * time.Second},
	}
	for _, f := range change {
		f(&o)
	}
	l := leaks.Watch(t)
	o.Dial = l.Dial(o.Dial)
	c := client.New(o)
	l.Ends(c)
	return c
}

// get reads a URL.
func get(t testing.TB, c *client.Client, u locator.URL) (string, error) {
	t.Helper()
	res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		return "", err
	}
	defer res.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// names lists a URL.
func names(t testing.TB, c *client.Client, u locator.URL, o scheme.ListOptions, opened ...func(*scheme.Resource)) (list []string, err error) {
	t.Helper()
	res, err := c.List(t.Context(), scheme.Request{URL: u}, &o)
	for _, f := range opened {
		if err == nil {
			f(res)
		}
	}
	for e, err := range client.Entries(res, err) {
		if err != nil {
			return list, err
		}
		list = append(list, e.Name)
	}
	return list, nil
}

// text returns an article with that subject.
func text(id, subject, body string) string {
	return fmt.Sprintf("From: a@b.example\r\nNewsgroups: g.test\r\nSubject: %s\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <%s>\r\n\r\n%s", subject, id, body)
}

// numbered returns n articles of g.test.
func numbered(n int) (opts []nntptest.Option) {
	for i := range n {
		opts = append(opts, nntptest.Article("g.test", text(fmt.Sprintf("%d@b.example", i+1), fmt.Sprintf("s%d", i+1), "text\r\n")))
	}
	return opts
}

// wantCode fails unless err has the code and contains all texts.
func wantCode(t testing.TB, err error, code scheme.Code, texts ...string) {
	t.Helper()
	if client.CodeOf(err) != code {
		t.Errorf("code %v, want %v: %v", client.CodeOf(err), code, err)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error()+" ["+hint.Of(err)+"]", text) {
			t.Errorf("the error lacks %q: %v", text, err)
		}
	}
}

// Each class of replies has its code.
//
// Covers: A9, P6
func TestReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb, reply string
		code        scheme.Code
		text        string
	}{
		{"", "400 later\r\n", scheme.CodeUnavailable, "try again later"},
		{"", "502 go away\r\n", scheme.CodeLoginNeeded, "does not permit"},
		{"", "220 mail.example ESMTP\r\n", scheme.CodeProtocol, "makes no sense"},
		{"", "SSH-2.0-OpenSSH\r\n", scheme.CodeProtocol, "does not speak NNTP"},
		{"", "2000 ready\r\n", scheme.CodeProtocol, "does not speak NNTP"},
		{"", "\r\n", scheme.CodeProtocol, "does not speak NNTP"},
		{"", "200 no line end", scheme.CodeBroken, ""},
		{"CAPABILITIES", "101 list\r\nVERSION 2\r\n", scheme.CodeBroken, ""},
		{"GROUP", "411 none\r\n", scheme.CodeNotFound, "no such group"},
		{"GROUP", "480 who?\r\n", scheme.CodeLoginNeeded, "a login is needed"},
		{"GROUP", "483 TLS\r\n", scheme.CodeLoginNeeded, "requires TLS"},
		{"GROUP", "400 load\r\n", scheme.CodeUnavailable, "later"},
		{"GROUP", "403 fault\r\n", scheme.CodeUnavailable, "internal fault"},
		{"GROUP", "500 what\r\n", scheme.CodeUnsupported, "does not know"},
		{"GROUP", "502 no\r\n", scheme.CodeLoginNeeded, "does not permit"},
		{"GROUP", "499 odd\r\n", scheme.CodeUnavailable, "refused GROUP"},
		{"GROUP", "299 odd\r\n", scheme.CodeProtocol, "makes no sense after GROUP"},
		{"ARTICLE", "423 none\r\n", scheme.CodeNotFound, "no article with this number"},
		{"ARTICLE", "430 none\r\n", scheme.CodeNotFound, "message-id"},
		{"ARTICLE", "412 which\r\n", scheme.CodeProtocol, "lost the group"},
		{"ARTICLE", "420 none\r\n", scheme.CodeNotFound, ""},
		{"ARTICLE", "221 1 <a@b>\r\n\r\n.\r\n", scheme.CodeProtocol, "makes no sense"},
		{"ARTICLE", "111 20260101000000\r\n", scheme.CodeProtocol, "makes no sense"},
		{"ARTICLE", "501 bad\r\n", scheme.CodeUnsupported, ""},
		{"ARTICLE", "503 disk error\r\n", scheme.CodeUnavailable, "cannot do this now"},
		{"GROUP", "503 fault\r\n", scheme.CodeUnavailable, "cannot do this now"},
		{"ARTICLE", "220 \x1b[2J\x00\r\nSubject: x\r\n\r\ntext", scheme.CodeBroken, "broke off"},
	} {
		t.Run(c.verb+" "+c.reply[:min(3, len(c.reply))], func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(1), nntptest.Reply(c.verb, c.reply), nntptest.Hangup(c.verb))...)
			_, err := get(t, newClient(t), s.GroupURL("g.test", 1))
			wantCode(t, err, c.code, c.text)
		})
	}
}
