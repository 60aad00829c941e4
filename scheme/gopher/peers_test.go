package gopher_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/internal/peers"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/gopher"
	"locator/scheme/gopher/gophertest"
)

// eachPeer runs a test against each real server. base is "gopher://host:port".
func eachPeer(t *testing.T, do func(t *testing.T, e *peers.Env, name, base string)) {
	t.Helper()
	for _, name := range []string{"pygopherd", "gophernicus"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := peers.Start(t, name)
			do(t, e, name, "gopher://"+e.Addr(t, name))
		})
	}
}

func newClient(t *testing.T) *client.Client {
	t.Helper()
	l := leaks.Watch(t)
	c := client.New(client.Options{Dial: l.Dial(nil), Registry: scheme.NewRegistry(gopher.New()), Syntax: locator.RFC1738})
	l.Ends(c)
	return c
}

func parse(t *testing.T, text string) locator.URL {
	t.Helper()
	u, err := locator.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// get accesses an Object and reads it.
func get(t *testing.T, c *client.Client, r scheme.Request, o ...scheme.AccessOptions) (string, *scheme.Resource) {
	t.Helper()
	o = append(o, scheme.AccessOptions{})
	res, err := c.Access(t.Context(), r, &o[0])
	if err != nil {
		t.Errorf("%v", err)
		return "", &scheme.Resource{}
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		t.Errorf("%s is a %s, want an object", r.URL, res.Kind)
		return "", res
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Errorf("%s: %v", r.URL, err)
	}
	return string(b), res
}

// list returns the entries of a Listing that are not notes.
func list(t *testing.T, c *client.Client, u locator.URL) []scheme.Entry {
	t.Helper()
	var entries []scheme.Entry
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: u}, nil)) {
		if err != nil {
			t.Errorf("%v", err)
			break
		}
		if e.Kind != scheme.KindNote {
			entries = append(entries, e)
		}
	}
	return entries
}

// octal matches a byte as gophernicus writes it in a selector.
var octal = regexp.MustCompile("#[0-7]{3}")

// notCompared matches paths that are not compared: files of other tests, files that cannot be read,
// programs, and the menu of links.
var notCompared = regexp.MustCompile("^(incoming|private|cgi-bin|menu)(/|$)")

// fileOf returns the path in the tree to which an entry leads.
func fileOf(name string, u locator.URL) string {
	v, ok := locator.As[*locator.Gopher](u)
	if !ok {
		return ""
	}
	selector := v.Selector.Or("")
	if name == "gophernicus" {
		selector = octal.ReplaceAllStringFunc(selector, func(s string) string {
			n, _ := strconv.ParseUint(s[1:], 8, 8)
			return string([]byte{byte(n)})
		})
	}
	return strings.Trim(selector, "/")
}

// TestPeersTree follows all menus and compares every file with the one in the tree.
//
// Covers: A7, S17
func TestPeersTree(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		c := newClient(t)
		seen := make(map[string]bool)
		var walk func(u locator.URL)
		walk = func(u locator.URL) {
			for _, entry := range list(t, c, u) {
				path := fileOf(name, entry.URL)
				if seen[path] || path == "" || notCompared.MatchString(path) || entry.URL.Host() != u.Host() {
					continue
				}
				seen[path] = true
				if strings.HasPrefix(path, "many/") && !strings.HasSuffix(path, "99.txt") {
					continue // only check that it is there: reading each from a slow server takes long
				}
				switch entry.Kind {
				case scheme.KindListing:
					walk(entry.URL)
				case scheme.KindObject:
					want, err := os.ReadFile(filepath.Join(e.Tree, path))
					if err != nil {
						t.Errorf("%s is outside the tree: %v", entry.URL, err)
						continue
					}
					if name == "gophernicus" && strings.HasSuffix(path, "?.txt") {
						continue // its menu has this name, but the server takes the "?" for the beginning of a query
					}
					got, _ := get(t, c, scheme.Request{URL: entry.URL, From: &scheme.Hop{Kind: scheme.HopMenuItem, From: u, N: 1}})
					if !same(name, entry, got, string(want)) {
						t.Errorf("%s: %.80q, the file has %.80q", entry.URL, got, want)
					}
				}
			}
		}
		walk(parse(t, base))
		for _, path := range []string{
			"text.txt", "dots.txt", "bytes.bin", "empty", "page.html", "deep/1/2/3/4/5/6/7/8/leaf.txt", "many/199.txt", "latin1/caf\xe9.txt",
			"names/%2F.txt", "names/x#y.txt", "names/what?.txt", "names/a b/c d.txt", "names/back\\slash.txt", "names/caf\u00e9.txt", "names/\u65e5\u672c.txt",
		} {
			if !seen[path] {
				t.Errorf("no menu leads to %q", path)
			}
		}
	})
}

