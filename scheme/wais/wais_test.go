package wais_test

import (
	"context"
	"errors"
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
	"locator/scheme/wais/waistest"
	"locator/schemetest/peer"
)

// start starts a server with a database "db" of files, which is closed at the end of the test.
func start(t testing.TB, files []waistest.File, options ...waistest.Option) *waistest.Server {
	t.Helper()
	db, err := waistest.NewDatabase("db", files)
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
func file(name, content string) waistest.File {
	return waistest.Memory(name, content, time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC))
}

// notes are some files.
func notes() []waistest.File {
	return []waistest.File{
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
	if res.Body == nil {
		return res, "", nil
	}
	b, err := io.ReadAll(struct{ io.Reader }{res.Body})
	return res, string(b), err
}

// list lists a URL.
func list(t testing.TB, c *client.Client, u locator.URL, o scheme.ListOptions) (entries []scheme.Entry, err error) {
	t.Helper()
	for e, err := range c.List(t.Context(), scheme.Request{URL: u}, &o) {
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

// TestSearch checks the entries of a search, and that both forms of their URLs lead to the same bytes.
//
// Covers: S14, A11
func TestSearch(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	entries, err := list(t, c, s.SearchURL("db", "plover marsh"), scheme.ListOptions{})
	if err != nil || !slices.Equal(names(entries), []string{"The plover", "The heron"}) {
		t.Fatalf("%q, %v", names(entries), err)
	}
	e := entries[0]
	score, _ := e.Attr.Score.Get()
	lines, _ := e.Attr.Lines.Get()
	if size, _ := e.Attr.Size.Get(); size != 49 || lines != 3 || score != 1000 || e.Attr.Type != "text/plain" || e.Attr.Modified.Format("060102") != "941201" || e.Attr.Precision != scheme.PrecisionDay {
		t.Errorf("%+v", e)
	}
	if len(e.Alternates) != 1 || e.Alternates[0].Attr.Type != "application/postscript" || e.Alternates[0].Name != "PS" {
		t.Errorf("the formats are %+v", e.Alternates)
	}
	for u, want := range map[locator.URL]string{
		e.URL: "The plover\nA plover in the marsh.\nc++ is a word.\n", e.PlainURL(): "The plover\nA plover in the marsh.\nc++ is a word.\n",
		e.Alternates[0].URL: "%!PS\nplover\n",
	} {
		if _, got, err := get(t, c, u, scheme.AccessOptions{}); got != want || err != nil {
			t.Errorf("%s: %q, %v", u, got, err)
		}
		if again := locator.Current.MustParse(u.Text()); again.Text() != u.Text() {
			t.Errorf("%s is read as %s", u, again)
		}
	}
	if plain := e.PlainURL().Text(); !strings.Contains(plain, "/db/TEXT/49/1=127.0.0.1") || !strings.HasSuffix(plain, ";7=%00;") {
		t.Errorf("the plain URL is %s", plain)
	}
	if _, err := locator.RFC1738.Parse(e.URL.Text()); err != nil {
		t.Error(err)
	}
	if entries, err := list(t, c, s.SearchURL("db", "plover"), scheme.ListOptions{Accept: scheme.Accept{Types: []string{"application/postscript"}}}); err != nil ||
		entries[0].Attr.Type != "application/postscript" || entries[0].Alternates[0].Attr.Type != "text/plain" {
		t.Errorf("with a wish for PostScript: %+v, %v", entries, err)
	}
}

// TestNothing searches in vain, in a database that does not exist, and with words that are no query.
//
// Covers: A11
func TestNothing(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	for words, code := range map[string]scheme.Code{"zzzz": scheme.CodeOK, "heron and (": scheme.CodeUsage} {
		entries, err := list(t, c, s.SearchURL("db", words), scheme.ListOptions{})
		if len(entries) > 0 || client.CodeOf(err) != code {
			t.Errorf("%q: %q, %v", words, names(entries), err)
		}
	}
	for _, u := range []locator.URL{s.SearchURL("no such", "x"), s.DatabaseURL("no such"), s.DatabaseURL("")} {
		if _, _, err := get(t, c, u, scheme.AccessOptions{}); client.CodeOf(err) != scheme.CodeNotFound {
			t.Errorf("%s: %v", u, err)
		}
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil); client.CodeOf(err) != scheme.CodeNotFound {
			t.Errorf("attributes of %s: %v", u, err)
		}
	}
	if _, err := list(t, c, s.DatabaseURL("db"), scheme.ListOptions{}); client.CodeOf(err) != scheme.CodeUsage {
		t.Errorf("a listing without words: %v", err)
	}
	// RFC 1738 2.2: "+" is itself, and stands for a blank only if nothing is found.
	for words, want := range map[string]string{"marsh+plover": "The plover", "c++": "The plover"} {
		if entries, err := list(t, c, s.SearchURL("db", words), scheme.ListOptions{}); err != nil || !slices.Contains(names(entries), want) {
			t.Errorf("%s: %q, %v", words, names(entries), err)
		}
	}
}

// TestDatabase reads the description of a database.
//
// Covers: A11
func TestDatabase(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	res, text, err := get(t, c, s.DatabaseURL("db"), scheme.AccessOptions{})
	if err != nil || res.Attr.Type != "application/x-wais-source" || !strings.HasPrefix(text, "(:source") {
		t.Fatalf("%v, %q, %v", res, text, err)
	}
	if src, err := wais.ParseSource(text); err != nil || src.Description != "Notes on \"birds\"." || src.Database != "db" {
		t.Errorf("%+v, %v", src, err)
	}
	res, err = c.Attributes(t.Context(), scheme.Request{URL: s.DatabaseURL("db")}, &scheme.AttributesOptions{ServerInfo: true})
	if err != nil || res.Attr.Admin != "Jane <jane@example.org>" || res.Attr.Abstract != "Notes on \"birds\"." || !slices.ContainsFunc(res.Attr.More, func(a scheme.Attribute) bool { return a.Block == "server" && a.Name == "Name" }) {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = c.Attributes(t.Context(), scheme.Request{URL: s.SearchURL("db", "dawn")}, nil)
	if err != nil || res.Attr.More[0] != (scheme.Attribute{Name: "Documents", Value: "2"}) {
		t.Errorf("%+v, %v", res, err)
	}
	// The description is a document, which can be listed: it names a database.
	entries, err := list(t, c, s.SearchURL("db", "?"), scheme.ListOptions{})
	if err != nil || len(entries) != 2 || entries[0].Attr.Type != "application/x-wais-source" {
		t.Fatalf("%q, %v", names(entries), err)
	}
	entries, err = list(t, c, entries[0].URL, scheme.ListOptions{})
	if err != nil || len(entries) != 1 || entries[0].URL != s.DatabaseURL("db") {
		t.Errorf("%+v, %v", entries, err)
	}
	words := "heron"
	res, err = c.Submit(t.Context(), scheme.Request{URL: s.DatabaseURL("db")}, scheme.SubmitOptions{Answers: []scheme.Answer{{Name: "Search", Value: words}}})
	if err != nil || res.Kind != scheme.KindListing || res.URL != s.SearchURL("db", words) {
		t.Errorf("%v, %v", res, err)
	} else {
		res.Close()
	}
	res, _, err = get(t, c, s.DatabaseURL("db"), scheme.AccessOptions{Query: locator.Some("heron")})
	if err != nil || res.Kind != scheme.KindListing {
		t.Errorf("with words: %v, %v", res, err)
	}
}

// TestDocument reads documents of all sizes around a piece, in both forms of URL, and parts of them.
//
// Covers: A11
func TestDocument(t *testing.T) {
	t.Parallel()
	random := make([]byte, 30_001)
	for i := range random {
		random[i] = byte(uint32(i) * 2654435761 >> 13)
	}
	sizes := []int{0, 1, 9_999, 10_000, 10_001, 20_000, 30_001}
	var files []waistest.File
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
	s, c := start(t, []waistest.File{file("big1.txt", text.String()[:200_418]), file("big2.bin", binary.String())}), newClient(t)
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

// TestLargePieces reads a document in pieces that grow, and from a server that has no room for them.
//
// Covers: A11
func TestLargePieces(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789abcdef", 1<<16)
	for twist, most := range map[waistest.Twist]int{"": 45, waistest.Small: 900} {
		s, c := start(t, []waistest.File{file("large.txt", content)}, waistest.Twisted(twist)), newClient(t)
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

// TestTwists runs the suite and a search against servers that differ from freeWAIS in what clients must accept.
//
// Covers: A11
func TestTwists(t *testing.T) {
	t.Parallel()
	for _, twist := range []waistest.Twist{
		waistest.Status, waistest.NoSF, waistest.NoTypes, waistest.ZeroLength, waistest.NoLength, waistest.Shorter, waistest.Bytewise, waistest.Padded,
		waistest.BlankLength, waistest.UpperZ, waistest.Small, waistest.LongHeaders, waistest.ShortHeader, waistest.Reordered,
	} {
		t.Run(string(twist), func(t *testing.T) {
			t.Parallel()
			content := strings.Repeat("A heron in the marsh. ", 1000)
			s, c := start(t, append(notes(), file("long.txt", content)), waistest.Twisted(twist)), newClient(t)
			entries, err := list(t, c, s.SearchURL("db", "long"), scheme.ListOptions{})
			if err != nil || len(entries) != 1 {
				t.Fatalf("%q, %v", names(entries), err)
			}
			for _, u := range []locator.URL{entries[0].URL, entries[0].PlainURL()} {
				if _, got, err := get(t, c, u, scheme.AccessOptions{}); got != content || err != nil {
					t.Errorf("%s: %d bytes, %v", u, len(got), err)
				}
			}
		})
	}
}

// TestFaults reads from servers that misbehave: every error is typed, and what came before it is kept.
//
// Covers: P6
func TestFaults(t *testing.T) {
	t.Parallel()
	for fault, codes := range map[peer.Fault][]scheme.Code{
		waistest.Huge: {scheme.CodeBroken}, waistest.Overrun: {scheme.CodeProtocol}, waistest.ShortDiag: {scheme.CodeProtocol},
		waistest.Longer: {scheme.CodeBroken, scheme.CodeProtocol}, waistest.EmptyReply: {scheme.CodeProtocol, scheme.CodeUnsupported},
		waistest.Hangup: {scheme.CodeBroken}, waistest.NoRecords: {scheme.CodeProtocol, scheme.CodeOK},
		waistest.Truncated: {scheme.CodeProtocol},
		peer.Unavailable:   {scheme.CodeUnavailable},
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			s, c := start(t, notes()), newClient(t)
			u := s.SearchURL("db", "heron")
			entries, err := list(t, c, u, scheme.ListOptions{})
			if err != nil || len(entries) != 1 {
				t.Fatal(names(entries), err)
			}
			s.Misbehave(fault)
			_, got, err := get(t, c, entries[0].URL, scheme.AccessOptions{})
			if code := client.CodeOf(err); err == nil || !slices.Contains(codes, code) {
				t.Errorf("the document: %q, code %v, %v", got, code, err)
			}
			none, err := list(t, c, u, scheme.ListOptions{})
			if code := client.CodeOf(err); len(none) > 0 && fault != waistest.Longer || !slices.Contains(codes, code) && fault != waistest.Longer {
				t.Errorf("the search: %q, code %v, %v", names(none), code, err)
			}
		})
	}
	t.Run("no records after a piece", func(t *testing.T) { // the size is not known
		t.Parallel()
		s, c := start(t, []waistest.File{file("long.txt", strings.Repeat("heron ", 5000))}), newClient(t)
		entries, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatal(names(entries), err)
		}
		res, err := c.Access(t.Context(), scheme.Request{URL: entries[0].URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Close()
		s.Misbehave(waistest.NoRecords)
		if got, err := io.ReadAll(res.Body); client.CodeOf(err) != scheme.CodeProtocol || len(got) == 0 {
			t.Errorf("%d bytes of 30,000, %v", len(got), err)
		}
	})
	t.Run("refuse", func(t *testing.T) {
		t.Parallel()
		s, c := start(t, notes()), newClient(t)
		s.Misbehave(waistest.Refuse)
		_, err := c.Attributes(t.Context(), scheme.Request{URL: s.DatabaseURL("db")}, &scheme.AttributesOptions{ServerInfo: true})
		if client.CodeOf(err) != scheme.CodeUnsupported {
			t.Errorf("%v", err)
		}
	})
}

// TestTruncated reads a document that is shorter than the length in its URL: the bytes are kept, and the error says so.
//
// Covers: P6
func TestTruncated(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	entries, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	longer := locator.Current.MustParse(strings.Replace(entries[0].PlainURL().Text(), "/TEXT/46/", "/TEXT/4600/", 1))
	_, got, err := get(t, c, longer, scheme.AccessOptions{})
	if len(got) != 46 || client.CodeOf(err) != scheme.CodeBroken || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestDropped uses a kept connection that the server has closed.
func TestDropped(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	for range 3 {
		if _, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		s.Drop()
	}
	if n := s.Connections(); n != 3 {
		t.Errorf("%d connections, want 3", n)
	}
}

// TestLike searches for documents that resemble another one, by List and by Search.
//
// Covers: A11
func TestLike(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	u := s.DatabaseURL("db")
	heron, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := list(t, c, u, scheme.ListOptions{Like: []locator.URL{heron[0].URL}})
	if err != nil || len(entries) < 3 || entries[0].Name != "The heron" {
		t.Errorf("%q, %v", names(entries), err)
	}
	q := wais.Query{Words: "kestrel", Like: []wais.Document{{URL: heron[0].PlainURL(), Unit: wais.Lines, Start: 1, End: 2}}}
	var found []string
	err = c.Do(t.Context(), scheme.Request{URL: u}, func(ctx context.Context, env *scheme.Env, s scheme.Scheme) error {
		res, err := s.(wais.Scheme).Search(ctx, env, scheme.Request{URL: u}, q)
		if err != nil {
			return err
		}
		defer res.Close()
		for e, err := range res.Entries {
			if err != nil {
				return err
			}
			found = append(found, e.Name)
		}
		return nil
	})
	if err != nil || !slices.Contains(found, "The kestrel") || !slices.Contains(found, "The heron") {
		t.Errorf("%q, %v", found, err)
	}
	other := locator.Current.MustParse("wais://127.0.0.2/db/TEXT/x")
	for _, bad := range []locator.URL{other, u, locator.Current.MustParse("http://h/")} {
		if _, err := list(t, c, u, scheme.ListOptions{Like: []locator.URL{bad}}); client.CodeOf(err) != scheme.CodeUsage {
			t.Errorf("like %s: %v", bad, err)
		}
	}
}

// TestRaw copies the bytes of a listing.
func TestRaw(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	u := s.SearchURL("db", "heron")
	var copied strings.Builder
	if _, err := list(t, c, u, scheme.ListOptions{Copy: &copied}); err != nil {
		t.Fatal(err)
	}
	_, raw, err := get(t, c, u, scheme.AccessOptions{Raw: true})
	if err != nil || raw != copied.String() || !strings.HasPrefix(raw, "0000000") {
		t.Errorf("%q, %v\ncopied %q", raw, err, copied.String())
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections, want one that is kept", n)
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
		"wais://h/db/TEXT,PS/40/" + id: {`SEARCH "db" TEXT "\x01\x05h:210\x02\x02db\x03\x0f0 40 /srv/a.txt\x07\x01\x00" bytes 0-40`, "a.txt"},
		"wais://h/db/html/40/7=0":      {`SEARCH "db" HTML "\x07\x010" bytes 0-40`, "db.html"},
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

// TestURLHeadline lists documents of the format URL, whose headline is a link.
//
// Covers: A11, P1
func TestURLHeadline(t *testing.T) {
	t.Parallel()
	for headline, want := range map[string]string{
		"http://host.example/a b": "http://host.example/a%20b", " gopher://host.example/1 ": "gopher://host.example/1",
		"javascript:alert(1)": "", "file:///etc/passwd": "", "data:,x": "", "no URL": "",
	} {
		s, c := start(t, []waistest.File{file("a.url", headline+"\n")}), newClient(t)
		entries, err := list(t, c, s.SearchURL("db", "url"), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatal(names(entries), err)
		}
		if e := entries[0]; e.URL.Text() != want || (e.Kind == scheme.KindNote) != (want == "") {
			t.Errorf("%q: %v %s", headline, e.Kind, e.URL)
		}
	}
}

// TestEndless reads a document that has no end, within a limit.
//
// Covers: P6
func TestEndless(t *testing.T) {
	t.Parallel()
	f := waistest.File{Name: "endless.bin", Size: 1 << 50, Open: func() (waistest.Content, error) { return endless{}, nil }}
	s := start(t, []waistest.File{f})
	c := newClient(t, func(o *client.Options) { o.Limits.Body = 1 << 20 })
	entries, err := list(t, c, s.SearchURL("db", "endless"), scheme.ListOptions{})
	if err != nil || len(entries) != 1 {
		t.Fatal(names(entries), err)
	}
	_, got, err := get(t, c, entries[0].URL, scheme.AccessOptions{})
	if len(got) > 1<<20 || client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
