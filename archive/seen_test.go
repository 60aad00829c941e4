package archive_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/archive"
	"locator/client"
	"locator/scheme"
	"locator/scheme/message"
	"locator/scheme/nntp/nntptest"
)

// A message that the server lists and cannot send now is named, and asked for again by the next
// run; so is one that comes late under a lower number. Gaps are neither named nor forgotten.
//
// Covers: A9
func TestCollectMissing(t *testing.T) {
	t.Parallel()
	for _, f := range archive.Formats() {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			s := newsServer(t, 40, nntptest.CutAfter(12))
			c := newsClient(t, s)
			for _, n := range []int64{5, 6, 35} {
				s.Cancel("g.test", n)
			}
			show := s.Hide("g.test", 10, 11, 40)
			name := filepath.Join(t.TempDir(), "archive")
			var left []string
			o := archive.CollectOptions{Retries: 1}
			o.Events.Left = func(u locator.URL, err error) {
				if client.CodeOf(err) != scheme.CodeNotFound || !strings.Contains(err.Error(), "423") {
					t.Errorf("%s: %v", u.Text(), err)
				}
				left = append(left, u.Text()[strings.LastIndexByte(u.Text(), '/')+1:])
			}
			run := func(want archive.Collected, missing ...string) {
				t.Helper()
				left = nil
				got, err := collect(t, c, s.GroupURL("g.test", 0), name, f, o)
				got.Bytes = 0
				if err != nil || got != want || !slices.Equal(left, missing) {
					t.Errorf("%+v, %v, missing %q; want %+v, %q", got, err, left, want, missing)
				}
			}
			run(archive.Collected{Messages: 34, Missing: 3}, "10", "11", "40")
			run(archive.Collected{Missing: 3}, "10", "11", "40")
			show()
			s.AddAt("g.test", 5, newsText(5))
			run(archive.Collected{Messages: 4})
			s.AddAt("g.test", 35, newsText(35))
			s.AddAt("g.test", 41, newsText(41))
			run(archive.Collected{Messages: 2})
			run(archive.Collected{})
			got := ids(t, name, f)
			if slices.Sort(got); len(got) != 40 || len(slices.Compact(got)) != 40 {
				t.Errorf("%d messages", len(got))
			}
		})
	}
}

// A message is stored once: of several groups and servers, under new numbers, equal Message-IDs
// under two numbers, and after the journal was lost. Messages without a Message-ID that identifies
// them are all stored.
//
// Covers: A9, T95
func TestCollectOnce(t *testing.T) {
	t.Parallel()
	for _, f := range archive.Formats() {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			var more []nntptest.Option
			for n := 10; n < 20; n++ {
				more = append(more, nntptest.Article("g.other", newsText(n)))
			}
			s := newsServer(t, 30, append(more, nntptest.Article("g.test", newsText(7)))...)
			other := newsServer(t, 32)
			c := newsClient(t, s)
			name := filepath.Join(t.TempDir(), "archive")
			journal := name + archive.JournalSuffix
			if f.IsFolder() {
				journal = filepath.Join(name, archive.JournalName)
			}
			var notes []string
			run := func(what string, u locator.URL, messages, known int) {
				t.Helper()
				notes = nil
				a, err := archive.Open(name, f, archive.Options{Note: func(text string) { notes = append(notes, text) }})
				if err != nil {
					t.Fatal(err)
				}
				got, err := archive.Collect(t.Context(), c, scheme.Request{URL: u}, a, archive.CollectOptions{})
				if err != nil || got.Messages != messages || got.Known != known {
					t.Errorf("%s: %+v, %v; want %d stored, %d known", what, got, err, messages, known)
				}
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
			}
			run("equal Message-IDs", s.GroupURL("g.test", 0), 30, 1)
			run("another group", s.GroupURL("g.other", 0), 0, 10)
			run("another server", other.GroupURL("g.test", 0), 2, 30)
			s.Renumber("g.test", 1001)
			run("higher numbers", s.GroupURL("g.test", 0), 0, 31)
			run("known numbers", s.GroupURL("g.test", 0), 0, 0)
			if err := os.Remove(journal); err != nil {
				t.Fatal(err)
			}
			run("lost journal", s.GroupURL("g.test", 0), 0, 31)
			if len(notes) != 1 || !strings.Contains(notes[0], "32 Message-IDs") {
				t.Errorf("notes %q", notes)
			}
			run("after it", other.GroupURL("g.test", 0), 0, 32)
			if notes != nil {
				t.Errorf("notes %q", notes)
			}
			got := ids(t, name, f)
			if slices.Sort(got); len(got) != 32 || len(slices.Compact(got)) != 32 {
				t.Errorf("%d messages", len(got))
			}
			for _, field := range []string{"", "Message-ID: <>\r\n", "Message-ID: <1>\r\n", "Message-ID: <1@b.example>\r\nMessage-ID: <2@b.example>\r\n"} {
				s.Add("g.bad", "From: a@b.example\r\nSubject: s\r\n"+field+"\r\ntext\r\n")
				s.Add("g.bad", "From: a@b.example\r\nSubject: s\r\n"+field+"\r\nother\r\n")
			}
			run("damaged Message-IDs", s.GroupURL("g.bad", 0), 8, 0)
			run("damaged Message-IDs again", s.GroupURL("g.bad", 0), 0, 0)
		})
	}
}

