package nntp_test

import (
	"bufio"
	"fmt"
	"io"
	"iter"
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

// all reads a listing in bulk. It returns the articles and their numbers.
func all(t testing.TB, c *client.Client, u locator.URL, o bulk.Options, opened ...func(*scheme.Resource)) (texts []string, numbers []int64, err error) {
	t.Helper()
	list, err := c.AccessAll(t.Context(), scheme.Request{URL: u}, &o)
	for _, f := range opened {
		if err == nil {
			f(list)
		}
	}
	for res, err := range members(list, err) {
		if err != nil {
			return texts, numbers, err
		}
		b, err := io.ReadAll(res.Body)
		if err != nil {
			continue // and the sequence ends
		}
		texts, numbers = append(texts, string(b)), append(numbers, res.Position.Number)
	}
	return texts, numbers, nil
}

// members returns the members of a listing, or the error, and closes it when the loop ends.
func members(list *scheme.Resource, err error) iter.Seq2[*scheme.Resource, error] {
	return func(yield func(*scheme.Resource, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		defer list.Close()
		list.Members(yield)
	}
}

// ranged returns the URL of a range of a group.
func ranged(t testing.TB, s *nntptest.Server, group, span string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(s.GroupURL(group, 0).Text() + "/" + span)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// 500 articles take a few round trips on one connection, and keep every byte.
//
// Covers: A9
func TestBulk(t *testing.T) {
	t.Parallel()
	var want []string
	var options []nntptest.Option
	for i := range 500 {
		text := text(fmt.Sprintf("%d@b.example", i+1), fmt.Sprint("s", i+1), strings.Repeat("..dots\r\n.\r\n", i%7)+"nul\x00 \xff\r\n")
		want, options = append(want, text), append(options, nntptest.Article("g.test", text))
	}
	s := start(t, options...)
	c := newClient(t)
	var began *scheme.Resource
	got, numbers, err := all(t, c, s.GroupURL("g.test", 0), bulk.Options{}, func(r *scheme.Resource) { began = r })
	if err != nil || !slices.Equal(got, want) || numbers[0] != 1 || numbers[499] != 500 {
		t.Fatalf("%d articles, %v", len(got), err)
	}
	if n, _ := began.Count.Get(); n != 500 {
		t.Errorf("count %d", n)
	}
	for span, want := range map[string][]string{"5-7": want[4:7], "499-": want[498:], "500-9999": want[499:], "600-700": nil} {
		if got, _, err := all(t, c, ranged(t, s, "g.test", span), bulk.Options{}); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d articles, %v", span, len(got), err)
		}
	}
	if got, _, err := all(t, c, s.GroupURL("g.test", 3), bulk.Options{}); err != nil || !slices.Equal(got, want[2:3]) {
		t.Errorf("one: %d articles, %v", len(got), err)
	}
	if got, _, err := all(t, c, s.GroupURL("tree.nothing", 0), bulk.Options{}); err != nil || got != nil {
		t.Errorf("an empty group: %q, %v", got, err)
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
	_, _, err = all(t, c, s.GroupURL("g.none", 0), bulk.Options{})
	wantCode(t, err, scheme.CodeNotFound, "no such group")
	_, _, err = all(t, c, s.GroupURL("g.test", 999), bulk.Options{})
	wantCode(t, err, scheme.CodeNotFound, "no article with this number")
}

// Missing numbers are skipped, by themselves and in sparse groups by LISTGROUP, and belong to the
// span of the next article.
//
// Covers: A9, P6
func TestBulkMissing(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(20)...)
	for _, n := range []int64{3, 4, 20} {
		s.Cancel("g.test", n)
	}
	var spans []message.Span
	for res, err := range members(newClient(t).AccessAll(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, message.Span{First: res.Position.First, Last: res.Position.Number})
	}
	if len(spans) != 17 || spans[2] != (message.Span{First: 3, Last: 5}) || spans[3] != (message.Span{First: 6, Last: 6}) {
		t.Errorf("%v", spans)
	}
	sparse := start(t, append(numbered(300), nntptest.Sparse(70_000))...)
	got, numbers, err := all(t, newClient(t), sparse.GroupURL("g.test", 0), bulk.Options{})
	if err != nil || len(got) != 300 || numbers[299] != 300*70_000 {
		t.Errorf("%d articles, %v", len(got), err)
	}
	if n := len(sparse.Lines()); n > 600 {
		t.Errorf("%d commands for a sparse group", n)
	}
}

// What the caller has is left out, unless the server has given new numbers.
//
// Covers: A9
func TestBulkHave(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(30)...)
	c := newClient(t)
	list := s.Addr() + "/g.test"
	read := func(h message.Have, u locator.URL) (numbers []int64, renumbered string) {
		t.Helper()
		_, numbers, err := all(t, c, u, bulk.Options{Have: []message.Have{h}, Renumbered: func(list string) { renumbered = list }})
		if err != nil {
			t.Error(err)
		}
		return numbers, renumbered
	}
	have := message.Have{List: list, Spans: []message.Span{{First: 1, Last: 10}, {First: 13, Last: 28}}, ID: "28@b.example"}
	if got, anew := read(have, s.GroupURL("g.test", 0)); !slices.Equal(got, []int64{11, 12, 29, 30}) || anew != "" {
		t.Errorf("%v, %q", got, anew)
	}
	if got, _ := read(have, s.GroupURL("g.test", 13)); got != nil {
		t.Errorf("one that there is: %v", got)
	}
	if got, _ := read(have, ranged(t, s, "g.test", "14-20")); got != nil {
		t.Errorf("a range that there is: %v", got)
	}
	s.Cancel("g.test", 28) // says nothing about the numbers
	if got, anew := read(have, ranged(t, s, "g.test", "1-12")); len(got) != 2 || anew != "" {
		t.Errorf("%v, %q", got, anew)
	}
	s.Renumber("g.test", 5)
	if got, anew := read(have, s.GroupURL("g.test", 0)); len(got) != 29 || anew != list {
		t.Errorf("another article under the number: %v, %q", got, anew)
	}
	s.Renumber("g.test", 1)
	have.Spans[1].Last = 29_000
	if got, anew := read(have, s.GroupURL("g.test", 0)); len(got) != 29 || anew != list {
		t.Errorf("smaller numbers: %v, %q", got, anew)
	}
}

// A bulk access ends with the error of the connection, after whole articles, and can be continued.
//
// Covers: A9, P6, T94
func TestBulkBroken(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(25), nntptest.CutAfter(10))...)
	c := newClient(t)
	have := message.Have{List: s.Addr() + "/g.test"}
	var runs []int
	for len(runs) < 10 {
		_, numbers, err := all(t, c, s.GroupURL("g.test", 0), bulk.Options{Have: []message.Have{have}})
		runs = append(runs, len(numbers))
		if err == nil {
			break
		}
		wantCode(t, err, scheme.CodeBroken, "broke off")
		have.Spans = []message.Span{{First: 1, Last: numbers[len(numbers)-1]}}
	}
	if !slices.Equal(runs, []int{10, 10, 5}) {
		t.Errorf("%v", runs)
	}
}

