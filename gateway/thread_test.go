package gateway

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"locator"
	"locator/scheme/nntp/nntptest"
)

// article returns an article. more are header lines.
func article(id, subject, body string, more ...string) string {
	text := "From: Ann <ann@a.example>\r\nNewsgroups: g.test\r\nSubject: " + subject + "\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <" + id + ">\r\n"
	for _, l := range more {
		text += l + "\r\n"
	}
	return text + "\r\n" + body
}

// news starts a news server with articles in the group g.test.
func news(t *testing.T, articles []string, options ...nntptest.Option) *nntptest.Server {
	t.Helper()
	for _, a := range articles {
		options = append(options, nntptest.Article("g.test", a))
	}
	s, err := nntptest.Start(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

var (
	subjects  = regexp.MustCompile(`<li class="d(\d+)"><a class="message"[^>]*>([^<]*)</a>`)
	summaries = regexp.MustCompile(`<summary><span class="subject">([^<]*)</span> <span class="side">([^<]*)</span>`)
)

// listed returns the depths and subjects of a list of messages.
func listed(page string) (list []string) {
	for _, m := range subjects.FindAllStringSubmatch(page, -1) {
		list = append(list, m[1]+m[2])
	}
	return list
}

// linkOf returns the path of the link with that text.
func linkOf(page, text string) string {
	for _, m := range regexp.MustCompile(`<a [^>]*href="([^"]*)"[^>]*>([^<]*)</a>`).FindAllStringSubmatch(page, -1) {
		if html.UnescapeString(m[2]) == text {
			return html.UnescapeString(m[1])
		}
	}
	return ""
}

func TestThreads(t *testing.T) {
	n := news(t, []string{
		article("1@x", "one", ""), article("2@x", "two", ""), article("3@x", "Re: one", "", "References: <1@x>"), article("4@x", "four", ""),
		article("5@x", "Re: Re: one", "", "References: <1@x> <3@x>"), article("6@x", "Re: gone", "", "References: <0@x>"), article("7@x", "loop", "", "References: <7@x>"),
	})
	s := serve(t, Options{}, n.GroupURL("g.test", 0))
	res := s.page(n.GroupURL("g.test", 0))
	if got, want := strings.Join(listed(res.body), " "), "0loop 0Re: gone 0one 1Re: one 2Re: Re: one 0four 0two"; res.status != http.StatusOK || got != want {
		t.Errorf("%d, %s; want %s\n%s", res.status, got, want, res.body)
	}
	if m := summaries.FindAllStringSubmatch(res.body, -1); len(m) != 1 || m[0][1] != "one" || !strings.HasPrefix(m[0][2], "3 messages") {
		t.Errorf("folded threads: %q", m)
	}
	if !strings.Contains(res.body, "7 messages in 5 threads") || !strings.Contains(res.body, `data-id="5@x"`) || linkOf(res.body, "Older messages") != "" {
		t.Error(res.body)
	}
	for path, want := range map[string]string{"sort=name": "0four 0loop 0one 0Re: gone 0Re: one 0Re: Re: one 0two", "filter=RE: ONE": "0Re: Re: one 0Re: one", "filter=ann&sort=name": "0four 0loop 0one 0Re: gone 0Re: one 0Re: Re: one 0two", "filter=zzz": ""} {
		res := s.get("/-/view/" + strings.ReplaceAll(path, " ", "+") + "/" + n.GroupURL("g.test", 0).Text())
		if got := strings.Join(listed(res.body), " "); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	empty := news(t, nil, nntptest.Reply("GROUP", "211 0 1 0 g.test\r\n"))
	s = serve(t, Options{}, empty.GroupURL("g.test", 0))
	if res := s.page(empty.GroupURL("g.test", 0)); !strings.Contains(res.body, "0 messages") || linkOf(res.body, "Write an article") == "" {
		t.Errorf("an empty group: %s", res.body)
	}
	if res := s.send(http.MethodHead, string(pathOf(viewPage, empty.GroupURL("g.test", 0))), ""); res.status != http.StatusOK || res.body != "" {
		t.Errorf("HEAD: %d, %s", res.status, res.body)
	}
}

// A page has the newest messages, and links to older ones.
func TestOlder(t *testing.T) {
	var list []string
	for i := range 2*pageMessages + 7 {
		list = append(list, article(fmt.Sprintf("%d@x", i+1), fmt.Sprint("s", i+1), ""))
	}
	n := news(t, list)
	s := serve(t, Options{}, n.GroupURL("g.test", 0))
	path := string(pathOf(viewPage, n.GroupURL("g.test", 0)))
	next := len(list)
	for page := range 3 {
		res := s.get(path)
		for _, got := range listed(res.body) {
			if got != fmt.Sprint("0s", next) {
				t.Fatalf("page %d: %s, want s%d", page, got, next)
			}
			next--
		}
		if (page > 0) != (linkOf(res.body, "Newest messages") != "") {
			t.Errorf("page %d: %s", page, res.body[:3000])
		}
		path = linkOf(res.body, "Older messages")
	}
	if next != 0 || path != "" {
		t.Errorf("%d messages are missing; then %q", next, path)
	}
	for _, before := range []string{"0", "-1", "x", "9223372036854775807", "99999999999999999999"} {
		res := s.get("/-/view/before=" + before + "&of=x/" + n.GroupURL("g.test", 0).Text())
		if len(listed(res.body)) != pageMessages {
			t.Errorf("before=%s: %d messages", before, len(listed(res.body)))
		}
	}
}

// What a server says of messages is text: no field of a row is markup, and none is longer than a row.
//
// Covers: GW40
func TestThreadsHostile(t *testing.T) {
	const script = `"'><script>alert(1)</script>`
	long := strings.Repeat("x", 5000)
	rows := ""
	for i, f := range [][5]string{
		{script, "a@b", "1 Dec 1994 12:00:00 GMT", "<1@x>", ""}, {"s", script + " <a@b>", script, "<2@x>", script}, {"s", "a@b", "x", "<" + script + "@x>", "<1@x> <2@x>"},
		{long, long + " <a@b>", long, "<" + long + "@x>", long}, {"\x1b[31m\u202e", "\x00", "", "<5@x>", "<5@x> <5@x>"}, {"=?utf-8?q?=3Cscript=3Ealert(1)=0D=0A?=", "a@b", "", "<6@x>", ""},
	} {
		rows += fmt.Sprintf("%d\t%s\t%d\t1\r\n", i+1, strings.Join(f[:], "\t"), int64(1<<62))
	}
	n := news(t, nil, nntptest.Reply("GROUP", "211 9 1 9 g.test\r\n"), nntptest.Reply("OVER", "224 follows\r\n"+rows+"not a row <script>\r\n.\r\n"))
	s := serve(t, Options{}, n.GroupURL("g.test", 0))
	for _, path := range []string{"/", "/-/view/sort=name/", "/-/view/filter=s/"} {
		res := s.get(path + n.GroupURL("g.test", 0).Text())
		if res.status != http.StatusOK || strings.Contains(res.body, "<script>") || strings.Contains(res.body, "\x1b") || strings.Contains(res.body, "\u202e") || strings.Contains(res.body, long[:1000]) {
			t.Errorf("%s: %d %s", path, res.status, res.body)
		}
		if len(listed(res.body)) < 4 {
			t.Errorf("%s: %q", path, listed(res.body))
		}
	}
}

// A listing that breaks off shows what came, and the error. One that is too large for a page ends.
//
// Covers: GW42
func TestThreadsBroken(t *testing.T) {
	rows := "3\tthree\ta@b\t\t<3@x>\t\t1\t1\r\n4\tfour\ta@b\t\t<4@x>\t\t1\t1\r\n"
	cut := news(t, nil, nntptest.Reply("GROUP", "211 4 1 4 g.test\r\n"), nntptest.Reply("OVER", "224 follows\r\n"+rows), nntptest.Hangup("OVER"))
	endless := news(t, nil, nntptest.Reply("GROUP", "211 400 1 400 g.test\r\n"), nntptest.Endless("OVER", "224 follows\r\n", "3\t"+strings.Repeat("x", 6000)+"\ta@b\t\t<3@x>\t\t1\t1\r\n"))
	for _, n := range []*nntptest.Server{cut, endless} {
		s := serve(t, Options{}, n.GroupURL("g.test", 0))
		res := s.page(n.GroupURL("g.test", 0))
		if !strings.Contains(res.body, `role="alert"`) || len(res.body) > 1<<20 {
			t.Errorf("%d, %d bytes: %.4000s", res.status, len(res.body), res.body)
		}
	}
}

// The numbers of a list name no server: the option of an older page cannot lead anywhere.
func TestBeforeOf(t *testing.T) {
	n := news(t, []string{article("1@x", "one", "")})
	other := locator.MustParse("nntp://127.0.0.1:1/g.test")
	s := serve(t, Options{}, n.GroupURL("g.test", 0))
	res := s.get("/-/view/before=5&of=127.0.0.1:1%2Fg.test/" + n.GroupURL("g.test", 0).Text())
	if res.status != http.StatusOK || strings.Contains(res.body, other.Text()) {
		t.Errorf("%d: %s", res.status, res.body)
	}
}
