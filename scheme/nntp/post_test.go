package nntp_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

// newPoster returns a client whose user is alice.
func newPoster(t testing.TB, s *nntptest.Server, change ...func(*client.Options)) *client.Client {
	t.Helper()
	return newClient(t, append([]func(*client.Options){func(o *client.Options) {
		o.Mail = "alice@example.org"
		o.Servers = map[string][]locator.URL{"news": {s.ServerURL()}}
	}}, change...)...)
}

// A whole article is sent as it is: nothing of the URL is added or required, and the server is not
// asked about the article of the URL.
func TestPostWhole(t *testing.T) {
	s := start(t, nntptest.Article("g.test", text("1@x.example", "one", "")), nntptest.Article("g.other", text("2@x.example", "two", "")))
	c := newPoster(t, s)
	for _, u := range []locator.URL{s.GroupURL("g.test", 0), s.GroupURL("g.test", 1)} {
		body := "From: a@b.example\r\nNewsgroups: g.other\r\nSubject: s\r\n\r\ntext\r\n"
		if _, err := c.Update(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(body)}, &scheme.WriteOptions{Whole: true}); err != nil {
			t.Errorf("%s: %v", u.Text(), err)
		}
	}
	for _, got := range s.Messages() {
		if !strings.Contains(got, "Newsgroups: g.other\r\n") || strings.Contains(got, "References") {
			t.Errorf("%q", got)
		}
	}
	if len(s.Messages()) != 2 {
		t.Errorf("%d articles", len(s.Messages()))
	}
}

// post sends an article, and returns what is known of it, also after an error.
func post(t testing.TB, c *client.Client, u locator.URL, text string) (*scheme.Resource, error) {
	t.Helper()
	res, err := c.Update(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(text)}, nil)
	if e, ok := errors.AsType[*scheme.Error](err); ok && e.Partial != nil {
		return e.Partial, err
	}
	return res, err
}

// An article comes back as it was posted, but for the fields that the server adds; to several
// groups, and by each kind of URL.
//
// Covers: S11, S12, A9, T124
func TestPost(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(1), nntptest.Article("h.test", text("h@b.example", "h", "x\r\n")))...)
	c := newPoster(t, s)
	const body = "\r\n.\r\n..dots\r\n.text\r\n8 bit: ä\r\nblanks  \r\n"
	long := strings.Repeat("x", 998) + "\r\n\r\n"
	for i, u := range []string{s.GroupURL("g.test", 0).String(), "news:g.test", strings.Replace(s.GroupURL("g.test", 0).String(), "nntp:", "news:", 1)} {
		res, err := post(t, c, locator.Current.MustParse(u), "Newsgroups: g.test, h.test\r\nSubject: Grüße\r\nX-Test: 1\r\n\r\n"+body+long)
		if err != nil {
			t.Fatal(err)
		}
		id := res.Receipt.ID
		if res.Status != "240" || !strings.HasSuffix(res.URL.String(), id) || !strings.HasPrefix(res.Receipt.Reply, "240 ") || !strings.HasSuffix(id, "@example.org") {
			t.Errorf("%s: %v, %+v", u, res, res.Receipt)
		}
		sent := s.Messages()[i]
		for _, at := range []locator.URL{res.URL, locator.Current.MustParse("news:" + id), s.GroupURL("h.test", int64(2+i))} {
			got, err := get(t, c, at)
			got = strings.Replace(strings.TrimPrefix(got, "Path: nntptest.example!not-for-mail\r\n"), "Injection-Info: nntptest.example\r\n", "", 1)
			if err != nil || got != sent || !strings.HasSuffix(got, "\r\n\r\n"+body+long) {
				t.Errorf("%v: %q, %v; posted %q", at, got, err, sent)
			}
		}
	}
}

// An article for a moderated group waits for the moderator, which the reply to it or the status of
// the group says.
//
// Covers: A9
func TestPostModerated(t *testing.T) {
	t.Parallel()
	const article = "Subject: x\nNewsgroups: g.test, h.test\n"
	for _, tt := range []struct {
		options []nntptest.Option
		article string
		note    string
	}{
		{nil, article, ""},
		{[]nntptest.Option{nntptest.Posted("240 Article received (mailed to moderator)\r\n")}, article, "the article waits for a moderator (server: 240 Article received (mailed to moderator))"},
		{[]nntptest.Option{nntptest.Reply("LIST ACTIVE", "215 list\r\ng.test 9 1 y\r\nh.test 9 1 m\r\n.\r\n")}, article, "the article waits for the moderator of h.test"},
		{[]nntptest.Option{nntptest.Reply("LIST ACTIVE", "215 list\r\ng.test 9 1 y\r\nh.test 9 1 m\r\n.\r\n")}, "Approved: a@b.example\n" + article, ""},
		{[]nntptest.Option{nntptest.Reply("LIST ACTIVE", "215 list\r\nother 9 1 m\r\nh.test m\r\n.\r\n")}, article, ""},
		{[]nntptest.Option{nntptest.Reply("LIST ACTIVE", "500 what\r\n")}, article, ""},
		{[]nntptest.Option{nntptest.Reply("LIST ACTIVE", "215 broken"), nntptest.Hangup("LIST ACTIVE")}, article, ""},
		{[]nntptest.Option{nntptest.Endless("LIST ACTIVE", "215 list\r\n", "x 1 1 y\r\n")}, article, ""},
	} {
		s := start(t, append(append(numbered(1), nntptest.Article("h.test", text("h@b.example", "h", "x\r\n"))), tt.options...)...)
		var notes []string
		c := newPoster(t, s, func(o *client.Options) { o.Note = func(_ locator.URL, text string) { notes = append(notes, text) } })
		res, err := post(t, c, s.GroupURL("g.test", 0), tt.article+"\nx\n")
		if err != nil || res.Status != "240" {
			t.Errorf("%v, %v", res, err)
		}
		if got := strings.Join(notes, "\n"); !strings.HasPrefix(got, tt.note) || tt.note == "" && got != "" {
			t.Errorf("notes %q, want %q", got, tt.note)
		}
	}
}