// same compares a body with its file. gophernicus converts a text to UTF-8 and its line ends to CR
// LF.
func same(name string, e scheme.Entry, got, want string) bool {
	if name == "gophernicus" && slices.Contains(e.Attr.More, scheme.Attribute{Name: "type", Value: "0"}) {
		end := func(s string) string { return strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n") }
		return end(got) == end(want)
	}
	return got == want
}

// TestPeersMissing requests missing items of several types. Each is an error with the text of the
// server.
//
// Covers: A7
func TestPeersMissing(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, _ *peers.Env, name, base string) {
		c := newClient(t)
		for _, path := range []string{"0/nope", "1/nope", "1/nope/", "9/nope.bin", "h/nope.html", "0/nope%09%09+", "1/nope%09%09+", "7/nope%09x", "0/etc/nope.txt"} {
			u := parse(t, base+"/"+path)
			_, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
			if client.CodeOf(err) != scheme.CodeNotFound {
				t.Errorf("%s: %v", u, err)
			}
			if _, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil); client.CodeOf(err) != scheme.CodeNotFound {
				t.Errorf("%s: attributes: %v", u, err)
			}
		}
	})
}

// Covers: A7
func TestPeersMenu(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		c := newClient(t)
		got := make(map[string]string)
		for _, entry := range list(t, c, parse(t, base+"/1/menu")) {
			got[entry.Name] = entry.Kind.String() + " " + entry.URL.Text()
		}
		want := map[string]string{
			"Text": "object " + base + "/0/text.txt", "Folder": "listing " + base + "/1/names", "Binary": "object " + base + "/9/bytes.bin",
			"Search": "query " + base + "/7/cgi-bin/search", "With space and %": "object " + base + "/0/names/a%20b.txt",
			"A web page": "unknown http://example.invalid/", "Elsewhere": "listing gopher://gopher.example.invalid/1",
			"Telnet": "session telnet://alice@", "tn3270": "session tn3270://",
		}
		if name == "pygopherd" { // it makes selectors absolute, also those of other hosts and of no gopher at all
			for _, key := range []string{"Text", "Folder", "Binary", "Search", "With space and %"} {
				want[key] += "%09%09+"
			}
			want["Elsewhere"] += "/menu/Elsewhere"
			want["Telnet"], want["tn3270"] = "session telnet://%2Fmenu%2Falice@", "session tn3270://%2Fmenu%2Ftn3270@"
		}
		for key, w := range want {
			if g := got[key]; g != w && !(strings.HasPrefix(w, "session") && strings.HasPrefix(g, w)) {
				t.Errorf("%q: %s, want %s", key, g, w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d entries, want %d: %q", len(got), len(want), got)
		}
	})
}

// TestPeersGophermap compares the items of a gophermap from gophernicus with those of our own
// server.
//
// Covers: A7
func TestPeersGophermap(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "gophernicus")
	s, err := gophertest.Start(nil, gophertest.Dir(e.Tree), gophertest.Behave(gophertest.Plain()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := newClient(t)
	menu := func(addr string) (items []string) {
		for _, entry := range list(t, c, parse(t, "gopher://"+addr+"/1/menu")) {
			items = append(items, entry.Kind.String()+" "+entry.Name+" "+strings.Replace(entry.URL.Text(), addr, "HERE", 1))
		}
		return items
	}
	theirs, ours := menu(e.Addr(t, "gophernicus")), menu(s.Addr())
	if len(ours) < 8 || !slices.Equal(ours, theirs) {
		t.Errorf("ours\n%s\ntheirs\n%s", strings.Join(ours, "\n"), strings.Join(theirs, "\n"))
	}
}

// TestPeersCaps reads the caps.txt of gophernicus. pygopherd has none.
//
// Covers: A7
func TestPeersCaps(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, _ *peers.Env, name, base string) {
		c := newClient(t)
		_, res := get(t, c, scheme.Request{URL: parse(t, base+"/0/names/a%20b.txt")}, scheme.AccessOptions{ServerInfo: true})
		if name == "pygopherd" {
			if res.Attr.More != nil {
				t.Errorf("attributes %+v", res.Attr.More)
			}
			return
		}
		if !slices.Contains(res.Attr.More, scheme.Attribute{Block: "caps.txt", Name: "ServerSoftware", Value: "Gophernicus"}) {
			t.Errorf("attributes %+v", res.Attr.More)
		}
	})
}

