package docs_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/find"
	"locator/find/format"
	"locator/internal/readers"
	"locator/repair"
	"locator/scheme"
	"locator/scheme/all"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
	"locator/vet"
)

var update = flag.Bool("update", false, "write the table of texts in library.md anew")

// The examples of library.md: the page shows their code, or some of it.

func Example_secrets() {
	u := locator.MustParse("ftp://me:secret@host.dom/motd")

	fmt.Println(u)                                          // shown: masked
	fmt.Println(u.Text())                                   // stored or sent on: whole
	text, _ := json.Marshal(map[string]locator.URL{"u": u}) // stored, so whole
	fmt.Println(string(text))
	// Output:
	// ftp://me:****@host.dom/motd
	// ftp://me:secret@host.dom/motd
	// {"u":"ftp://me:secret@host.dom/motd"}
}

func Example_linkify() {
	text := "Tom & Ann: <http://host.dom/?a=1&b=2>, javascript:alert(1), telnet://host.dom/"
	var b strings.Builder
	var f find.Finder
	for p := range f.Split(text) {
		shown := html.EscapeString(p.Text)
		u, err := locator.Current.Parse(p.Find.Text()) // an error if p is no URL
		if err != nil || !vet.SafeLink(u) {
			b.WriteString(shown)
			continue
		}
		fmt.Fprintf(&b, `<a href="%s">%s</a>`, html.EscapeString(u.Text()), shown)
	}
	fmt.Println(b.String())
	// Output:
	// Tom &amp; Ann: <a href="http://host.dom/?a=1&amp;b=2">&lt;http://host.dom/?a=1&amp;b=2&gt;</a>, javascript:alert(1), telnet://host.dom/
}