// A server without LISTGROUP: an article that it refused once is read by the next run, too.
//
// Covers: A9
func TestCollectUnlisted(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 30, nntptest.Without("LISTGROUP"))
	c := newsClient(t, s)
	show := s.Hide("g.test", 3, 20)
	name := filepath.Join(t.TempDir(), "archive")
	for _, want := range []int{28, 2, 0} {
		got, err := collect(t, c, s.GroupURL("g.test", 0), name, archive.Mbox, archive.CollectOptions{})
		if err != nil || got.Messages != want || got.Missing != 0 {
			t.Errorf("%+v, %v; want %d", got, err, want)
		}
		if want == 28 {
			show()
		}
	}
}

// A filter is not applied to each gap of what was read.
//
// Covers: A9, P6
func TestCollectFilter(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 200, nntptest.Sparse(3))
	c := newsClient(t, s)
	name := filepath.Join(t.TempDir(), "archive")
	if got, err := collect(t, c, s.GroupURL("g.test", 0), name, archive.Mbox, archive.CollectOptions{}); err != nil || got.Messages != 200 {
		t.Fatalf("%+v, %v", got, err)
	}
	s.Add("g.test", newsText(201))
	before := len(s.Lines())
	o := archive.CollectOptions{Filter: message.Filter{Match: []message.Pattern{{Name: "Subject", Text: "s2"}}}}
	if got, err := collect(t, c, s.GroupURL("g.test", 0), name, archive.Mbox, o); err != nil || got.Messages != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if n := len(s.Lines()) - before; n > 10 {
		t.Errorf("%d commands", n)
	}
}

// The journal has less than 3 % of the bytes of an mbox file, also in the middle of a run.
//
// Covers: A9, P6
func TestJournalIsSmall(t *testing.T) {
	t.Parallel()
	var options []nntptest.Option
	for n := range 2000 {
		options = append(options, nntptest.Article("g.test", fmt.Sprintf("From: Somebody <somebody@host%d.example.org>\r\nNewsgroups: g.test\r\nSubject: subject %d\r\nDate: Thu, 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <%d.article.1994@host.example.org>\r\n\r\n%s",
			n, n, n, strings.Repeat("a line of text, as articles have them\r\n", n%64))))
	}
	s := newsServer(t, 0, options...)
	name := filepath.Join(t.TempDir(), "archive")
	size := func(name string) int64 {
		t.Helper()
		in, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return in.Size()
	}
	largest := int64(0)
	o := archive.CollectOptions{}
	o.Events.Stored = func(*scheme.Resource, int64) { largest = max(largest, size(name+archive.JournalSuffix)) }
	got, err := collect(t, newsClient(t, s), s.GroupURL("g.test", 0), name, archive.Mbox, o)
	if err != nil || got.Messages != 2000 {
		t.Fatalf("%+v, %v", got, err)
	}
	mbox, journal := size(name), size(name+archive.JournalSuffix)
	t.Logf("mbox %d, journal %d (%.1f %%), at most %d (%.1f %%)", mbox, journal, 100*float64(journal)/float64(mbox), largest, 100*float64(largest)/float64(mbox))
	if journal*100 > mbox*3 || largest > journal+80<<10 {
		t.Errorf("the journal has %d bytes, and had %d, for %d", journal, largest, mbox)
	}
}

// Journals of earlier versions are read, and get the Message-IDs of the messages that are there.
//
// Covers: A9
func TestOldJournal(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 12)
	c := newsClient(t, s)
	list := s.Addr() + "/g.test"
	head := base64.StdEncoding.EncodeToString([]byte("From a@b.example Thu Dec  1 12:00:00 1994\n"))
	for name, journal := range map[string]string{
		"lines": fmt.Sprintf(`{"begun":{"at":0,"head":%q}}
{"list":%q,"first":1,"last":1,"id":"1@b.example"}
{"begun":{"at":300,"head":%q}}
{"list":%q,"first":2,"last":10,"id":"10@b.example"}
`, head, list, head, list),
		"spans": fmt.Sprintf("{\"list\":%q,\"first\":1,\"last\":10,\"id\":\"10@b.example\"}\n", list),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			box := filepath.Join(dir, "archive")
			u, err := locator.Current.Parse(s.GroupURL("g.test", 0).Text() + "/1-10")
			if err != nil {
				t.Fatal(err)
			}
			if got, err := collect(t, c, u, box, archive.Mbox, archive.CollectOptions{}); err != nil || got.Messages != 10 {
				t.Fatalf("%+v, %v", got, err)
			}
			if err := os.WriteFile(box+archive.JournalSuffix, []byte(journal), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := collect(t, c, s.GroupURL("g.test", 0), box, archive.Mbox, archive.CollectOptions{}); err != nil || got.Messages != 2 || got.Known != 0 {
				t.Errorf("%+v, %v", got, err)
			}
			if got, err := collect(t, c, locator.MustParse("news:4@b.example"), box, archive.Mbox, archive.CollectOptions{}); err != nil || got.Known != 1 {
				t.Errorf("%+v, %v", got, err)
			}
			if got := ids(t, box, archive.Mbox); len(got) != 12 {
				t.Errorf("%q", got)
			}
		})
	}
}
