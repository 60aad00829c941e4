package gateway

import (
	"html"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/mailto/smtptest"
	"locator/scheme/nntp/nntptest"
)

var inputFields = regexp.MustCompile(`<input [^>]*?name="([^"]*)"[^>]*? value="([^"]*)"`)

// filled returns the fields of the form on a page about a message, as the browser sends them.
func filled(page string) url.Values {
	form := url.Values{}
	for _, m := range inputFields.FindAllStringSubmatch(page, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	if _, text, ok := strings.Cut(page, "<textarea"); ok {
		_, text, _ = strings.Cut(text, ">\n")
		text, _, _ = strings.Cut(text, "</textarea>")
		form.Set("body", strings.ReplaceAll(html.UnescapeString(text), "\n", "\r\n"))
	}
	form.Del("url")
	form.Del("back")
	return form
}

// with returns a form with other values.
func with(form url.Values, pairs ...string) url.Values {
	other := url.Values{}
	for name, values := range form {
		other[name] = values
	}
	for i := 0; i < len(pairs); i += 2 {
		other.Set(pairs[i], pairs[i+1])
	}
	return other
}

// mailServer starts a mail server.
func mailServer(t *testing.T, options ...smtptest.Option) *smtptest.Server {
	t.Helper()
	s, err := smtptest.Start(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// mailURL returns the URL of a draft.
func mailURL(t *testing.T, text string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse("mailto:" + text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// through returns options of a gateway that sends mail through a server.
func through(t *testing.T, s *smtptest.Server) Options {
	return Options{Client: client.Options{Servers: map[string][]locator.URL{mailURL(t, "a@b").Scheme(): {s.ServerURL()}}, Mail: "me@a.example"}}
}

func TestDownloadDraft(t *testing.T) {
	s := serve(t, Options{})
	u := mailURL(t, "ann@b.example?subject=Gr%C3%BC%C3%9Fe&body=Hello%0D%0AAnn&cc=c@b.example&bcc=secret@b.example&x=y")
	res := s.page(u)
	form := filled(res.body)
	for name, want := range map[string]string{"h-to": "ann@b.example", "h-cc": "c@b.example", "h-bcc": "", "h-subject": "Grüße", "h-from": "", "body": "Hello\r\nAnn"} {
		if got := form.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if res.status != http.StatusOK || strings.Contains(res.body, `value="send"`) || !strings.Contains(res.body, "blind copy to secret@b.example") || strings.Contains(res.body, "href=\"mailto:") {
		t.Errorf("%d %s", res.status, res.body)
	}
	path := string(pathOf(viewPage, u))
	eml := s.post(path, with(form, "do", "file", "h-from", "Me <me@a.example>"))
	_, about, _ := mime.ParseMediaType(eml.header.Get("Content-Disposition"))
	want := regexp.MustCompile(`^From: Me <me@a.example>\r\nTo: ann@b.example\r\nCc: c@b.example\r\nSubject: =\?utf-8\?q\?Gr=C3=BC=C3=9Fe\?=\r\nDate: [A-Z][a-z]{2}, .*\+0000\r\nMessage-ID: <[^@>]+@a.example>\r\n\r\nHello\r\nAnn\r\n$`)
	if eml.status != http.StatusOK || !want.MatchString(eml.body) || about["filename"] != "Grüße.eml" || eml.header.Get("Content-Type") != "message/rfc822" || !strings.HasPrefix(eml.header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %q %v", eml.status, eml.body, eml.header)
	}
	if eml := s.post(path, with(form, "do", "file", "h-from", "me@a.example", "h-bcc", "d@b.example", "h-cc", "", "body", "")); !strings.Contains(eml.body, "Bcc: d@b.example\r\n") || strings.Contains(eml.body, "Cc: c@b") || strings.Contains(eml.body, "Hello") {
		t.Errorf("the message has more than the form: %q", eml.body)
	}
	for _, wrong := range []url.Values{with(form, "do", "file"), with(form, "do", "file", "h-from", "x"), with(form, "h-from", "me@a.example"), with(form, "do", "x", "h-from", "me@a.example")} {
		res := s.post(path, wrong)
		if again := filled(res.body); res.status < 400 || !strings.Contains(res.body, `role="alert"`) || again.Get("h-to") != "ann@b.example" || again.Get("body") != "Hello\r\nAnn" {
			t.Errorf("%d %s", res.status, res.body)
		}
	}
}

// Nothing in a form adds a field, a recipient or a command.
//
// Covers: GW45
func TestDraftLineEnds(t *testing.T) {
	server := mailServer(t)
	s := serve(t, through(t, server))
	u := mailURL(t, "ann@b.example?subject=s&in-reply-to=%3C1@x%3E&keywords=k")
	form := filled(s.page(u).body)
	path := string(pathOf(viewPage, u))
	names := 0
	for name := range form {
		if !strings.HasPrefix(name, "h-") {
			continue
		}
		names++
		for _, end := range []string{"\r\n", "\n", "\r", "\x00", "\r\n\r\n", "\r\n "} {
			for _, do := range []string{"file", "send"} {
				res := s.post(path, with(form, name, form.Get(name)+"x"+end+"Bcc: evil@b.example", "do", do))
				if res.status != http.StatusBadRequest || !strings.Contains(res.body, "</html>") {
					t.Errorf("%s with %q: %d %s", name, end, res.status, res.body)
				}
			}
		}
	}
	if names != 7 {
		t.Errorf("%d fields", names)
	}
	body := "Bcc: evil@b.example\r\nSubject: other\r\n\r\n.\r\nMAIL FROM:<x@y>\r\n..\r\nend"
	if res := s.post(path, with(form, "body", body, "do", "send", "h-extra", "x", "h-x-field", "y")); res.status != http.StatusOK {
		t.Fatalf("%d %s", res.status, res.body)
	}
	got := server.Mails()
	if len(got) != 1 || strings.Join(got[0].To, " ") != "ann@b.example" || !strings.HasSuffix(got[0].Data, "\r\n\r\n"+body+"\r\n") || strings.Contains(got[0].Data, "field") {
		t.Errorf("%+v", got)
	}
}

func TestSendMail(t *testing.T) {
	server := mailServer(t, smtptest.Refuse("no@b.example", "550 5.1.1 <b>nobody</b>"))
	s := serve(t, through(t, server))
	u := mailURL(t, "ann@b.example,no@b.example?subject=Hi")
	path := string(pathOf(viewPage, u))
	page := s.page(u)
	form := with(filled(page.body), "do", "send", "body", "text", "h-bcc", "hidden@b.example")
	if form.Get("h-from") != "me@a.example" || !strings.Contains(page.body, `value="send"`) {
		t.Errorf("%s", page.body)
	}
	res := s.post(path, form)
	if res.status != http.StatusOK || !strings.Contains(res.body, "sent to some recipients") || !strings.Contains(res.body, "ann@b.example<br>hidden@b.example<br>") || !strings.Contains(res.body, "no@b.example: 550 5.1.1 &lt;b&gt;nobody") {
		t.Errorf("%d %s", res.status, res.body)
	}
	got := server.Mails()
	if len(got) != 1 || strings.Join(got[0].To, " ") != "ann@b.example hidden@b.example" || strings.Contains(got[0].Data, "hidden@") || !strings.Contains(got[0].Data, "To: ann@b.example, no@b.example\r\n") {
		t.Fatalf("%+v", got)
	}
	id := regexp.MustCompile(`(?m)^Message-ID: (<.*>)\r$`).FindStringSubmatch(got[0].Data)
	if len(id) != 2 || !strings.Contains(res.body, html.EscapeString(id[1])) {
		t.Errorf("%q: %s", id, res.body)
	}
	if again := s.post(path, form); again.status != http.StatusConflict || len(server.Mails()) != 1 {
		t.Errorf("a page that is reloaded: %d, %d mails", again.status, len(server.Mails()))
	}
	if res := s.post(path, with(form, "h-to", "other@b.example", "h-bcc", "", "once", filled(s.page(u).body).Get("once"))); res.status != http.StatusOK {
		t.Errorf("another recipient: %d %s", res.status, res.body)
	}
	if got := server.Mails(); len(got) != 2 || strings.Join(got[1].To, " ") != "other@b.example" {
		t.Errorf("%+v", got)
	}
	for _, once := range []string{"", "x", strings.Repeat("x", 1000)} {
		if res := s.post(path, with(form, "once", once)); res.status != http.StatusBadRequest {
			t.Errorf("once=%.20s: %d", once, res.status)
		}
	}
	if len(server.Mails()) != 2 {
		t.Error("more was sent")
	}
}

// A mail that nobody accepts was not sent; its form can be sent again. One without an answer may have been sent.
func TestSendFails(t *testing.T) {
	for _, tt := range []struct {
		option smtptest.Option
		status int
		text   string
		again  int
	}{
		{smtptest.Refuse("ann@b.example", "550 nobody"), http.StatusNotFound, "Write a mail", http.StatusNotFound},
		{smtptest.Hangup("."), http.StatusGatewayTimeout, "may have been sent", http.StatusConflict},
	} {
		server := mailServer(t, tt.option)
		s := serve(t, through(t, server))
		u := mailURL(t, "ann@b.example?subject=Hi")
		form := with(filled(s.page(u).body), "do", "send", "body", "text")
		res := s.post(string(pathOf(viewPage, u)), form)
		if res.status != tt.status || !strings.Contains(res.body, tt.text) || !strings.Contains(res.body, `role="alert"`) {
			t.Errorf("%d %s", res.status, res.body)
		}
		if res := s.post(string(pathOf(viewPage, u)), form); res.status != tt.again {
			t.Errorf("again: %d", res.status)
		}
	}
}

// The logins of the gateway are for the configured servers alone.
//
// Covers: GW46
func TestSendLogin(t *testing.T) {
	server := mailServer(t, smtptest.Login("PLAIN"))
	opt := through(t, server)
	opt.Client.TLSMode = scheme.TLSOff
	opt.Logins = []scheme.LoginFunc{client.FixedLogin(smtptest.Alice, smtptest.Password)}
	s := serve(t, opt)
	u := mailURL(t, "ann@b.example?subject=Hi")
	res := s.post(string(pathOf(viewPage, u)), with(filled(s.page(u).body), "do", "send", "body", "text"))
	if got := server.Mails(); res.status != http.StatusOK || len(got) != 1 || got[0].User != smtptest.Alice || strings.Contains(res.body, smtptest.Password) {
		t.Errorf("%d %s", res.status, res.body)
	}
	n := news(t, []string{article("1@x", "s", "text\r\n")}, nntptest.LoginFor("POST"))
	opt.Also = nil
	s = serve(t, opt, n.GroupURL("g.test", 0))
	path := "/-/view/draft=1/" + n.GroupURL("g.test", 0).Text()
	res = s.post(path, with(filled(s.get(path).body), "do", "send", "body", "text", "h-subject", "s"))
	if res.status != http.StatusUnauthorized || len(n.Messages()) != 0 {
		t.Errorf("%d %s", res.status, res.body)
	}
}

func TestPost(t *testing.T) {
	n := news(t, []string{article("1@x", "first", "one\r\ntwo\r\n")})
	group := n.GroupURL("g.test", 0)
	s := serve(t, Options{}, group)
	path := linkOf(s.page(group).body, "Write an article")
	form := filled(s.get(path).body)
	if form.Get("h-newsgroups") != "g.test" {
		t.Errorf("%q", form)
	}
	res := s.post(path, with(form, "do", "send", "h-from", "me@a.example", "h-subject", "new", "body", "text"))
	if res.status != http.StatusOK || !strings.Contains(res.body, "The article was posted") || len(n.Messages()) != 1 {
		t.Fatalf("%d %s", res.status, res.body)
	}
	if shown := s.get(linkOf(res.body, "The article at the server")); !strings.Contains(shown.body, "<h1>new</h1>") {
		t.Errorf("%d %s", shown.status, shown.body)
	}
	path = linkOf(s.page(n.GroupURL("g.test", 1)).body, "Follow up")
	page := s.get(path)
	if form = filled(page.body); form.Get("h-subject") != "Re: first" || form.Get("h-references") != "<1@x>" || form.Get("body") != "" {
		t.Errorf("%q", form)
	}
	page = s.post(path, with(form, "do", "quote", "body", "mine", "h-from", "me@a.example", "h-subject", "Re: other"))
	form = filled(page.body)
	if want := "On 1994-12-01, Ann wrote:\r\n\r\n> one\r\n> two\r\nmine"; form.Get("body") != want || form.Get("h-subject") != "Re: other" || strings.Contains(page.body, `value="quote"`) {
		t.Errorf("%q", form)
	}
	if res = s.post(path, with(form, "do", "send")); res.status != http.StatusOK || len(n.Messages()) != 2 {
		t.Fatalf("%d %s", res.status, res.body)
	}
	if got := n.Messages()[1]; !strings.Contains(got, "References: <1@x>\r\n") || !strings.HasSuffix(got, "> two\r\nmine\r\n") {
		t.Errorf("%q", got)
	}
	if res := s.post(path, with(form, "do", "send", "once", strings.Repeat("x", 26), "h-newsgroups", "g.test\r\nApproved: me")); res.status != http.StatusBadRequest || len(n.Messages()) != 2 {
		t.Errorf("%d %s", res.status, res.body)
	}
	if eml := s.post(path, with(form, "do", "file")); eml.status != http.StatusOK || !strings.Contains(eml.body, "Newsgroups: g.test\r\n") {
		t.Errorf("%d %q", eml.status, eml.body)
	}
}

func TestPostInDoubt(t *testing.T) {
	n := news(t, nil, nntptest.Reply("GROUP", "211 0 1 0 g.test\r\n"), nntptest.Posted(""))
	s := serve(t, Options{}, n.GroupURL("g.test", 0))
	path := "/-/view/draft=1/" + n.GroupURL("g.test", 0).Text()
	res := s.post(path, with(filled(s.get(path).body), "do", "send", "h-from", "me@a.example", "h-subject", "new", "body", "text"))
	if res.status != http.StatusGatewayTimeout || !strings.Contains(res.body, "may have been sent") || !strings.Contains(linkOf(res.body, "The article at the server"), "@a.example") {
		t.Errorf("%d %s", res.status, res.body)
	}
}

// Without a token of the session, or with that of another browser, nothing is sent.
//
// Covers: GW47
func TestSendForged(t *testing.T) {
	server := mailServer(t)
	s := serve(t, through(t, server))
	u := mailURL(t, "ann@b.example?subject=Hi")
	path := string(pathOf(viewPage, u))
	form := with(filled(s.page(u).body), "do", "send", "body", "text")
	const urlencoded = "Content-Type: application/x-www-form-urlencoded"
	own := "Origin: http://" + s.addr
	for name, res := range map[string]reply{
		"no token":       s.send(http.MethodPost, path, with(form, "token", "").Encode(), urlencoded, own),
		"wrong token":    s.send(http.MethodPost, path, with(form, "token", s.g.sign("form", "other")).Encode(), urlencoded, own),
		"foreign origin": s.send(http.MethodPost, path, form.Encode(), urlencoded, "Origin: http://evil.example"),
		"foreign fetch":  s.send(http.MethodPost, path, form.Encode(), urlencoded, "Sec-Fetch-Site: cross-site"),
		"in a GET":       s.get(path + "&" + form.Encode()),
		"go":             s.get("/-/go?url=" + url.QueryEscape(u.Text()) + "&" + form.Encode()),
	} {
		if res.status == http.StatusOK && strings.Contains(res.body, "was sent") || res.status == http.StatusOK && name[0] != 'i' {
			t.Errorf("%s: %d %s", name, res.status, res.body)
		}
	}
	delete(s.cookies, sessionCookie)
	if res := s.send(http.MethodPost, path, form.Encode(), urlencoded, own); res.status != http.StatusForbidden {
		t.Errorf("without a session: %d", res.status)
	}
	if len(server.Mails()) != 0 {
		t.Errorf("%+v", server.Mails())
	}
}

// A gateway sends only for those whom Permit names, and not more than its limits allow.
//
// Covers: GW48
func TestPermit(t *testing.T) {
	server := mailServer(t)
	opt := through(t, server)
	var asked []string
	opt.Permit = func(user string, op scheme.Op, u locator.URL) bool {
		asked = append(asked, user+" "+string(op)+" "+u.Text())
		return user == "ann"
	}
	s := serve(t, opt)
	u := mailURL(t, "bob@b.example?subject=Hi")
	path := string(pathOf(viewPage, u))
	page := s.page(u)
	form := with(filled(page.body), "do", "send", "body", "text", "h-from", "me@a.example")
	if strings.Contains(page.body, `value="send"`) || strings.Contains(page.body, "me@a.example") || len(asked) == 0 || asked[0] != " update "+u.Text() {
		t.Errorf("%q %s", asked, page.body)
	}
	if res := s.post(path, form); res.status != http.StatusForbidden || len(server.Mails()) != 0 {
		t.Errorf("%d %s", res.status, res.body)
	}
	s.g.user = func(*http.Request) string { return "ann" }
	s.g.allow = func(_ *http.Request, op scheme.Op) error {
		return &statusError{http.StatusTooManyRequests, "too many: " + string(op)}
	}
	if res := s.post(path, form); res.status != http.StatusTooManyRequests || !strings.Contains(res.body, "too many: update") || len(server.Mails()) != 0 {
		t.Errorf("%d %s", res.status, res.body)
	}
	s.g.allow = func(*http.Request, scheme.Op) error { return nil }
	if res := s.post(path, form); res.status != http.StatusOK || len(server.Mails()) != 1 {
		t.Errorf("%d %s", res.status, res.body)
	}
}

// A URL with script, in any field, is text in the form.
//
// Covers: GW49
func TestDraftHostile(t *testing.T) {
	s := serve(t, Options{})
	script := url.QueryEscape(`"'></textarea><script>alert(1)</script>`)
	script = strings.ReplaceAll(script, "+", "%20")
	u := mailURL(t, "a@b.example?subject="+script+"&body="+script+"&keywords="+script+"&bcc=x@y.example&x-"+script+"="+script)
	res := s.page(u)
	if res.status != http.StatusOK || strings.Contains(res.body, "<script>") || strings.Count(res.body, "</textarea>") != 1 {
		t.Errorf("%d %s", res.status, res.body)
	}
	for _, text := range []string{"a@b.example?subject=a%0D%0ABcc:x@y.example", "a@b.example?body=%00", "a@b.example%0D%0Ax@y.example"} {
		if res := s.page(mailURL(t, text)); res.status != http.StatusForbidden && res.status != http.StatusBadRequest {
			t.Errorf("%s: %d", text, res.status)
		}
	}
}
