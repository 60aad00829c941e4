package archive_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"locator"
	"locator/archive"
	"locator/client"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
	"locator/scheme/nntp"
	"locator/scheme/nntp/nntptest"
)

// newsText returns article n.
func newsText(n int) string {
	return fmt.Sprintf("From: alice <a@b.example>\r\nNewsgroups: g.test\r\nSubject: s%d\r\nDate: Thu, 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <%d@b.example>\r\n\r\nFrom the top\r\n>From quoted\r\n.dot\r\n%s\r\n",
		n, n, strings.Repeat("caf\xe9 \xc3\xa9 ", n%50))
}

func newsServer(t *testing.T, n int, options ...nntptest.Option) *nntptest.Server {
	t.Helper()
	for i := range n {
		options = append(options, nntptest.Article("g.test", newsText(i+1)))
	}
	s, err := nntptest.Start(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func newsClient(t *testing.T, s *nntptest.Server) *client.Client {
	t.Helper()
	c := client.New(client.Options{Registry: scheme.NewRegistry(nntp.New(), nntp.NewNews()), Limits: scheme.Limits{Idle: 5 * time.Second},
		Servers: map[string][]locator.URL{"news": {s.ServerURL()}}})
	t.Cleanup(func() { c.Close() })
	return c
}

// collect collects a URL into the box, once.
func collect(t *testing.T, c *client.Client, u locator.URL, name string, f archive.Format, o archive.CollectOptions) (archive.Collected, error) {
	t.Helper()
	a, err := archive.Open(name, f, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // one that does not end fails by name
	defer cancel()
	return archive.Collect(ctx, c, scheme.Request{URL: u}, a, o)
}

// ids returns the message-ids in an box, in order, and checks each message against newsText.
func ids(t *testing.T, name string, f archive.Format) (list []string) {
	t.Helper()
	check := func(text string, lf bool) {
		m, err := mail.ReadMessage(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v in %.200q", err, text)
		}
		var n int
		fmt.Sscanf(m.Header.Get("Message-ID"), "<%d@", &n)
		want := newsText(n)
		if lf {
			want = strings.ReplaceAll(want, "\r\n", "\n")
		}
		if text != want {
			t.Fatalf("article %d is %q, want %q", n, text, want)
		}
		list = append(list, fmt.Sprint(n))
	}
	switch f {
	case archive.Maildir:
		for _, folder := range []string{"new", "cur"} {
			names, err := filepath.Glob(filepath.Join(name, folder, "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range names {
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				check(string(b), true)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(name, "tmp", "*")); left != nil {
			t.Errorf("left in tmp: %q", left)
		}
		return list
	case archive.JSONL:
		h, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		in := bufio.NewScanner(h)
		for in.Scan() {
			var l struct {
				Text json.RawMessage
				ID   string
			}
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				t.Fatalf("%v: %q", err, in.Text())
			}
			check(rawString(t, l.Text), false)
		}
		return list
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.TrimSuffix("\n"+string(b), "\n"), "\nFrom a@b.example Thu Dec  1 12:00:00 1994\n") {
		if part == "" {
			continue
		}
		var text strings.Builder
		for line := range strings.Lines(strings.TrimSuffix(part, "\n") + "\n") {
			if strings.HasPrefix(strings.TrimLeft(line, ">"), "From ") && strings.HasPrefix(line, ">") {
				line = line[1:]
			}
			text.WriteString(line)
		}
		check(text.String(), true)
	}
	return list
}

// rawString decodes a JSON string in which \udcXX is a byte, as docs/json.md says.
func rawString(t *testing.T, s json.RawMessage) string {
	t.Helper()
	var out []byte
	for i := 1; i < len(s)-1; i++ {
		if bytes.HasPrefix(s[i:], []byte(`\udc`)) {
			var c byte
			fmt.Sscanf(string(s[i+4:i+6]), "%02x", &c)
			out = append(out, c)
			i += 5
			continue
		}
		if s[i] == '\\' {
			var one string
			n := 2
			if s[i+1] == 'u' {
				n = 6
			}
			if err := json.Unmarshal([]byte(`"`+string(s[i:i+n])+`"`), &one); err != nil {
				t.Fatal(err)
			}
			out = append(out, one...)
			i += n - 1
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

// Each format holds every article once and as it was sent, also after other runs and new articles.
//
// Covers: A9
func TestCollect(t *testing.T) {
	t.Parallel()
	for _, f := range archive.Formats() {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			s := newsServer(t, 120)
			c := newsClient(t, s)
			name := filepath.Join(t.TempDir(), "archive")
			part, err := locator.Current.Parse(s.GroupURL("g.test", 0).Text() + "/30-40")
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range []struct {
				u locator.URL
				n int
			}{{s.GroupURL("g.test", 35), 1}, {part, 10}, {s.GroupURL("g.test", 0), 109}, {s.GroupURL("g.test", 0), 0}, {locator.MustParse("news:7@b.example"), 0}, {locator.MustParse("news:7@b.example"), 0}} {
				if got, err := collect(t, c, x.u, name, f, archive.CollectOptions{}); err != nil || got.Messages != x.n {
					t.Fatalf("%d: %+v, %v; want %d", i, got, err, x.n)
				}
			}
			s.Add("g.test", newsText(121))
			if got, err := collect(t, c, s.GroupURL("g.test", 0), name, f, archive.CollectOptions{}); err != nil || got.Messages != 1 {
				t.Fatalf("a new article: %+v, %v", got, err)
			}
			got := ids(t, name, f)
			slices.Sort(got)
			if len(got) != 121 || len(slices.Compact(got)) != 121 {
				t.Errorf("%d articles", len(got))
			}
		})
	}
}

// A connection that breaks is opened again, and the run goes on with the first article that is
// missing.
//
// Covers: A9, P6
func TestCollectReconnects(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 50, nntptest.CutAfter(7))
	name := filepath.Join(t.TempDir(), "archive")
	got, err := collect(t, newsClient(t, s), s.GroupURL("g.test", 0), name, archive.Mbox, archive.CollectOptions{Retries: 1})
	if err != nil || got.Messages != 50 {
		t.Fatalf("%+v, %v", got, err)
	}
	if list := ids(t, name, archive.Mbox); len(list) != 50 || list[0] != "1" || list[49] != "50" {
		t.Errorf("%q", list)
	}
	if n := s.Connections(); n != 8 {
		t.Errorf("%d connections", n)
	}
}

// An error that repeats ends the run, and a message over the limit is left out of it.
//
// Covers: P6, T94
func TestCollectErrors(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 5, nntptest.Reply("ARTICLE", "220 1 <1@b.example>\r\nSubject: x\r\n\r\ntorn"), nntptest.Hangup("ARTICLE"))
	name := filepath.Join(t.TempDir(), "archive")
	got, err := collect(t, newsClient(t, s), s.GroupURL("g.test", 0), name, archive.Mbox, archive.CollectOptions{Retries: 1})
	if n := s.Connections(); got.Messages != 0 || client.CodeOf(err) != scheme.CodeBroken || n != 2 {
		t.Errorf("%+v, %v, after %d connections", got, err, n)
	}
	if in, err := os.Stat(name); err != nil || in.Size() != 0 {
		t.Errorf("%v, %v", in, err)
	}
	big := newsServer(t, 60)
	var left []string
	o := archive.CollectOptions{MaxSize: int64(len(newsText(40)))}
	o.Events.Left = func(u locator.URL, _ error) { left = append(left, u.Text()) }
	got, err = collect(t, newsClient(t, big), big.GroupURL("g.test", 0), name, archive.Mbox, o)
	if err != nil || got.Left != len(left) || got.Messages+got.Left != 60 || got.Left < 5 {
		t.Errorf("%+v, %v, %q", got, err, left)
	}
	got, err = collect(t, newsClient(t, big), big.GroupURL("g.test", 0), name, archive.Mbox, archive.CollectOptions{})
	if err != nil || got.Messages != len(left) {
		t.Errorf("without the limit: %+v, %v", got, err)
	}
}

// A group with new numbers is said, and read again, and no message is stored twice.
//
// Covers: A9
func TestCollectRenumbered(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 20)
	c := newsClient(t, s)
	name := filepath.Join(t.TempDir(), "archive")
	if _, err := collect(t, c, s.GroupURL("g.test", 0), name, archive.JSONL, archive.CollectOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Renumber("g.test", 11)
	var notes []string
	o := archive.CollectOptions{}
	o.Events.Began = func(res *scheme.Resource) { notes = res.Notes }
	for _, want := range []int{20, 0} {
		if got, err := collect(t, c, s.GroupURL("g.test", 0), name, archive.JSONL, o); err != nil || got.Messages != 0 || got.Known != want {
			t.Errorf("%+v, %v", got, err)
		}
		if said := len(notes) > 0 && strings.Contains(notes[0], "new numbers"); said != (want > 0) {
			t.Errorf("notes %q", notes)
		}
	}
}

// numberer is a server that gives new numbers at each connection, lacks the first message, and
// drops the connection.
type numberer struct{ tries *int }

func (numberer) Syntax() *locator.Syntax { return &locator.Syntax{Name: "x-test"} }

func (numberer) Access(context.Context, *scheme.Env, scheme.Request, scheme.AccessOptions) (*scheme.Resource, error) {
	return nil, scheme.Fail(scheme.CodeUnsupported, "only all")
}

func (n numberer) AccessAll(_ context.Context, _ *scheme.Env, r scheme.Request, o bulk.Options) (*scheme.Resource, error) {
	*n.tries++
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Members: func(yield func(*scheme.Resource, error) bool) {
		o.Renumbered("list")
		gone := io.NopCloser(iotest.ErrReader(scheme.Fail(scheme.CodeNotFound, "no such article")))
		if yield(&scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: gone, Position: message.Position{List: "list", Number: 1}}, nil) {
			yield(nil, scheme.Fail(scheme.CodeBroken, "the connection is lost"))
		}
	}}, nil
}

// A server that gives new numbers for ever makes no progress.
//
// Covers: P6
func TestCollectRenumberedAgain(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tries := 0
	c := client.New(client.Options{Registry: scheme.NewRegistry(numberer{&tries})})
	defer c.Close()
	a, err := archive.Open(filepath.Join(t.TempDir(), "archive"), archive.Mbox, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	_, err = archive.Collect(ctx, c, scheme.Request{URL: locator.MustParse("x-test://host.dom/")}, a, archive.CollectOptions{Retries: 1})
	if client.CodeOf(err) != scheme.CodeBroken || tries != 2 {
		t.Errorf("%d attempts, %v", tries, err)
	}
}

// A file or folder that holds something else is left alone, and mail of other programs in an mbox
// stays.
//
// Covers: P6, T97
func TestArchiveOfOthers(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 3)
	c := newsClient(t, s)
	dir := t.TempDir()
	for name, content := range map[string]string{"text": "no archive\n", "json": "{}\nFrom \n"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Open(path, archive.Mbox, archive.Options{}); client.CodeOf(err) != scheme.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
		if b, _ := os.ReadFile(path); string(b) != content {
			t.Errorf("%s is %q now", name, b)
		}
	}
	if _, err := archive.Open(dir, archive.Maildir, archive.Options{}); client.CodeOf(err) != scheme.CodeUsage {
		t.Errorf("a folder with files: %v", err)
	}
	if _, err := archive.Open(dir, archive.Mbox, archive.Options{}); client.CodeOf(err) != scheme.CodeUsage {
		t.Errorf("a folder for mbox: %v", err)
	}
	path := filepath.Join(dir, "mbox") // mail of another program, before and after a run
	other := "From x@y Thu Dec  1 12:00:00 1994\nSubject: mine\n\nno empty line at the end\n"
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := collect(t, c, s.GroupURL("g.test", 0), path, archive.Mbox, archive.CollectOptions{}); err != nil || got.Messages != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	b, _ := os.ReadFile(path)
	if !strings.HasPrefix(string(b), other+"\nFrom a@b.example ") {
		t.Errorf("%.200q", b)
	}
	a, err := archive.Open(path, archive.Mbox, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := archive.Open(path, archive.Mbox, archive.Options{}); client.CodeOf(err) != scheme.CodeLocal {
		t.Errorf("opened twice: %v", err)
	}
}

// A message of this program that was not finished is cut, but never the mail of another program
// behind it.
//
// Covers: P6, T97
func TestArchiveCut(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 3)
	c := newsClient(t, s)
	for _, f := range []archive.Format{archive.Mbox, archive.JSONL} {
		whole := filepath.Join(t.TempDir(), "archive")
		a, err := archive.Open(whole, f, archive.Options{})
		if err == nil {
			_, err = archive.Collect(t.Context(), c, scheme.Request{URL: s.GroupURL("g.test", 0)}, a, archive.CollectOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		want, _ := os.ReadFile(whole)
		journal, _ := os.ReadFile(whole + archive.JournalSuffix) // before Close writes it anew
		a.Close()
		lines := bytes.SplitAfter(journal, []byte("\n"))
		var second, third struct{ Begun struct{ At int64 } }
		for line, begun := range map[int]any{4: &second, 6: &third} {
			if err := json.Unmarshal(lines[line], begun); err != nil {
				t.Fatalf("%q: %v", lines[line], err)
			}
		}
		if second.Begun.At == 0 {
			t.Fatalf("%q", lines[4])
		}
		for i := range 40 { // killed anywhere in the second message, or before the record of it
			cut := second.Begun.At + rand.Int64N(int64(len(want))-second.Begun.At)
			if _, body, ok := bytes.Cut(want[third.Begun.At:], []byte("\n\n")); ok && i == 0 {
				cut = int64(len(want) - len(body)) // the line that is empty there does not end the message
			}
			name := filepath.Join(t.TempDir(), "archive")
			if err := os.WriteFile(name, want[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name+archive.JournalSuffix, bytes.Join(lines[:5], nil), 0o600); err != nil {
				t.Fatal(err)
			}
			// The third message is as that of another program.
			n := 2
			got, err := collect(t, c, s.GroupURL("g.test", 0), name, f, archive.CollectOptions{})
			if err != nil || got.Messages != n {
				t.Fatalf("cut at %d: %+v, %v", cut, got, err)
			}
			b, _ := os.ReadFile(name)
			if cut <= third.Begun.At {
				if !bytes.Equal(b, want) {
					t.Fatalf("cut at %d: %q", cut, b)
				}
			} else if !bytes.HasPrefix(b, want[:cut]) && f == archive.Mbox && cut > third.Begun.At+5 {
				t.Fatalf("cut at %d: the message behind is gone: %q", cut, b)
			}
		}
	}
}

// Standard output gets whole messages only, and the journal of --new leaves out what was read.
//
// Covers: A9
func TestStream(t *testing.T) {
	t.Parallel()
	s := newsServer(t, 30, nntptest.CutAfter(4))
	c := newsClient(t, s)
	journal := filepath.Join(t.TempDir(), "new.state")
	for _, want := range []int{30, 0} {
		j, err := archive.OpenJournal(journal)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := archive.OpenJournal(journal); client.CodeOf(err) != scheme.CodeLocal {
			t.Errorf("opened twice: %v", err)
		}
		var out bytes.Buffer
		got, err := archive.Collect(t.Context(), c, scheme.Request{URL: s.GroupURL("g.test", 0)}, archive.New(&out, archive.Mbox, j), archive.CollectOptions{Retries: 1})
		if err != nil || got.Messages != want || strings.Count(out.String(), "\nMessage-ID: ") != want {
			t.Errorf("%+v, %v", got, err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(journal, []byte("no journal\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.OpenJournal(journal); client.CodeOf(err) != scheme.CodeLocal {
		t.Errorf("damaged: %v", err)
	}
}