// Each refusal of a server has its code, and nothing is said to be posted.
//
// Covers: A9
func TestPostReplies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		options []nntptest.Option
		code    scheme.Code
		text    string
	}{
		{[]nntptest.Option{nntptest.NoPosting()}, scheme.CodeLoginNeeded, "does not permit posting"},
		{[]nntptest.Option{nntptest.Reply("POST", "480 Log in\r\n")}, scheme.CodeLoginNeeded, "login"},
		{[]nntptest.Option{nntptest.Reply("POST", "400 Closing\r\n"), nntptest.Hangup("POST")}, scheme.CodeUnavailable, "later"},
		{[]nntptest.Option{nntptest.Reply("POST", "500 What\r\n")}, scheme.CodeUnsupported, "command"},
		{[]nntptest.Option{nntptest.Reply("POST", "240 Posted already\r\n")}, scheme.CodeProtocol, "makes no sense"},
		{[]nntptest.Option{nntptest.Posted("441 437 Line too \x1b[2J long\r\n")}, scheme.CodeUsage, `437 Line too \x1b[2J long`},
		{[]nntptest.Option{nntptest.Posted("436 Later\r\n")}, scheme.CodeUnavailable, "436 Later"},
		{[]nntptest.Option{nntptest.Posted("340 Send it\r\n")}, scheme.CodeInDoubt, "Message-ID: <"},
		{[]nntptest.Option{nntptest.Posted("nonsense\r\n")}, scheme.CodeInDoubt, "Message-ID: <"},
		{[]nntptest.Option{nntptest.Posted("")}, scheme.CodeInDoubt, "does no harm"},
	} {
		s := start(t, append(numbered(1), tt.options...)...)
		_, err := post(t, newPoster(t, s), s.GroupURL("g.test", 0), "Subject: x\n\nx\n")
		wantCode(t, err, tt.code, tt.text)
		if got := s.Messages(); len(got) > 0 {
			t.Errorf("%v: posted %q", err, got)
		}
	}
}

// An article is posted at most once: a server that has it says so, and after a server has begun to
// read it no other is asked.
//
// Covers: A9
func TestPostOnce(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newPoster(t, s)
	const article = "Subject: x\nMessage-ID: <once@example.org>\n\nx\n"
	s.Misbehave(peer.Unanswered)
	res, err := post(t, c, s.GroupURL("g.test", 0), article)
	wantCode(t, err, scheme.CodeInDoubt, "<once@example.org>", "news://")
	if res == nil || res.Receipt.ID != "once@example.org" {
		t.Errorf("%+v", res)
	}
	s.Misbehave(peer.NoFault)
	_, err = post(t, c, s.GroupURL("g.test", 0), article)
	wantCode(t, err, scheme.CodeUsage, "<once@example.org>")
	if !errors.Is(err, fs.ErrExist) || len(s.Messages()) != 1 {
		t.Errorf("%v; %q", err, s.Messages())
	}

	closed, broken := start(t, nntptest.NoPosting()), start(t, append(numbered(1), nntptest.Posted(""))...)
	c = newPoster(t, s, func(o *client.Options) {
		o.Servers["news"] = []locator.URL{closed.ServerURL(), broken.ServerURL(), s.ServerURL()}
	})
	_, err = post(t, c, locator.Current.MustParse("news:g.test"), "Subject: x\n\nx\n")
	wantCode(t, err, scheme.CodeInDoubt)
	if len(s.Messages()) != 1 {
		t.Errorf("the third server has %q", s.Messages())
	}
}

// A login that the server asks for comes before the article.
//
// Covers: A9
func TestPostLogin(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(1), nntptest.Login())...)
	u := locator.Current.MustParse(strings.Replace(s.GroupURL("g.test", 0).String(), "//", "//"+nntptest.Alice+":"+nntptest.Password+"@", 1))
	c := newPoster(t, s, func(o *client.Options) { o.TLSMode = scheme.TLSOff })
	res, err := post(t, c, u, "Subject: x\n\nx\n")
	if err != nil || len(s.Messages()) != 1 || strings.Contains(res.URL.Redacted(), nntptest.Password) {
		t.Errorf("%v, %v, %q", res, err, s.Messages())
	}
}

