package wais_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/wais"
	"locator/scheme/wais/waisserver"
	"locator/scheme/wais/waistest"
)

// TestSearch checks the entries of a search, and that both forms of their URLs lead to the same
// bytes.
//
// Covers: S14, A11, W4
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
	if size, _ := e.Attr.Size.Get(); size != 49 || lines != 3 || score != 1000 || e.Attr.Type != "text/plain" || e.Attr.Modified.Format("060102") != "941201" || e.Attr.Precision != 24*time.Hour {
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
	// The server tells the length of the first format only.
	entries, err = list(t, c, s.SearchURL("db", "plover"), scheme.ListOptions{Accept: scheme.Accept{Types: []string{"application/postscript"}}})
	if err != nil || len(entries) != 1 {
		t.Fatal(names(entries), err)
	}
	ps, text := entries[0], entries[0].Alternates[0]
	if ps.Attr.Type != "application/postscript" || text.Attr.Type != "text/plain" || ps.Attr.Size != (scheme.Count{}) || ps.Attr.Lines != (scheme.Count{}) {
		t.Errorf("with a wish for PostScript: %+v", ps)
	}
	for u, want := range map[locator.URL]string{ps.PlainURL(): "%!PS\nplover\n", text.PlainURL(): "The plover\nA plover in the marsh.\nc++ is a word.\n"} {
		if _, got, err := get(t, c, u, scheme.AccessOptions{}); got != want || err != nil {
			t.Errorf("%s: %q, %v", u, got, err)
		}
	}
	if plain := text.PlainURL().Text(); !strings.Contains(plain, "/db/TEXT/49/1=") {
		t.Errorf("the plain URL of the text is %s", plain)
	}
}