func Example_formats() {
	ctx := context.Background()
	source := "The [RFC](http://host.dom/rfc1738 \"text\") says `<URL:http://host.dom/>`.\n"
	for u, err := range format.Detect("README.md", []byte(source)).Read(ctx, strings.NewReader(source), format.Options{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(u.Line, u.Column, u.Form, u.URL)
	}
	// Output:
	// 1 11 attr http://host.dom/rfc1738
	// 1 49 wrapped http://host.dom/
}

func Example_parse() {
	u, err := locator.Current.Parse("http://host.dom:8080/a%2Fb/c?q=1#top")
	if err != nil {
		fmt.Println(err)
		return
	}
	path, hasPath := u.Path()        // without the "/" before it, which is not part of it
	search, hasSearch := u.Search()  // absent and empty differ
	fragment, hasTop := u.Fragment() // beside the URL, no part of it
	port, ok := u.PortNumber()       // the one in the URL, else that of the scheme
	fmt.Println(u.Scheme(), u.Host(), port, ok)
	fmt.Println(path, hasPath, search, hasSearch, fragment, hasTop)
	// Output:
	// http host.dom 8080 true
	// a%2Fb/c true q=1 true top true
}

func Example_prefix() {
	u, n, err := locator.Current.Prefix("ftp://host.dom/pub/motd;type=x is missing")
	fmt.Println(u, n, err)
	// Output: ftp://host.dom/pub/motd 23 <nil>
}

func Example_repair() {
	u, changes, err := repair.Parse(locator.Current, "<http:/host.dom/my file>")
	fmt.Println(u, err)
	for _, c := range changes {
		fmt.Println(c)
	}
	// Output:
	// http://host.dom/my%20file <nil>
	// byte 0: removed "<": angle brackets around a URL are not part of it
	// byte 7: added "/": "//" follows the scheme and its colon
	// byte 18: " " becomes "%20": a space is written %20
	// byte 23: removed ">": angle brackets around a URL are not part of it
}

func Example_suggest() {
	const text = "www.host.dom/pub"
	_, err := locator.Current.Parse(text)
	fmt.Println(repair.Suggest(locator.Current, text, err))
	// Output: malformed URL at byte 12: the scheme is missing; did you mean "http://www.host.dom/pub"?
}

func Example_errors() {
	_, err := locator.Parse("http://host.dom/~jim")
	var bad *locator.SyntaxError
	if errors.As(err, &bad) {
		fmt.Println(bad.Offset, bad.Rule, bad.Section, bad.Hint)
	}
	fmt.Println(err)
	// Output:
	// 16 hsegment 5 %7E
	// malformed http URL at byte 16: "~" is not allowed here; write %7E
}

func Example_views() {
	u := locator.MustParse("ftp://myname@host.dom/%2Fetc/motd;type=a")
	if v, ok := locator.As[*locator.FTP](u); ok {
		fmt.Printf("CWD %s, RETR %s, TYPE %c\n", v.Dirs[0], v.Name.Or(""), v.Type)
	}

	other, _ := url.Parse("ftp://myname@host.dom/%2Fetc/motd;type=a")
	fmt.Println(other.Path) // one string, decoded: which "/" was one?
	// Output:
	// CWD /etc, RETR motd, TYPE a
	// //etc/motd;type=a
}

func Example_build() {
	u, err := locator.Build(&locator.FTP{
		Login: locator.Login{Hostport: locator.Hostport{Host: "host.dom"}},
		Dirs:  []string{"pub", "50% off"},
		Name:  locator.Some("a/b"),
	})
	fmt.Println(u, err)

	_, err = locator.Build(&locator.NNTP{Hostport: locator.Hostport{Host: "no host"}, Group: "alt.x"})
	fmt.Println(err != nil)
	// Output:
	// ftp://host.dom/pub/50%25%20off/a%2Fb <nil>
	// true
}

func Example_change() {
	u := locator.MustParse("ftp://host.dom/pub/motd")
	v, _ := locator.As[*locator.FTP](u)
	v.Name = locator.Some("motd.old")
	renamed, err := locator.Build(v)
	fmt.Println(renamed, err)
	// Output: ftp://host.dom/pub/motd.old <nil>
}

func Example_with() {
	u := locator.MustParse("http://host.dom/a%2Bb?x=%26")
	secure, err := u.WithScheme("https")
	fmt.Println(secure, err)
	moved, err := secure.WithHost("[2001:db8::1]", "8443")
	fmt.Println(moved, err)
	_, err = u.WithSearch(locator.Some("a#b")) // would begin a fragment
	fmt.Println(err)
	// Output:
	// https://host.dom/a%2Bb?x=%26 <nil>
	// https://[2001:db8::1]:8443/a%2Bb?x=%26 <nil>
	// cannot build http URL: search: the new part holds a delimiter of another; escape it
}

func Example_resolve() {
	base := locator.MustParse("http://host.dom/pub/docs/index?lang=en")
	for _, ref := range []string{"../motd", "?lang=de", "//other.dom/", "#top", "mailto:me@host.dom"} {
		u, err := base.Resolve(ref)
		fmt.Println(u, err)
	}
	// Output:
	// http://host.dom/pub/motd <nil>
	// http://host.dom/pub/docs/index?lang=de <nil>
	// http://other.dom/ <nil>
	// http://host.dom/pub/docs/index?lang=en#top <nil>
	// mailto:me@host.dom <nil>
}

func Example_noHierarchy() {
	menu := locator.MustParse("gopher://host.dom/1/pub")
	_, err := menu.Resolve("motd")
	fmt.Println(err)

	std, _ := url.Parse(menu.Text())
	guess, _ := std.Parse("motd") // type 1, a menu, for that is what the base is
	fmt.Println(guess)
	// Output:
	// malformed gopher URL at byte 0: the base has no hierarchy that a relative reference could go by; write the whole URL
	// gopher://host.dom/1/motd
}

func Example_relativize() {
	base := locator.MustParse("http://host.dom/pub/docs/index")
	fmt.Println(base.Relativize(locator.MustParse("http://host.dom/pub/motd")))
	fmt.Println(base.Relativize(locator.MustParse("http://other.dom/")))
	// Output:
	// ../motd true
	// //other.dom/ true
}

func Example_query() {
	u := locator.MustParse("http://host.dom/find?q=red+wine&n=3")
	for _, p := range u.Query() {
		fmt.Println(p.Name, "is", p.Value)
	}
	words, ok := u.QueryValue("q")
	fmt.Println(words, ok)

	next, err := u.WithQuery(locator.Pair{Name: "q", Value: words}, locator.Pair{Name: "n", Value: "4"})
	fmt.Println(next, err)
	// Output:
	// q is red wine
	// n is 3
	// red wine true
	// http://host.dom/find?q=red%20wine&n=4 <nil>
}

func Example_encode() {
	u := locator.MustParse("http://host.dom:80/pub/motd?x=%26")
	moved, err := u.WithPath(locator.Some("pub/" + locator.Encode("50% off/new"))) // the "/" of the name is not a delimiter
	fmt.Println(moved, err)
	fmt.Println(moved.WithoutDefaults())
	_, err = u.WithPath(locator.Some("pub/50% off"))
	fmt.Println(err)

	name, err := locator.DecodeStrict("50%zz")
	fmt.Printf("%q %v\n", name, err)
	// Output:
	// http://host.dom:80/pub/50%25%20off%2Fnew?x=%26 <nil>
	// http://host.dom/pub/50%25%20off%2Fnew?x=%26
	// malformed http URL at byte 26: expected two hexadecimal digits after the percent sign, found a space; write %25 for a percent sign, or %XX with two hexadecimal digits
	// "" malformed URL at byte 2: "%" is not followed by two hexadecimal digits; write %25 for a percent sign, or %XX with two hexadecimal digits
}

func Example_canonical() {
	seen := make(map[locator.URL]bool)
	for _, s := range []string{"http://host.dom", "HTTP://HOST.DOM:80/", "http://host.dom/%61", "http://host.dom/a"} {
		seen[locator.MustParse(s).Canonical()] = true
	}
	fmt.Println(len(seen))
	fmt.Println(locator.Equal(locator.MustParse("gopher://h/1"), locator.MustParse("gopher://h:70")))
	// Output:
	// 2
	// true
}

func Example_joinPath() {
	base := locator.MustParse("http://host.dom/pub/")
	u, err := base.JoinPath("a b", "c/d") // each is a name, and stays one
	fmt.Println(u, err)
	_, err = base.JoinPath("..", "etc") // no escape makes this a name
	fmt.Println(err)
	// Output:
	// http://host.dom/pub/a%20b/c%2Fd <nil>
	// cannot build http URL: path: ".." names no entry of a directory; use Resolve for a relative reference
}

func Example_find() {
	const text = "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\n      type=d>, and at http://info.cern.ch/ (see http://h/a_(b))."
	var f find.Finder
	for u := range f.All(text) {
		fmt.Printf("%d:%d %v %s\n", u.Line, u.Column, u.Form, u.URL)
	}
	// Output:
	// 1:28 wrapped ftp://info.cern.ch/pub/www/doc;type=d
	// 2:23 bare http://info.cern.ch/
	// 2:49 bare http://h/a_(b)
}

func Example_wrap() {
	u := locator.MustParse("ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt")
	fmt.Println(find.Wrap(u, 50))
	// Output:
	// <URL:ftp://ds.internic.net/internet-drafts/draft-i
	// etf-uri-irl-fun-req-02.txt>
}

func Example_vet() {
	u := locator.MustParse("ftp://host.dom:25/a%0D%0ADELE%20b")
	for _, f := range vet.URL(u) {
		fmt.Println(f.Severity, f.Code)
	}
	// Output:
	// danger refused-port
	// danger control-octet
}

func Example_flag() {
	base := locator.MustParse("ftp://host.dom/")
	flags := flag.NewFlagSet("mirror", flag.ContinueOnError)
	flags.Var(&base, "base", "where to begin")
	err := flags.Parse([]string{"-base", "gopher://host.dom/1pub"})
	fmt.Println(base, err)
	// Output: gopher://host.dom/1pub <nil>
}

// row stands for a row of a database.
type row struct{}

func (row) Scan(dest ...any) error { return dest[0].(sql.Scanner).Scan("wais://host.dom/db") }

func Example_sql() {
	db := struct{ QueryRow func(string) row }{func(string) row { return row{} }}
	var u locator.URL
	err := db.QueryRow("SELECT url FROM page").Scan(&u)
	fmt.Println(u, err)
	// Output: wais://host.dom/db <nil>
}

func Example_slog() {
	u := locator.MustParse("ftp://me:secret@host.dom/motd")
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	log.Info("read", "url", u)
	// Output: level=INFO msg=read url=ftp://me:****@host.dom/motd
}

// serve starts an ftp server with two files and gives the URL of their folder.
func serve() (pub locator.URL, stop func()) {
	s, err := ftptest.Start([]peer.File{
		{Path: []string{"pub", "motd"}, Content: "be kind\n"},
		{Path: []string{"pub", "50% off", "list"}, Content: "1\n2\n3\n"},
	})
	if err != nil {
		panic(err)
	}
	return s.URL("pub", ""), s.Close
}

func Example_open() {
	pub, stop := serve()
	defer stop()
	ctx, motd := context.Background(), pub.Text()+"motd"

	c := client.New(client.Options{Registry: all.Registry()})
	f, err := c.Open(ctx, motd)
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(os.Stdout, f)

	fmt.Println(f.Close(), c.Close())
	// Output:
	// be kind
	// <nil> <nil>
}

func Example_access() {
	pub, stop := serve()
	defer stop()
	ctx := context.Background()
	motd, err := pub.JoinPath("motd")
	if err != nil {
		fmt.Println(err)
		return
	}

	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	r, err := c.Access(ctx, scheme.Request{URL: motd}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	if r.Kind == scheme.KindObject {
		_, err = io.Copy(os.Stdout, r.Body)
	}
	fmt.Println(r.Kind, err)
	// Output:
	// be kind
	// object <nil>
}

func Example_list() {
	pub, stop := serve()
	defer stop()
	ctx := context.Background()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()

	for e, err := range client.Entries(c.List(ctx, scheme.Request{URL: pub}, nil)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		path, _ := e.URL.Path()
		fmt.Println(e.Kind, e.Name, path)
	}
	// Unordered output:
	// listing 50% off pub/50%25%20off/
	// object motd pub/motd
}

func Example_codes() {
	pub, stop := serve()
	defer stop()
	ctx := context.Background()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	missing, err := pub.JoinPath("missing")
	if err != nil {
		fmt.Println(err)
		return
	}

	_, err = c.Access(ctx, scheme.Request{URL: missing}, nil)
	fmt.Println(errors.Is(err, fs.ErrNotExist), client.CodeOf(err), client.CodeOf(err).Exit(), client.CodeOf(err).HTTP())

	u, err := c.Parse("ftp://host.dom:25/motd")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.Access(ctx, scheme.Request{URL: u}, nil) // policy: nothing was sent
	fmt.Println(errors.Is(err, fs.ErrPermission), client.CodeOf(err))
	// Output:
	// true not found 7 404
	// true refused by policy
}

func Example_transport() {
	pub, stop := serve()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()

	web := &http.Client{Transport: c.Transport()}
	resp, err := web.Get(pub.Text() + "motd")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	fmt.Printf("%d %q %v\n", resp.StatusCode, body, err)
	// Output: 200 "be kind\n" <nil>
}

func Example_files() {
	pub, stop := serve()
	defer stop()
	ctx := context.Background()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()

	files := c.FS(ctx, pub)
	list, err := fs.ReadFile(files, "50% off/list")
	fmt.Printf("%q %v\n", list, err)
	names, err := fs.Glob(files, "*/list")
	fmt.Println(names, err)
	// Output:
	// "1\n2\n3\n" <nil>
	// [50% off/list] <nil>
}

// trimmed is Go code without indentation, blank lines and the blanks that gofmt puts before comments.
func trimmed(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// TestCode checks that the Go code in README.md and the pages is code of this package, which is compiled and run.
func TestCode(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]int{"library.md": 12, "../README.md": 1, "guides/strangers.md": 2} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var examples string
		for _, file := range []string{"library_test.go", "library_find_test.go", "library_download_test.go", "readme_test.go", "strangers_test.go"} {
			code, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			examples += trimmed(string(code))
		}
		blocks := 0
		for i, part := range strings.Split(string(page), "```") {
			body, ok := strings.CutPrefix(part, "go\n")
			if i%2 == 0 || !ok {
				continue
			}
			blocks++
			if !strings.Contains(examples, trimmed(body)) {
				t.Errorf("%s shows what no example does:\n%s", name, body)
			}
		}
		if blocks < least {
			t.Errorf("%s has %d blocks of Go", name, blocks)
		}
	}
}

// The table of texts in library.md says how they are read.
//
// Covers: S21a, S21f
func TestLibraryTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("library.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, inTable := 0, false
	var fresh strings.Builder
	for line := range strings.Lines(string(page)) {
		inTable = line == "| text | net/url | RFC 1738 | Current |\n" || inTable && line[0] == '|'
		text, ok := strings.CutPrefix(line, "| `")
		if !inTable || !ok {
			fresh.WriteString(line)
			continue
		}
		text, _, _ = strings.Cut(text, "` |")
		rows++
		list := readers.Read(text)
		want := "| `" + text + "` |"
		for _, reader := range []string{readers.NetURL, readers.RFC1738, readers.Current} {
			for _, r := range list {
				if r.Reader == reader {
					want += " " + summary(r) + " |"
				}
			}
		}
		if fresh.WriteString(want + "\n"); line != want+"\n" && !*update {
			t.Errorf("%s: the page says\n%s\nand it is\n%s", text, line, want)
		}
	}
	if *update {
		if err := os.WriteFile("library.md", []byte(fresh.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if rows < 10 {
		t.Errorf("library.md has %d rows of texts", rows)
	}
}

// summary is a reading in words.
func summary(r readers.Reading) string {
	if r.Err != nil {
		if r.Err.Offset >= 0 {
			return fmt.Sprintf("refused at byte %d", r.Err.Offset)
		}
		return "refused"
	}
	var words []string
	names := readers.PartNames()
	for _, name := range names[1:] {
		if s, ok := r.Parts[name]; ok {
			if s == "" {
				s = "empty"
			} else {
				s = "`" + s + "`"
			}
			words = append(words, name+" "+s)
		}
	}
	return strings.Join(words, ", ")
}
