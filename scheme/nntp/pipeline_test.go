package nntp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

// An article that the server lists and does not send is a member whose Body fails; the others
// follow. A number that it does not list is a gap. The list takes one command.
//
// Covers: A9, P6
func TestBulkRefused(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(30)...)
	s.Cancel("g.test", 5)
	show := s.Hide("g.test", 10, 11, 30)
	c := newClient(t)
	read := func() (got, refused []int64, firsts map[int64]int64) {
		t.Helper()
		firsts = make(map[int64]int64)
		for res, err := range members(c.AccessAll(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)) {
			if err != nil {
				t.Fatal(err)
			}
			n := res.Position.Number
			firsts[n] = res.Position.First
			if _, err := io.ReadAll(res.Body); err == nil {
				got = append(got, n)
				continue
			} else if wantCode(t, err, scheme.CodeNotFound, fmt.Sprintf("lists article %d", n)); !strings.HasSuffix(res.URL.Text(), fmt.Sprintf("/%d", n)) {
				t.Errorf("the URL of article %d is %s", n, res.URL.Text())
			}
			refused = append(refused, n)
		}
		return got, refused, firsts
	}
	got, refused, firsts := read()
	if len(got) != 26 || !slices.Equal(refused, []int64{10, 11, 30}) {
		t.Errorf("read %v, refused %v", got, refused)
	}
	if firsts[6] != 5 || firsts[11] != 11 || firsts[12] != 12 { // the numbers before belong to no article
		t.Errorf("%v", firsts)
	}
	if n := len(slices.DeleteFunc(s.Lines(), func(l string) bool { return !strings.HasPrefix(l, "LISTGROUP") })); n != 1 {
		t.Errorf("%d commands LISTGROUP", n)
	}
	show()
	if got, refused, _ := read(); len(got) != 29 || refused != nil {
		t.Errorf("read %v, refused %v", got, refused)
	}
}

// Servers without LISTGROUP, or without its ranges, are read, too. Without it, a note says that
// gaps cannot be told from failures.
//
// Covers: A9
func TestBulkUnlisted(t *testing.T) {
	t.Parallel()
	list := "211 6 1 6 g.test\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n.\r\n"
	for name, x := range map[string]struct {
		option nntptest.Option
		code   scheme.Code
		noted  bool
	}{
		"500":          {nntptest.Without("LISTGROUP"), scheme.CodeOK, true},
		"501":          {nntptest.Reply("LISTGROUP", "501 what?\r\n"), scheme.CodeOK, true},
		"502":          {nntptest.Reply("LISTGROUP", "502 no\r\n"), scheme.CodeOK, true},
		"no ranges":    {nntptest.Reply("LISTGROUP", list), scheme.CodeOK, false},
		"411":          {nntptest.Reply("LISTGROUP", "411 no\r\n"), scheme.CodeOK, true},
		"part of name": {nntptest.NoRanges(), scheme.CodeOK, false},
		"400":          {nntptest.Reply("LISTGROUP", "400 bye\r\n"), scheme.CodeUnavailable, false},
		"out of order": {nntptest.Reply("LISTGROUP", "211 list\r\n4\r\n3\r\n.\r\n"), scheme.CodeProtocol, false},
		"no numbers":   {nntptest.Reply("LISTGROUP", "211 list\r\nx\r\n.\r\n"), scheme.CodeProtocol, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(6), x.option)...)
			s.Hide("g.test", 3)
			var notes []string
			_, got, err := all(t, newClient(t), ranged(t, s, "g.test", "2-5"), bulk.Options{}, func(r *scheme.Resource) { notes = r.Notes })
			if x.code != scheme.CodeOK {
				wantCode(t, err, x.code, "")
				return
			}
			if err != nil || !slices.Equal(got, []int64{2, 4, 5}) {
				t.Errorf("%v, %v", got, err)
			}
			if noted := slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "LISTGROUP") }); noted != x.noted {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

// A list of all without a number is not believed if the group has articles.
//
// Covers: A9
func TestBulkEmptyList(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(6), nntptest.Reply("LISTGROUP", "211 list\r\n.\r\n"))...)
	if _, got, err := all(t, newClient(t), s.GroupURL("g.test", 0), bulk.Options{}); err != nil || len(got) != 6 {
		t.Errorf("%v, %v", got, err)
	}
	if _, got, err := all(t, newClient(t), ranged(t, s, "g.test", "2-5"), bulk.Options{}); err != nil || got != nil {
		t.Errorf("a part: %v, %v", got, err)
	}
}