// Replies out of step, and those that refuse something, end a bulk access by name.
//
// Covers: A9, P6, T94
func TestBulkReplies(t *testing.T) {
	t.Parallel()
	article := "220 1 <1@b.example>\r\nSubject: s\r\n\r\ntext\r\n.\r\n"
	for name, tt := range map[string]struct {
		reply string
		code  scheme.Code
		text  string
	}{
		"another number":     {"220 7 <7@b.example>\r\nSubject: s\r\n\r\n.\r\n", scheme.CodeProtocol, "article 7 in reply to ARTICLE 1"},
		"two replies":        {article + article, scheme.CodeProtocol, "article 1 in reply to ARTICLE 2"},
		"no terminator":      {"220 1 <1@b.example>\r\nSubject: s\r\n\r\ntext\r\n220 2 <2@b.example>\r\n", scheme.CodeBroken, ""},
		"400":                {"400 going down\r\n", scheme.CodeUnavailable, "try again later"},
		"403":                {"403 spool\r\n", scheme.CodeUnavailable, "internal fault"},
		"412":                {"412 no group\r\n", scheme.CodeProtocol, "lost the group"},
		"480":                {"480 who?\r\n", scheme.CodeLoginNeeded, "login"},
		"483":                {"483 TLS\r\n", scheme.CodeLoginNeeded, "TLS"},
		"502":                {"502 no\r\n", scheme.CodeLoginNeeded, "does not permit"},
		"another code":       {"222 1 <1@b.example>\r\ntext\r\n.\r\n", scheme.CodeProtocol, "makes no sense"},
		"not NNTP":           {"text\r\n", scheme.CodeProtocol, "does not speak NNTP"},
		"all numbers absent": {"423 none\r\n", scheme.CodeOK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(5), nntptest.Reply("ARTICLE", tt.reply))...)
			c := newClient(t, func(o *client.Options) {
				if tt.code == scheme.CodeBroken { // the server sends no more
					o.Limits.Idle = 300 * time.Millisecond
				}
			})
			_, _, err := all(t, c, s.GroupURL("g.test", 0), bulk.Options{})
			if tt.code == scheme.CodeOK {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantCode(t, err, tt.code, tt.text)
		})
	}
}