// A URL that cannot be posted to is refused before anything is sent.
//
// Covers: A9
func TestNoPlaceToPost(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newPoster(t, s)
	for text, code := range map[string]scheme.Code{
		"news:*": scheme.CodeUsage, "news:g.*": scheme.CodeUsage, s.GroupURL("g.test", 0).String() + "/1-5": scheme.CodeUsage,
	} {
		_, err := post(t, c, locator.Current.MustParse(text), "Subject: x\n\nx\n")
		wantCode(t, err, code)
	}
	if s.Connections() > 0 {
		t.Errorf("%q", s.Lines())
	}
	_, err := post(t, newClient(t), locator.Current.MustParse("news:g.test"), "Subject: x\nFrom: a@b.example\n\nx\n")
	wantCode(t, err, scheme.CodeLocal, "news server")
}

// original is an article that is answered.
const original = "Path: x\r\nFrom: =?iso-8859-1?q?J=FCrgen?= <j@b.example>\r\nNewsgroups: g.test,h.test\r\n%sSubject: A =?utf-8?q?=C3=A4?=\r\n" +
	"References: <1@b.example> <br oken> <2@b.example>\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <o@b.example>\r\n\r\nfirst\r\n\r\n> quoted\r\n-- \r\nsignature\r\n"

// A large article is not held in memory, and can come from a file that is read again.
//
// Covers: P6
func TestPostSeekable(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	article := "xxSubject: x\n\n" + strings.Repeat(strings.Repeat("y", 70)+"\n", 40_000)
	r := strings.NewReader(article)
	if _, err := r.Seek(2, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	_, err := newPoster(t, s).Update(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)},
		scheme.Body{Reader: r, Size: scheme.Known(int64(len(article) - 2))}, nil)
	if err != nil || len(s.Messages()[0]) < len(article) {
		t.Error(err)
	}
}

// What ends the wait for the answer leaves it in doubt whether the article was posted, and the
// error has its message-id.
//
// Covers: A9
func TestPostUnanswered(t *testing.T) {
	t.Parallel()
	stop := errors.New("stopped by the user")
	for name, tt := range map[string]struct {
		code   scheme.Code
		change func(ctx context.Context, o *client.Options) (context.Context, func())
	}{
		"the server stalls": {scheme.CodeInDoubt, func(ctx context.Context, o *client.Options) (context.Context, func()) {
			o.Limits.Idle = 500 * time.Millisecond
			return ctx, func() {}
		}},
		"the time is over": {scheme.CodeInDoubt, func(ctx context.Context, o *client.Options) (context.Context, func()) {
			o.Limits.Time = time.Second
			return ctx, func() {}
		}},
		"the user stops it": {scheme.CodeInterrupted, func(ctx context.Context, _ *client.Options) (context.Context, func()) {
			ctx, cancel := context.WithCancelCause(ctx)
			return ctx, func() { time.AfterFunc(50*time.Millisecond, func() { cancel(stop) }) }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(1), nntptest.Posted(nntptest.Silence))...)
			var ctx context.Context
			var commit func()
			c := newPoster(t, s, func(o *client.Options) { ctx, commit = tt.change(t.Context(), o) })
			_, err := c.Update(ctx, scheme.Request{URL: s.GroupURL("g.test", 0)},
				scheme.Body{Reader: strings.NewReader("Subject: x\nMessage-ID: <w@example.org>\n\nx\n"), Commit: func() error { commit(); return nil }}, nil)
			wantCode(t, err, tt.code, "Message-ID: <w@example.org>")
			e, ok := errors.AsType[*scheme.Error](err)
			if !ok || e.Partial == nil || e.Partial.Receipt == nil || e.Partial.Receipt.ID != "w@example.org" {
				t.Errorf("%+v", e)
			}
		})
	}
}

// A program can post by an http.Client, but no redirect makes it post.
//
// Covers: A9, P1, T125
func TestPostByTransport(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newPoster(t, s)
	send := func(from *http.Response) error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.GroupURL("g.test", 0).String(), strings.NewReader("Subject: x\n\nx\n"))
		if err != nil {
			t.Fatal(err)
		}
		req.Response = from
		resp, err := c.Transport().RoundTrip(req)
		if err == nil {
			err = resp.Body.Close()
		}
		return err
	}
	earlier, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/form", nil)
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, send(&http.Response{StatusCode: http.StatusTemporaryRedirect, Request: earlier}), scheme.CodeRefused)
	if s.Connections() > 0 {
		t.Errorf("a redirect led to %q", s.Lines())
	}
	if err := send(nil); err != nil || len(s.Messages()) != 1 {
		t.Errorf("%v, %q", err, s.Messages())
	}
}