// Only the parts of a group that the caller lacks are listed.
//
// Covers: A9, P6, T96
func TestBulkHoles(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(40), nntptest.Sparse(1000))...)
	have := message.Have{List: s.Addr() + "/g.test", Spans: []message.Span{{First: 1, Last: 1999}, {First: 2002, Last: 29_999}, {First: 30_001, Last: 32_999}, {First: 33_001, Last: 40_000}}}
	_, got, err := all(t, newClient(t), s.GroupURL("g.test", 0), bulk.Options{Have: []message.Have{have}})
	if err != nil || !slices.Equal(got, []int64{2000, 30_000, 33_000}) {
		t.Errorf("%v, %v", got, err)
	}
	lists := slices.DeleteFunc(s.Lines(), func(l string) bool { return !strings.HasPrefix(l, "LISTGROUP") })
	if !slices.Equal(lists, []string{"LISTGROUP g.test 2000-2001", "LISTGROUP g.test 30000-33000"}) {
		t.Errorf("%q", lists)
	}
}

// A connection whose bulk access was left early is not used again: replies may be on their way.
//
// Covers: A9
func TestBulkLeftEarly(t *testing.T) {
	t.Parallel()
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) {
		in := bufio.NewReader(c)
		io.WriteString(c, "200 ready\r\n")
		for {
			line, err := in.ReadString('\n')
			var n int
			switch {
			case err != nil:
				return
			case strings.HasPrefix(line, "GROUP"):
				io.WriteString(c, "211 9 1 9 g.test\r\n")
			case strings.HasPrefix(line, "ARTICLE"):
				fmt.Sscanf(line, "ARTICLE %d", &n)
				time.Sleep(20 * time.Millisecond) // so that the client has read everything that came
				fmt.Fprintf(c, "220 %d <%d@b.example>\r\nSubject: s\r\n\r\ntext %d\r\n.\r\n", n, n, n)
			default:
				io.WriteString(c, "500 what?\r\n")
			}
		}
	})
	u, err := locator.Current.Parse("nntp://" + h.Addr() + "/g.test")
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t)
	count := 0
	for res, err := range members(c.AccessAll(t.Context(), scheme.Request{URL: u}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(res.Body); err != nil {
			t.Fatal(err)
		}
		if count++; count == 2 {
			break
		}
	}
	one, err := locator.Current.Parse("nntp://" + h.Addr() + "/g.test/1")
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Access(t.Context(), scheme.Request{URL: one}, &scheme.AccessOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	if b, err := io.ReadAll(res.Body); err != nil || !strings.HasSuffix(string(b), "\r\ntext 1\r\n") {
		t.Errorf("%q, %v", b, err)
	}
}

// Numbers without an article are requested only up to a bound.
//
// Covers: P6, T96
func TestBulkAbsent(t *testing.T) {
	t.Parallel()
	const most = 200_000 // maxAbsent
	h := peer.ListenFor(t)
	asked := make(chan int, 2)
	h.Serve(func(c net.Conn) {
		in, out, n := bufio.NewReader(c), bufio.NewWriter(c), 0
		defer func() { asked <- n }()
		fmt.Fprint(out, "200 ready\r\n")
		for {
			if in.Buffered() == 0 && out.Flush() != nil {
				return
			}
			line, err := in.ReadString('\n')
			switch {
			case err != nil:
				return
			case strings.HasPrefix(line, "GROUP"):
				fmt.Fprint(out, "211 1000000 1 1000000 g.test\r\n")
			case strings.HasPrefix(line, "ARTICLE"):
				if n++; n > most+1000 {
					return
				}
				fmt.Fprint(out, "423 none\r\n")
			default:
				fmt.Fprint(out, "500 what?\r\n")
			}
		}
	})
	u, err := locator.Current.Parse("nntp://" + h.Addr() + "/g.test")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = all(t, newClient(t, func(o *client.Options) { o.Limits.Idle = 10 * time.Second }), u, bulk.Options{})
	wantCode(t, err, scheme.CodeProtocol, "has none under 200000 numbers")
	if n := <-asked; n <= most || n > most+1000 {
		t.Errorf("%d numbers requested", n)
	}
}
