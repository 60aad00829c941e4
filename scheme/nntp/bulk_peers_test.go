package nntp_test

import (
	"fmt"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
)

// bulkArticles is how many articles the bulk test offers to INN.
const bulkArticles = 500

// TestBulkPeers reads 500 articles from INN in bulk, byte for byte as another client reads them,
// and searches them.
//
// Covers: A9
func TestBulkPeers(t *testing.T) {
	e := peers.Start(t, "inn")
	offerArticles(t, e.Addr(t, "inn"), "local.bulk")
	for _, name := range []string{"inn", "nnrpd"} {
		t.Run(name, func(t *testing.T) {
			addr := e.Addr(t, name)
			u := locator.MustParse("nntp://" + addr + "/local.bulk")
			c := newClient(t, func(o *client.Options) {
				port, _ := u.PortNumber()
				o.Policy = policy.New(policy.Options{AllowPorts: []uint16{port}})
			})
			got, numbers, err := all(t, c, u, bulk.Options{})
			if err != nil || len(got) < bulkArticles {
				t.Fatalf("%d articles, %v", len(got), err)
			}
			if want := oneByOne(t, addr, "local.bulk", numbers); !slices.Equal(got, want) {
				t.Error("the articles differ from those that another client reads")
			}
			for f, want := range map[*message.Pattern]int{
				{Name: "Subject", Text: "bulk 12"}: 11, {Name: "Subject", Text: "BULK 12?"}: 10, {Name: "Path", Text: "*OFFERED.invalid*"}: bulkArticles,
				{Name: "Organization", Text: "none"}: 0,
			} {
				list, err := names(t, c, u, scheme.ListOptions{Filter: message.Filter{Match: []message.Pattern{*f}}})
				if err != nil || len(list) != want {
					t.Errorf("%v: %d entries, %v; want %d", *f, len(list), err, want)
				}
			}
			list, err := names(t, c, u, scheme.ListOptions{Filter: message.Filter{Since: time.Now().Add(-time.Hour)}})
			if err != nil || len(list) != bulkArticles {
				t.Errorf("since an hour ago: %d entries, %v", len(list), err)
			}
			newest, err := names(t, c, u, scheme.ListOptions{Newest: true})
			if err != nil || len(newest) != bulkArticles {
				t.Errorf("newest first: %d entries, %v", len(newest), err)
			}
		})
	}
}

// dialNews connects a client of its own.
func dialNews(t *testing.T, addr string) (c *textproto.Conn, ask func(want int, format string, args ...any) string) {
	t.Helper()
	c, err := textproto.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, _, err := c.ReadCodeLine(20); err != nil {
		t.Fatal(err)
	}
	return c, func(want int, format string, args ...any) string {
		t.Helper()
		if err := c.PrintfLine(format, args...); err != nil {
			t.Fatal(err)
		}
		_, text, err := c.ReadCodeLine(want)
		if err != nil {
			t.Fatalf(format+": %v", append(args, err)...)
		}
		return text
	}
}

// offerArticles offers articles to INN by IHAVE, unless it has them from an earlier run.
func offerArticles(t *testing.T, addr, group string) {
	t.Helper()
	c, _ := dialNews(t, addr)
	for n := range bulkArticles {
		id := fmt.Sprintf("<bulk-%d@offered.invalid>", n+1)
		if err := c.PrintfLine("IHAVE %s", id); err != nil {
			t.Fatal(err)
		}
		code, line, err := c.ReadCodeLine(335)
		if code == 435 {
			continue
		}
		if err != nil {
			t.Fatal(line, err)
		}
		w := c.DotWriter()
		fmt.Fprintf(w, "Path: offered.invalid!x\r\nFrom: a@offered.invalid\r\nNewsgroups: %s\r\nSubject: bulk %d\r\nDate: %s\r\nMessage-ID: %s\r\n\r\n.dot\r\n..\r\nFrom me\r\n%s",
			group, n+1, time.Now().UTC().Format(time.RFC1123Z), id, strings.Repeat("caf\xe9 text\r\n", n%30))
		w.Close()
		if _, line, err := c.ReadCodeLine(235); err != nil {
			t.Fatal(line, err)
		}
	}
}

// oneByOne reads articles with a client of its own.
func oneByOne(t *testing.T, addr, group string, numbers []int64) (texts []string) {
	t.Helper()
	c, ask := dialNews(t, addr)
	ask(20, "MODE READER")
	ask(211, "GROUP %s", group)
	sent := make(chan error, 1)
	go func() { // one by one, each would wait for a delayed acknowledgement of TCP
		var all strings.Builder
		for _, n := range numbers {
			fmt.Fprintf(&all, "ARTICLE %d\r\n", n)
		}
		c.W.WriteString(all.String())
		sent <- c.W.Flush()
	}()
	defer func() { <-sent }()
	for range numbers {
		if _, _, err := c.ReadCodeLine(220); err != nil {
			t.Fatal(err)
		}
		b, err := c.ReadDotBytes()
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.ReplaceAll(string(b), "\n", "\r\n"))
	}
	return texts
}
