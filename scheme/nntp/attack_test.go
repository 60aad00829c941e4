package nntp_test

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hang"
	"locator/scheme"
	"locator/scheme/nntp"
	"locator/scheme/nntp/nntptest"
)

// A server announces many articles and never has one. Every way to read an overview ends.
//
// Covers: P6
func TestNoArticleAnywhere(t *testing.T) {
	t.Parallel()
	hang.Within(t, time.Minute)
	group := nntptest.Reply("GROUP", "211 1000000 1 4611686018427387000 g.test\r\n")
	for name, options := range map[string][]nntptest.Option{
		"OVER": {group, nntptest.Reply("OVER", "224 list\r\n.\r\n")},
		"HDR":  {group, nntptest.Without("OVER", "XOVER"), nntptest.Reply("HDR", "225 list\r\n.\r\n")},
		"HEAD": {group, nntptest.Without("OVER", "XOVER", "HDR", "XHDR"), nntptest.Reply("HEAD", "423 none\r\n")},
	} {
		for _, o := range []scheme.ListOptions{{}, {Max: 5}, {Max: 5, Newest: true}} {
			if name == "OVER" && o.Max == 0 {
				continue // one command
			}
			s := start(t, options...)
			_, err := names(t, newClient(t), at(t, s, "nntp", "g.test"), o)
			wantCode(t, err, scheme.CodeProtocol, "none in 2000 ranges")
		}
	}
}

// A server sends more than it was asked for. What is held in memory until all of it has come is bounded.
//
// Covers: P6
func TestTooManyRows(t *testing.T) {
	t.Parallel()
	row := func(i int, more string) string {
		return fmt.Sprintf("%d\tsubject\ta@b.example\t1 Dec 1994 12:00:00 GMT\t<%d@b.example>\t\t100\t7\t%s\r\n", i, i, more)
	}
	group := nntptest.Reply("GROUP", "211 100000 1 100000 g.test\r\n")
	var many, long strings.Builder
	for i := range 51 {
		many.WriteString(row(i+1, ""))
	}
	filler := strings.Repeat("x", 200<<10)
	for i := range 200 {
		long.WriteString(row(i+1, filler))
	}
	for _, c := range []struct {
		options []nntptest.Option
		code    scheme.Code
		text    string
		max     int
	}{
		{[]nntptest.Option{nntptest.Reply("OVER", "224 list\r\n"+many.String()+".\r\n")}, scheme.CodeProtocol, "more articles than it was asked for", 20},
		{[]nntptest.Option{nntptest.Reply("OVER", "224 list\r\n"+long.String()+".\r\n")}, scheme.CodeBroken, "more than 32 MiB", 400},
		{[]nntptest.Option{nntptest.Without("OVER", "XOVER"), nntptest.Reply("HDR", "225 list\r\n"+strings.Repeat("1 "+filler+"\r\n", 40)+".\r\n")},
			scheme.CodeBroken, "more than 32 MiB", 0},
		{[]nntptest.Option{nntptest.Without("OVER", "XOVER", "HDR", "XHDR"), nntptest.Reply("HEAD", "221 head\r\n"+strings.Repeat("X: "+filler+"\r\n", 10)+".\r\n")},
			scheme.CodeBroken, "more than 32 MiB", 0},
	} {
		s := start(t, append(c.options, group)...)
		_, err := names(t, newClient(t), at(t, s, "nntp", "g.test"), scheme.ListOptions{Max: c.max})
		wantCode(t, err, c.code, c.text)
	}
}

// The descriptions of groups are held until the groups are listed. What exceeds the limit is left out, with a note.
//
// Covers: P6
func TestTooManyDescriptions(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.News(), nntptest.Reply("LIST", "215 list\r\n"+strings.Repeat("g "+strings.Repeat("d", 200<<10)+"\r\n", 200)+".\r\n"))
	u := at(t, s, "news", "*")
	noted := false
	for e, err := range newClient(t).List(t.Context(), scheme.Request{URL: u}, &scheme.ListOptions{Began: func(res *scheme.Resource) {
		noted = strings.Contains(strings.Join(res.Notes, "\n"), "some are left out")
	}}) {
		if err != nil || e.Kind != scheme.KindNote {
			t.Fatal(e.Name[:min(len(e.Name), 100)], err)
		}
	}
	if !noted {
		t.Error("no note about the descriptions that are left out")
	}
}

