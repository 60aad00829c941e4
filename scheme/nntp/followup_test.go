package nntp_test

import (
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
)

// A follow-up has the fields of RFC 5537 3.4.
//
// Covers: S11, S12, A9
func TestFollowUp(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Article("g.test", strings.Replace(original, "%s", "", 1)), nntptest.Article("h.test", text("h@b.example", "h", "x\r\n")))
	c := newPoster(t, s)
	for _, u := range []locator.URL{s.GroupURL("g.test", 1), locator.Current.MustParse("news:o@b.example")} {
		d, err := c.Draft(t.Context(), scheme.Request{URL: u})
		if err != nil {
			t.Fatal(err)
		}
		if want := "On 1994-12-01, Jürgen wrote:\n\n> first\n>\n>> quoted\n"; d.Quote != want || !d.News || d.Body != "" {
			t.Errorf("quote %q, want %q", d.Quote, want)
		}
		res, err := post(t, c, u, "\nI agree.\n")
		if err != nil {
			t.Fatal(err)
		}
		got, _, _ := strings.Cut(s.Messages()[len(s.Messages())-1], "From: ")
		want := "Newsgroups: g.test,h.test\r\nSubject: Re: A =?utf-8?b?w6Q=?=\r\nReferences: <1@b.example> <2@b.example> <o@b.example>\r\n"
		if got != want {
			t.Errorf("%v: %q, want %q", res, got, want)
		}
	}
}

// A follow-up answers the article that the URL names, not another one with which the server
// replies.
//
// Covers: A9
func TestFollowUpAnother(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Reply("ARTICLE", "220 0 <asked@b.example>\r\n"+strings.Replace(original, "%s", "", 1)+".\r\n"))
	_, err := newPoster(t, s).Draft(t.Context(), scheme.Request{URL: locator.Current.MustParse("news:asked@b.example")})
	wantCode(t, err, scheme.CodeProtocol, `another article, "<o@b.example>"`)
}

// Followup-To names other groups, or says that answers come by mail.
//
// Covers: A9, T141
func TestFollowupTo(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Article("g.test", strings.Replace(original, "%s", "Followup-To: h.test\r\n", 1)),
		nntptest.Article("g.test", strings.Replace(original, "%s", "Followup-To: poster\r\nReply-To: other@c.example\r\n", 1)))
	c := newPoster(t, s)
	d, err := c.Draft(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 1)})
	if err != nil || d.Header[0].Value != "h.test" || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "h.test") {
		t.Errorf("%+v, %v", d, err)
	}
	_, err = post(t, c, s.GroupURL("g.test", 2), "\nx\n")
	wantCode(t, err, scheme.CodeUsage, "mailto:other@c.example?subject=Re:", "in-reply-to=%3Co@b.example%3E")
	if len(s.Messages()) > 0 {
		t.Errorf("posted %q", s.Messages())
	}
}