// A login that the server asks for is sent before the articles.
//
// Covers: A9, P3
func TestBulkLogin(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(50), nntptest.Login())...)
	c := newClient(t, func(o *client.Options) {
		o.TLSMode, o.Logins = scheme.TLSOff, []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
	})
	if got, _, err := all(t, c, s.GroupURL("g.test", 0), bulk.Options{}); err != nil || len(got) != 50 {
		t.Errorf("%d articles, %v", len(got), err)
	}
}

// The number of articles of one run is limited; it is said before, and an article that the caller
// does not read is skipped.
//
// Covers: P6
func TestBulkLimits(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(20), nntptest.Article("g.test", text("big@b.example", "big", strings.Repeat(strings.Repeat("x", 998)+"\r\n", 100))))...)
	c := newClient(t, func(o *client.Options) { o.Limits.Entries = 10 })
	var notes []string
	got, _, err := all(t, c, s.GroupURL("g.test", 0), bulk.Options{}, func(r *scheme.Resource) { notes = r.Notes })
	wantCode(t, err, scheme.CodeBroken, "10, the limit of one run")
	if len(got) != 10 || len(notes) != 1 || !strings.Contains(notes[0], "10 is the limit") {
		t.Errorf("%d articles, notes %q", len(got), notes)
	}
	n := 0
	for res, err := range members(newClient(t).AccessAll(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 21 && res.Attr.ID != "big@b.example" {
			t.Errorf("%+v", res.Attr)
		}
	}
	if n != 21 {
		t.Errorf("%d articles that nobody read", n)
	}
}

// A caller that stops leaves no connection behind that could be out of step.
//
// Covers: A9, P6
func TestBulkStop(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(300)...)
	c := newClient(t)
	for range members(c.AccessAll(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)) {
		break
	}
	if got, _, err := all(t, c, s.GroupURL("g.test", 0), bulk.Options{}); err != nil || len(got) != 300 {
		t.Errorf("%d articles, %v", len(got), err)
	}
}