// Compressed data that decompresses to nothing has no end that a line or a limit of bytes would notice.
//
// Covers: P6
func TestBarrenCompression(t *testing.T) {
	t.Parallel()
	hang.Within(t, time.Minute)
	s := start(t, nntptest.News(), nntptest.Deflate())
	c := client.New(client.Options{Registry: scheme.NewRegistry(nntp.NewNews()),
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, addr)
			return &emptyBlocks{Conn: conn}, err
		}})
	defer c.Close()
	_, err := names(t, c, at(t, s, "news", "*"), scheme.ListOptions{})
	wantCode(t, err, scheme.CodeProtocol, "compressed data contain nothing")
}

// emptyBlocks is a connection on which empty blocks follow the reply to COMPRESS.
type emptyBlocks struct {
	net.Conn
	begun bool
}

func (c *emptyBlocks) Read(p []byte) (int, error) {
	if c.begun {
		n := 0
		for ; n+5 <= len(p); n += 5 {
			copy(p[n:], "\x00\x00\x00\xff\xff")
		}
		return n, nil
	}
	n, err := c.Conn.Read(p)
	c.begun = strings.HasPrefix(string(p[:n]), "206 ")
	return n, err
}

// No part of a URL becomes a further command or argument: what cannot be sent is refused before anything is dialled.
//
// Covers: P1, P2
func TestInjection(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newClient(t, func(o *client.Options) { o.Servers = map[string][]locator.URL{"news": {s.ServerURL()}} })
	long := strings.Repeat("x", 500)
	refused := 0
	for _, text := range []string{
		"nntp://HOST/g%0D%0AQUIT", "nntp://HOST/g%0AQUIT/1", "nntp://HOST/g%0D", "nntp://HOST/g%00", "nntp://HOST/g%20h", "nntp://HOST/g%09h/1", "nntp://HOST/" + long,
		"news:a%0D%0AQUIT@b.example", "news:a%0A@b.example", "news:a%00@b.example", "news:a%20b@c.example", "news:a%3E%20%3Cb@c.example", "news:a%3E@b.example", "news:%3Ca@b.example",
		"news:a@b.example%0D%0AQUIT", "news:" + long + "@b.example", "news:g%0D%0AQUIT", "news:g.*%0D%0AQUIT", "news:g.*%20h", "news:g.%5Ba%5D*", "news:" + long + "*",
		"news://HOST/g%0D%0AQUIT", "nntp://u%0D%0AQUIT:p@HOST/g", "nntp://u:p%0D%0AQUIT@HOST/g",
	} {
		u, err := locator.Current.Parse(strings.Replace(text, "HOST", s.Addr(), 1))
		if err != nil {
			continue // the parser refuses it
		}
		refused++
		for _, o := range []scheme.AccessOptions{{}, {Raw: true}, {Decode: true}} {
			if _, err := c.Access(t.Context(), scheme.Request{URL: u}, &o); client.CodeOf(err) != scheme.CodeRefused {
				t.Errorf("%.60s: %v", text, err)
			}
		}
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil); client.CodeOf(err) != scheme.CodeRefused {
			t.Errorf("attributes of %.60s: %v", text, err)
		}
	}
	if n := s.Connections(); n != 0 || refused < 8 {
		t.Errorf("%d connections, %d refused: %q", n, refused, s.Lines())
	}
}

// at returns a URL of a server.
func at(t testing.TB, s *nntptest.Server, name, path string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(name + "://127.0.0.1:" + strconv.Itoa(int(s.Port())) + "/" + path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
