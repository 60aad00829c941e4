package nntp_test

import (
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
)

// An article refers to its groups, to the articles before it, and to its author.
func TestRelated(t *testing.T) {
	const article = "From: Ann <ann@a.example>\r\nReply-To: <an%n@b.example>\r\nNewsgroups: g.test, g.other,\r\nSubject: =?utf-8?q?H=C3=BCtte?=\r\n" +
		"Message-ID: <3@x.example>\r\nReferences: <1@x.example> <2/\"?#@x.example>\r\n\r\ntext\r\n"
	s := start(t, nntptest.Article("g.test", article), nntptest.News())
	c := newClient(t)
	at := strings.TrimSuffix(s.ServerURL().Text(), "*")
	for _, tt := range []struct {
		url  string
		want []string
	}{
		{s.GroupURL("g.test", 1).Text(), []string{s.GroupURL("g.test", 0).Text(), s.GroupURL("g.other", 0).Text(), at + "1@x.example"}},
		{at + "3@x.example", []string{at + "g.test", at + "g.other", at + "1@x.example"}},
	} {
		u, err := locator.Current.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Close()
		var got []string
		kinds := ""
		for e := range res.Related {
			got = append(got, e.URL.Text())
			kinds += e.Kind.String()[:1]
		}
		if len(got) != 5 || !slices.Equal(got[:3], tt.want) || kinds != "llood" {
			t.Errorf("%s: %q, %s; want %q", tt.url, got, kinds, tt.want)
			continue
		}
		if got[4] != "mailto:an%25n@b.example?subject=Re:%20H%C3%BCtte&in-reply-to=%3C3@x.example%3E" {
			t.Error(got[4])
		}
	}
}