// Since selects by the time of arrival if the server has NEWNEWS, else by the dates in the
// articles.
//
// Covers: A9
func TestSince(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var options []nntptest.Option
	for i := range 700 {
		date := now.Add(time.Duration(i-700) * time.Hour)
		article := fmt.Sprintf("From: a@b.example\r\nSubject: s%d\r\nDate: %s\r\nMessage-ID: <%d@b.example>\r\n\r\ntext\r\n", i+1, date.UTC().Format(time.RFC1123Z), i+1)
		came := date
		if i == 695 {
			came = now.Add(-1000 * time.Hour) // long on the way
		}
		options = append(options, nntptest.ArticleAt("g.test", article, came))
	}
	by := message.Filter{Since: now.Add(-10*time.Hour - time.Minute)}
	arrived, written := []string{"s691", "s692", "s693", "s694", "s695", "s697", "s698", "s699", "s700"}, []string{"s691", "s692", "s693", "s694", "s695", "s696", "s697", "s698", "s699", "s700"}
	for name, c := range map[string]struct {
		options []nntptest.Option
		want    []string
	}{
		"NEWNEWS": {nil, arrived}, "OVER": {[]nntptest.Option{nntptest.Without("NEWNEWS")}, written}, "RFC 977": {[]nntptest.Option{nntptest.Old()}, arrived},
		"HEAD":    {[]nntptest.Option{nntptest.Old(), nntptest.Without("NEWNEWS", "XOVER")}, written},
		"refused": {[]nntptest.Option{nntptest.Reply("NEWNEWS", "502 disabled\r\n")}, written},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, slices.Concat(options, c.options)...)
			cl := newClient(t)
			got, err := names(t, cl, s.GroupURL("g.test", 0), scheme.ListOptions{Filter: by})
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("list: %q, %v", got, err)
			}
			if n := len(s.Lines()); n > 1000+20 && name != "HEAD" {
				t.Errorf("%d commands", n)
			}
			newest, err := names(t, cl, s.GroupURL("g.test", 0), scheme.ListOptions{Filter: by, Newest: true, Max: 3})
			if err != nil || !slices.Equal(newest, []string{"s700", "s699", "s698"}) {
				t.Errorf("newest: %q, %v", newest, err)
			}
			texts, _, err := all(t, cl, s.GroupURL("g.test", 0), bulk.Options{Filter: by})
			if err != nil || len(texts) != len(c.want) {
				t.Errorf("bulk: %d articles, %v", len(texts), err)
			}
			none, err := names(t, cl, s.GroupURL("g.test", 0), scheme.ListOptions{Filter: message.Filter{Since: now.Add(time.Hour)}})
			if err != nil || none != nil {
				t.Errorf("future: %q, %v", none, err)
			}
		})
	}
}

// Match searches decoded fields, and fields that no overview has by HDR.
//
// Covers: A9
func TestMatch(t *testing.T) {
	t.Parallel()
	var options []nntptest.Option
	for i := range 620 {
		subject, more := fmt.Sprint("plain ", i+1), ""
		switch i + 1 {
		case 7:
			subject = "All about GOPHER"
		case 600:
			subject = "=?utf-8?q?Caf=C3=A9_g?= =?utf-8?q?opher?="
		case 550:
			more = "Organization: The Café, Ltd\r\n"
		}
		options = append(options, nntptest.Article("g.test", fmt.Sprintf("From: a%d@b.example\r\n%sSubject: %s\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <%d@b.example>\r\n\r\ntext\r\n", i+1, more, subject, i+1)))
	}
	match := func(name, text string) message.Filter {
		return message.Filter{Match: []message.Pattern{{Name: name, Text: text}}}
	}
	both := []string{"All about GOPHER", "Café gopher"}
	for name, o := range map[string][]nntptest.Option{
		"HDR": nil, "XHDR": {nntptest.Old()}, "no OVER": {nntptest.Without("OVER", "XOVER")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, slices.Concat(options, o)...)
			c := newClient(t)
			for _, x := range []struct {
				f    message.Filter
				want []string
			}{
				{match("Subject", "gopher"), both}, {match("subject", "*gopher"), both}, {match("Subject", "all about*"), both[:1]}, {match("Subject", "café GO"), both[1:]},
				{match("From", "a600@"), both[1:]}, {match("Organization", "café, l"), []string{"plain 550"}}, {match("Organization", "none"), nil},
				{message.Filter{Match: []message.Pattern{{Name: "Subject", Text: "o"}, {Name: "From", Text: "a7@"}}}, both[:1]},
				{match("Subject", "plain*,!*1*,!*2*,!*3*,!*4*,!*5*,!*6*,!*7*,!*8*"), []string{"plain 9", "plain 90", "plain 99"}},
			} {
				got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{Filter: x.f})
				if err != nil || !slices.Equal(got, x.want) {
					t.Errorf("%v: %d entries, %.100q, %v", x.f.Match, len(got), got, err)
				}
			}
			texts, _, err := all(t, c, s.GroupURL("g.test", 0), bulk.Options{Filter: match("Subject", "gopher")})
			if err != nil || len(texts) != 2 {
				t.Errorf("bulk: %d articles, %v", len(texts), err)
			}
			_, err = names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{Filter: match("X Y", "a")})
			wantCode(t, err, scheme.CodeUsage, "not the name of a header field")
		})
	}
}

