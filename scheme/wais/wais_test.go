package wais_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/scheme"
	"locator/scheme/wais"
	"locator/scheme/wais/waisserver"
	"locator/scheme/wais/waistest"
)

// start starts a server with a database "db" of files, which is closed at the end of the test.
func start(t testing.TB, files []waisserver.File, options ...waistest.Option) *waistest.Server {
	t.Helper()
	db, err := waisserver.NewDatabase("db", files)
	if err != nil {
		t.Fatal(err)
	}
	db.Maintainer, db.Description = "Jane <jane@example.org>", "Notes on \"birds\"."
	s, err := waistest.Start(nil, append(options, waistest.With(db))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// file is a file in memory.
func file(name, content string) waisserver.File {
	return waisserver.Memory(name, content, time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC))
}

// notes are some files.
func notes() []waisserver.File {
	return []waisserver.File{
		file("heron.txt", "The heron\nA heron stood in the marsh at dawn.\n"), file("kestrel.txt", "The kestrel\nA kestrel over the moor at dawn.\n"),
		file("plover.txt", "The plover\nA plover in the marsh.\nc++ is a word.\n"), file("plover.ps", "%!PS\nplover\n"), file("pixel.gif", "GIF89a\x00\x01\xff"),
		file("sub/a b;c=d?.txt", "An odd name\n"), file("empty.txt", ""),
	}
}

// newClient returns a client for wais.
func newClient(t testing.TB, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{Registry: scheme.NewRegistry(wais.New()), Limits: scheme.Limits{Idle: 10 * time.Second}}
	for _, f := range change {
		f(&o)
	}
	l := leaks.Watch(t)
	o.Dial = l.Dial(nil)
	c := client.New(o)
	l.Ends(c)
	return c
}

// get reads a URL.
func get(t testing.TB, c *client.Client, u locator.URL, o scheme.AccessOptions) (*scheme.Resource, string, error) {
	t.Helper()
	res, err := c.Access(t.Context(), scheme.Request{URL: u}, &o)
	if err != nil {
		return nil, "", err
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		return res, "", nil
	}
	b, err := io.ReadAll(struct{ io.Reader }{res.Body})
	return res, string(b), err
}

// list lists a URL.
func list(t testing.TB, c *client.Client, u locator.URL, o scheme.ListOptions) (entries []scheme.Entry, err error) {
	t.Helper()
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: u}, &o)) {
		if err != nil {
			return entries, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func names(entries []scheme.Entry) (names []string) {
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// TestDocument reads documents of all sizes around a piece, in both forms of URL, and parts of
// them.
//
// Covers: A11, W2
func TestDocument(t *testing.T) {
	t.Parallel()
	random := make([]byte, 30_001)
	for i := range random {
		random[i] = byte(uint32(i) * 2654435761 >> 13)
	}
	sizes := []int{0, 1, 9_999, 10_000, 10_001, 20_000, 30_001}
	var files []waisserver.File
	for _, n := range sizes {
		files = append(files, file(fmt.Sprintf("s%d.bin", n), string(random[:n])))
	}
	s, c := start(t, files), newClient(t)
	for _, n := range sizes {
		entries, err := list(t, c, s.SearchURL("db", fmt.Sprintf("s%d", n)), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatalf("%d: %q, %v", n, names(entries), err)
		}
		for _, u := range []locator.URL{entries[0].URL, entries[0].PlainURL()} {
			want := string(random[:n])
			if _, got, err := get(t, c, u, scheme.AccessOptions{}); got != want || err != nil {
				t.Errorf("%d bytes: %d, %v", n, len(got), err)
			}
			for _, r := range []scheme.Range{{Offset: 9_000, Length: 2_000}, {Offset: 20_000}, {Length: 1}} {
				res, got, err := get(t, c, u, scheme.AccessOptions{Range: r})
				switch {
				case int(r.Offset) > n:
					if client.CodeOf(err) != scheme.CodeUsage {
						t.Errorf("%d bytes, range %+v: %v", n, r, err)
					}
				case err != nil || res.Range != r || got != part(want, r):
					t.Errorf("%d bytes, range %+v: %d, %v", n, r, len(got), err)
				}
			}
		}
	}
}

func part(s string, r scheme.Range) string {
	s = s[r.Offset:]
	if r.Length > 0 {
		s = s[:min(int(r.Length), len(s))]
	}
	return s
}

// TestPieces reads a text of 200 KB and a binary in 21 pieces.
//
// Covers: A11
func TestPieces(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for n := 0; text.Len() < 200_418; n++ {
		fmt.Fprintf(&text, "%05d a line of the text\r\n", n)
	}
	var binary strings.Builder
	for n := 0; binary.Len() < 200_418; n++ {
		binary.WriteByte(byte(n * n >> 3))
	}
	s, c := start(t, []waisserver.File{file("big1.txt", text.String()[:200_418]), file("big2.bin", binary.String())}), newClient(t)
	for name, want := range map[string]string{"big1": text.String()[:200_418], "big2": binary.String()} {
		entries, err := list(t, c, s.SearchURL("db", name), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatal(names(entries), err)
		}
		before := len(s.Lines())
		if _, got, err := get(t, c, entries[0].URL, scheme.AccessOptions{}); got != want || err != nil {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if n := len(s.Lines()) - before; n != 21 {
			t.Errorf("%s: %d requests, want 21", name, n)
		}
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections, want one that is kept", n)
	}
}

// TestLargePieces reads a document in pieces that grow, and from a server that has no room for
// them.
//
// Covers: A11, W3
func TestLargePieces(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789abcdef", 1<<16)
	for twist, most := range map[waistest.Twist]int{"": 45, waistest.Small: 900} {
		s, c := start(t, []waisserver.File{file("large.txt", content)}, waistest.Twisted(twist)), newClient(t)
		entries, err := list(t, c, s.SearchURL("db", "large"), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatal(names(entries), err)
		}
		if _, got, err := get(t, c, entries[0].URL, scheme.AccessOptions{}); got != content || err != nil {
			t.Errorf("%s: %d bytes, %v", twist, len(got), err)
		}
		if n := len(s.Lines()); n > most {
			t.Errorf("%s: %d requests, want at most %d", twist, n, most)
		}
	}
}

// TestSteps checks the steps of each form, and the names of files.
//
// Covers: S14, A11
func TestSteps(t *testing.T) {
	t.Parallel()
	const id = "1=h%3A210;2=db;3=0%2040%20/srv/a.txt;7=%00;"
	for text, want := range map[string][2]string{
		"wais://h/db":                  {`SEARCH "db" for "", at most 10`, "db"},
		"wais://h/db?":                 {`SEARCH "db" for "", at most 10`, "db"},
		"wais://h/db?a%20b":            {`SEARCH "db" for "a b", at most 1000`, "db"},
		"wais://h/db/TEXT/%01":         {`SEARCH "db" TEXT "\x01" bytes 0-10000`, "db.text"},
		"wais://h/db/TEXT,PS/40/" + id: {`SEARCH "db" TEXT "\x01\x05h:210\x02\x02db\x03\x0f0 40 /srv/a.txt\x07\x01\x00" bytes 0-41`, "a.txt"},
		"wais://h/db/html/40/7=0":      {`SEARCH "db" HTML "\x07\x010" bytes 0-41`, "db.html"},
	} {
		u := locator.Current.MustParse(text)
		steps, err := wais.New().Steps(u)
		if err != nil || !slices.Equal(steps, []string{"CONNECT h:210", want[0]}) {
			t.Errorf("%s: %q, %v", text, steps, err)
		}
		if name := wais.New().FileName(u, false); name != want[1] {
			t.Errorf("%s: the file name is %q", text, name)
		}
	}
	for _, bad := range []string{"wais://h/db/TEXT/", "wais://h/db/TEXT/5/999999999999=x;", "wais://h/db/TEXT/99999999999999999999/1=x;", "wais://:210/db"} {
		if u, err := locator.Current.Parse(bad); err == nil {
			if steps, err := wais.New().Steps(u); err == nil {
				t.Errorf("%s: %q", bad, steps)
			}
		}
	}
}