// Covers: A7
func TestPeersSearch(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, _ *peers.Env, name, base string) {
		c := newClient(t)
		for _, path := range []string{"/7/cgi-bin/search", "/7/cgi-bin/search%09%09+"} {
			res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, base+path)}, nil)
			if err != nil || res.Kind != scheme.KindQuery {
				t.Fatalf("%+v, %v", res, err)
			}
			if name == "gophernicus" && strings.HasSuffix(path, "+") {
				continue // it would take the "+" as a part of the words
			}
			u, ok := c.Fill(scheme.Request{URL: parse(t, base+path)}, res.Form, []form.Answer{{Value: "red wine"}})
			if !ok {
				t.Fatal("no URL for the search")
			}
			all := list(t, c, u)
			if len(all) != 1 || all[0].Name != "You asked for [red wine]" {
				t.Errorf("%s: found %+v", u, all)
			}
		}
	})
}

// TestPeersPlus uses Gopher+ as far as each server supports it.
//
// Covers: A7
func TestPeersPlus(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		c := newClient(t)
		text, err := os.ReadFile(filepath.Join(e.Tree, "text.txt"))
		if err != nil {
			t.Fatal(err)
		}
		item := scheme.Request{URL: parse(t, base+"/0/text.txt%09%09+")}
		body, res := get(t, c, item)
		found, err := c.Attributes(t.Context(), item, nil)
		if err != nil {
			t.Fatal(err)
		}
		attr := found.Attr
		at := scheme.Request{URL: parse(t, base+"/0/forms/form%09%09?")}
		page, formErr := c.Access(t.Context(), at, nil)
		if name == "gophernicus" { // it has no views, and sends the plain item
			if strings.ReplaceAll(body, "\r\n", "\n") != string(text) || len(res.Notes) != 1 || attr.Type != "text/plain" || attr.More != nil {
				t.Errorf("%q, notes %q, attributes %+v", body, res.Notes, attr)
			}
			if client.CodeOf(formErr) != scheme.CodeUnsupported {
				t.Errorf("a form: %v", formErr)
			}
			return
		}
		if n, ok := res.Attr.Size.Get(); body != string(text) || !ok || n != int64(len(text)) || len(res.Notes) != 0 {
			t.Errorf("%q, %d bytes announced, notes %q", body, n, res.Notes)
		}
		info, err := os.Stat(filepath.Join(e.Tree, "text.txt"))
		if err != nil {
			t.Fatal(err)
		}
		abstract := slices.ContainsFunc(attr.More, func(a scheme.Attribute) bool {
			return a.Block == "+ABSTRACT" && strings.HasPrefix(a.Value, "Three lines of text.\n")
		})
		// The server's zone is not known, so the time may be hours off.
		if off := attr.Modified.Sub(info.ModTime()).Abs().Hours(); attr.Type != "text/plain" || off > 15 || !abstract {
			t.Errorf("attributes %+v", attr)
		}
		if formErr != nil || page.Kind != scheme.KindForm {
			t.Fatalf("%+v, %v", page, formErr)
		}
		var fields []string
		for _, f := range page.Form.Fields {
			fields = append(fields, f.Name)
		}
		if got := strings.Join(fields, ", "); got != "Your name, Your password, A colour" {
			t.Errorf("fields %s", got)
		}
		// The server has the form but ignores the answers, which a note reports.
		done, err := c.Submit(t.Context(), at, scheme.SubmitOptions{Form: page.Form, Answers: []form.Answer{{Name: "Your name", Value: "x"}}})
		if err != nil || len(done.Notes) != 1 {
			t.Errorf("%+v, %v", done, err)
		}
		done.Close()
		detailed := 0
		for entry, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: parse(t, base)}, &scheme.ListOptions{Detail: true})) {
			if err != nil {
				t.Error(err)
				break
			}
			if !entry.Attr.Modified.IsZero() && len(entry.Alternates) > 0 {
				detailed++
			}
		}
		if detailed < 10 {
			t.Errorf("%d entries with details", detailed)
		}
	})
}