// Groups match lists of patterns with exclusions (RFC 3977 4), and those that were made since then.
//
// Covers: A9, S11
func TestGroupPatterns(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Article("a.b", text("1@b", "s", "t\r\n")), nntptest.Article("a.c", text("2@b", "s", "t\r\n")), nntptest.Article("d.e", text("3@b", "s", "t\r\n")))
	c := newClient(t, func(o *client.Options) { o.Servers = map[string][]locator.URL{"news": {s.ServerURL()}} })
	for text, want := range map[string][]string{
		"news:a.*": {"a.b", "a.c"}, "news:a.*%2C%21a.c": {"a.b"}, "news:d.e%2Ca.b": {"a.b", "d.e"}, "news:*%2C%21tree*%2C%21a.%3f": {"d.e"}, "news:x.*": nil,
	} {
		for _, since := range []time.Time{{}, time.Now().Add(-time.Hour)} {
			got, err := names(t, c, locator.Current.MustParse(text), scheme.ListOptions{Filter: message.Filter{Since: since}})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s since %v: %q, %v", text, since, got, err)
			}
		}
	}
	got, err := names(t, c, locator.MustParse("news:*"), scheme.ListOptions{Filter: message.Filter{Since: time.Now().Add(time.Hour)}})
	if err != nil || got != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// A server that reads no more commands and one that sends no more replies end the access within the
// time limit.
//
// Covers: P6, T94
func TestBulkStopsReading(t *testing.T) {
	t.Parallel()
	for _, replies := range []int{0, 3} {
		h, err := peer.Listen()
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan struct{})
		h.Serve(func(c net.Conn) {
			in := bufio.NewReader(c)
			io.WriteString(c, "200 ready\r\n")
			for {
				line, err := in.ReadString('\n')
				switch {
				case err != nil:
					return
				case strings.HasPrefix(line, "GROUP"):
					io.WriteString(c, "211 1000000 1 1000000 g.test\r\n")
				case strings.HasPrefix(line, "ARTICLE"):
					for n := range replies {
						fmt.Fprintf(c, "220 %d <%d@b.example>\r\nSubject: s\r\n\r\ntext\r\n.\r\n", n+1, n+1)
					}
					<-over
					return
				default:
					io.WriteString(c, "500 what?\r\n")
				}
			}
		})
		u, err := locator.Current.Parse("nntp://" + h.Addr() + "/g.test")
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		got, _, err := all(t, newClient(t, func(o *client.Options) { o.Limits.Idle = 200 * time.Millisecond }), u, bulk.Options{})
		close(over)
		h.Close()
		wantCode(t, err, scheme.CodeBroken, "stalled")
		if len(got) != replies || time.Since(begun) > 20*time.Second {
			t.Errorf("%d articles in %v", len(got), time.Since(begun))
		}
	}
}
