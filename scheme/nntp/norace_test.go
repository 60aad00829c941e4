//go:build !race

// The tests of this file process much data in one goroutine: the race detector would take five
// times as long and find nothing.

package nntp_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hang"
	"locator/internal/held"
	"locator/scheme"
	"locator/scheme/message"
	"locator/scheme/nntp/nntptest"
)

// A server announces many articles and never has one. Every way to read an overview ends.
//
// Covers: P6, T98
func TestNoArticleAnywhere(t *testing.T) {
	t.Parallel()
	hang.Within(t, time.Minute)
	group := nntptest.Reply("GROUP", "211 1000000 1 4611686018427387000 g.test\r\n")
	for name, options := range map[string][]nntptest.Option{
		"OVER": {group, nntptest.Reply("OVER", "224 list\r\n.\r\n")},
		"HEAD": {group, nntptest.Without("OVER", "XOVER"), nntptest.Reply("HEAD", "423 none\r\n")},
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

// A server announces many articles, and has none that matches. The search ends.
//
// Covers: P6
func TestNoMatchAnywhere(t *testing.T) {
	t.Parallel()
	hang.Within(t, time.Minute)
	group := nntptest.Reply("GROUP", "211 1000000 1 4611686018427387000 g.test\r\n")
	for name, options := range map[string][]nntptest.Option{
		"HDR without lines": {nntptest.Reply("HDR", "225 list\r\n.\r\n")},
		"HDR of no article": {nntptest.Reply("HDR", "423 none\r\n")},
	} {
		s := start(t, append(options, group)...)
		_, err := names(t, newClient(t), at(t, s, "nntp", "g.test"), scheme.ListOptions{Filter: message.Filter{Match: []message.Pattern{{Name: "Organization", Text: "a"}}}})
		if wantCode(t, err, scheme.CodeBroken, "name a range"); t.Failed() {
			t.Log(name)
		}
	}
}

// A server sends more than it was asked for. What is held in memory until all of it has come is
// bounded.
//
// Covers: P6, T98
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
		{[]nntptest.Option{nntptest.Without("OVER", "XOVER"), nntptest.Reply("HEAD", "221 head\r\n"+strings.Repeat("X: "+filler+"\r\n", 10)+".\r\n")},
			scheme.CodeBroken, "more than 32 MiB", 0},
	} {
		s := start(t, append(c.options, group)...)
		_, err := names(t, newClient(t), at(t, s, "nntp", "g.test"), scheme.ListOptions{Max: c.max})
		wantCode(t, err, c.code, c.text)
	}
}

// The descriptions of groups are held until the groups are listed. What exceeds the limit is left
// out, with a note.
//
// Covers: P6, T98
func TestTooManyDescriptions(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.News(), nntptest.Reply("LIST", "215 list\r\n"+strings.Repeat("g "+strings.Repeat("d", 200<<10)+"\r\n", 200)+".\r\n"))
	u := at(t, s, "news", "*")
	noted := false
	list, err := newClient(t).List(t.Context(), scheme.Request{URL: u}, nil)
	if err == nil {
		noted = strings.Contains(strings.Join(list.Notes, "\n"), "some are left out")
	}
	for e, err := range client.Entries(list, err) {
		if err != nil || e.Kind != scheme.KindNote {
			t.Fatal(e.Name[:min(len(e.Name), 100)], err)
		}
	}
	if !noted {
		t.Error("no note about the descriptions that are left out")
	}
}

// An entry that the caller keeps takes the memory that package held estimates. It keeps neither the
// line of the server nor references that were left out.
//
// Covers: P6, T98
func TestKeptEntries(t *testing.T) {
	const rows = 300
	var over, active strings.Builder
	for i := range rows {
		fmt.Fprintf(&over, "%d\tsubject\ta@b.example\t1 Dec 1994 12:00:00 GMT\t<%d@b.example>\t%s\t100\t7\tXref: x\t%s\r\n", i+1, i+1, strings.Repeat("<@>", 2500), strings.Repeat("x", 64<<10))
		fmt.Fprintf(&active, "g.n%d%s9 1 y\r\n", i, strings.Repeat(" ", 8<<10))
	}
	s := start(t, nntptest.Reply("GROUP", fmt.Sprintf("211 %d 1 %[1]d g.test\r\n", rows)), nntptest.Reply("OVER", "224 list\r\n"+over.String()+".\r\n"),
		nntptest.Reply("LIST ACTIVE", "215 list\r\n"+active.String()+".\r\n"))
	for _, u := range []locator.URL{at(t, s, "nntp", "g.test"), at(t, s, "news", "*")} {
		c := newClient(t)
		var kept []scheme.Entry
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		said := 0
		for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: u}, nil)) {
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, e)
			said += held.Entry(&e)
		}
		c.Close()
		took := 0
		for range 100 { // the server may still hold what it has sent
			runtime.GC()
			runtime.ReadMemStats(&after)
			if took = int(after.HeapAlloc) - int(before.HeapAlloc); took <= 2*said {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if len(kept) != rows || took > 2*said || said > rows*8<<10 {
			t.Errorf("%v: %d entries take %d bytes, the estimate is %d", u, len(kept), took, said)
		}
		runtime.KeepAlive(kept)
	}
}