// TestNothing searches in vain, in a database that does not exist, and with words that are not a
// query.
//
// Covers: A11, W16, W17
func TestNothing(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	for words, code := range map[string]scheme.Code{"zzzz": scheme.CodeOK, "heron and (": scheme.CodeUsage, "headline=heron": scheme.CodeUsage, "heron <1": scheme.CodeUsage} {
		entries, err := list(t, c, s.SearchURL("db", words), scheme.ListOptions{})
		if len(entries) > 0 || client.CodeOf(err) != code {
			t.Errorf("%q: %q, %v", words, names(entries), err)
		}
	}
	for _, u := range []locator.URL{s.SearchURL("no such", "x"), s.DatabaseURL("no such"), s.SearchURL("no/such", "x")} {
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
	for _, want := range []scheme.Attribute{{Name: "description", Value: "Notes on \"birds\"."}, {Name: "maintainer", Value: "Jane <jane@example.org>"}} {
		if !slices.Contains(res.Attr.More, want) {
			t.Errorf("%+v has no %+v", res.Attr.More, want)
		}
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
	res, err = c.Submit(t.Context(), scheme.Request{URL: s.DatabaseURL("db")}, scheme.SubmitOptions{Answers: []form.Answer{{Name: "Search", Value: words}}})
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
	original := start(t, notes(), waistest.Twisted(waistest.Original))
	_, err = list(t, c, original.DatabaseURL("db"), scheme.ListOptions{Like: []locator.URL{locator.Current.MustParse(strings.ReplaceAll(heron[0].URL.Text(), s.Addr(), original.Addr()))}})
	if client.CodeOf(err) != scheme.CodeUsage || !strings.Contains(err.Error(), "the server wants words besides") {
		t.Errorf("without words, of a server that wants some: %v", err)
	}
	other := locator.Current.MustParse("wais://127.0.0.2/db/TEXT/x")
	for _, bad := range []locator.URL{other, u, locator.Current.MustParse("http://h/")} {
		if _, err := list(t, c, u, scheme.ListOptions{Like: []locator.URL{bad}}); client.CodeOf(err) != scheme.CodeUsage {
			t.Errorf("like %s: %v", bad, err)
		}
	}
}

// TestCut searches a server that has more documents than fit into its response: a note says that
// there may be more.
//
// Covers: A11
func TestCut(t *testing.T) {
	t.Parallel()
	var files []waisserver.File
	for i := range 900 {
		files = append(files, file(fmt.Sprintf("%d.txt", i), "A heron.\n"))
	}
	s := start(t, files)
	var notes []string
	c := newClient(t, func(o *client.Options) { o.Note = func(_ locator.URL, text string) { notes = append(notes, text) } })
	for max, want := range map[int]string{0: "as many as fit into a response", 1000: "as many as fit into a response", 300: "", 2: ""} {
		notes = nil
		entries, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{Max: max})
		if err != nil || max <= 300 && max > 0 && len(entries) != max || len(entries) >= 900 {
			t.Errorf("at most %d: %d entries, %v", max, len(entries), err)
		}
		if got := strings.Join(notes, "; "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("at most %d: %d entries, %q, want %q", max, len(entries), got, want)
		}
	}
	notes = nil
	if _, err := c.Attributes(t.Context(), scheme.Request{URL: s.SearchURL("db", "heron")}, nil); err != nil || !strings.Contains(strings.Join(notes, "; "), "as many as fit") {
		t.Errorf("attributes: %q, %v", notes, err)
	}
}

// TestInfo reads the list of the databases of a server, which the empty name names, too.
//
// Covers: A11
func TestInfo(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	for _, name := range []string{"INFO", ""} {
		if _, text, err := get(t, c, s.DatabaseURL(name), scheme.AccessOptions{}); err != nil || !strings.Contains(text, `:database-name "INFO"`) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		entries, err := list(t, c, s.SearchURL(name, "birds"), scheme.ListOptions{})
		if err != nil || !slices.Equal(names(entries), []string{"db.src"}) {
			t.Fatalf("%q, %v", names(entries), err)
		}
		if entries, err = list(t, c, entries[0].PlainURL(), scheme.ListOptions{}); err != nil || len(entries) != 1 || entries[0].URL != s.DatabaseURL("db") {
			t.Errorf("%+v, %v", entries, err)
		}
	}
	// The name of a database may be a path, as that of waisq.
	if entries, err := list(t, c, s.SearchURL("/home/x/wais-sources/db", "heron"), scheme.ListOptions{}); err != nil || len(entries) != 1 {
		t.Errorf("%q, %v", names(entries), err)
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
	_, raw, err := get(t, c, u, scheme.AccessOptions{Raw: scheme.RawAll})
	if err != nil || raw != copied.String() || !strings.HasPrefix(raw, "0000000") {
		t.Errorf("%q, %v\ncopied %q", raw, err, copied.String())
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections, want one that is kept", n)
	}
}

// TestURLHeadline lists documents of the format URL, whose headline is a link.
//
// Covers: A11, P1, T112
func TestURLHeadline(t *testing.T) {
	t.Parallel()
	for headline, want := range map[string]string{
		"http://host.example/a b": "http://host.example/a%20b", " gopher://host.example/1 ": "gopher://host.example/1",
		"javascript:alert(1)": "", "file:///etc/passwd": "", "data:,x": "", "no URL": "",
	} {
		s, c := start(t, []waisserver.File{file("a.url", headline+"\n")}), newClient(t)
		entries, err := list(t, c, s.SearchURL("db", "url"), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatal(names(entries), err)
		}
		if e := entries[0]; e.URL.Text() != want || (e.Kind == scheme.KindNote) != (want == "") {
			t.Errorf("%q: %v %s", headline, e.Kind, e.URL)
		}
	}
}

// TestLongID finds and reads a document whose document-id has fields of more than 127 bytes, in
// both forms of URL.
//
// Covers: A11, W12
func TestLongID(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("a long name/", 30) + "heron.txt"
	s, c := start(t, []waisserver.File{file(name, "A heron.\n")}), newClient(t)
	entries, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{})
	if err != nil || len(entries) != 1 {
		t.Fatal(names(entries), err)
	}
	for _, u := range []locator.URL{entries[0].URL, entries[0].PlainURL()} {
		if len(u.Text()) < 700 {
			t.Errorf("%s is short", u)
		}
		if _, got, err := get(t, c, u, scheme.AccessOptions{}); got != "A heron.\n" || err != nil {
			t.Errorf("%s: %q, %v", u, got, err)
		}
	}
}
