package nntp_test

import (
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
)

// What an article refers to is only read when details are asked for, and what no URL can name is left out.
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
		for _, detail := range []bool{false, true} {
			res, err := c.Access(t.Context(), scheme.Request{URL: u}, &scheme.AccessOptions{Detail: detail})
			if err != nil {
				t.Fatal(err)
			}
			res.Close()
			var got []string
			kinds := ""
			for _, e := range res.Related {
				got = append(got, e.URL.Text())
				kinds += e.Kind.String()[:1]
			}
			if !detail && got == nil {
				continue
			}
			if len(got) != 5 || !slices.Equal(got[:3], tt.want) || kinds != "llood" {
				t.Errorf("%s, %v: %q, %s; want %q", tt.url, detail, got, kinds, tt.want)
				continue
			}
			if got[4] != "mailto:an%25n@b.example?subject=Re:%20H%C3%BCtte&in-reply-to=%3C3@x.example%3E" {
				t.Error(got[4])
			}
		}
	}
}
