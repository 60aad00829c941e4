package gopher

import (
	"flag"
	"fmt"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"locator"
	"locator/internal/capture"
	"locator/scheme"
	"locator/wire"
)

var update = flag.Bool("update", false, "update the golden files")

// otherType has the item types of requests whose selector does not show it.
var otherType = map[string]byte{
	// The only type that sends two TABs.
	"umn-2.3.0/46-doc-doubletab-bang": '7', "umn-3.0.5/46-doc-doubletab-bang": '7',
	"umn-2.3.0/48-form-doubletab-submit": '7', "umn-3.0.5/48-form-doubletab-submit": '7',
	"pygopherd/24-doubletab-bang": '7',
	// As a search it would need words.
	"umn-2.3.0/42-search-question-mark": '1', "umn-3.0.5/42-search-question-mark": '1', "gophernicus/22-search-qmark": '1',
	// Their menus list these with another type than the selector begins with.
	"umn-2.3.0/61-ps-plain": '0', "umn-3.0.5/61-ps-plain": '0', "umn-2.3.0/62-html-plain": 'h', "umn-3.0.5/62-html-plain": 'h',
	"umn-2.3.0/67-mailbox": '1', "umn-3.0.5/67-mailbox": '1',
	"pygopherd/21-search": '7', "gophernicus/21-search-tab": '7', "gophernicus/13b-url-selector-slash": 'h',
}

// otherOctets has the requests that no URL denotes, with the request of the most similar URL.
var otherOctets = map[string]string{
	"34-http-get":                 "GET / HTTP/1.0\r\n", // one line end only
	"pygopherd/18-http-get":       "GET / HTTP/1.0\r\n",
	"gophernicus/18-http-get":     "GET /hello.txt HTTP/1.0\r\n",
	"36-lf-only":                  "\r\n",                                                                // lines end in CR LF
	"38-form-submit-eof":          "0/form\t+\t1\r\n+-1\r\nJane Doe\r\nsecret\r\n0\r\n0\r\nRed\r\n.\r\n", // data never ends with the connection
	"50-doc-plus-flag0":           "0/doc\t+\r\n",                                                        // the flag is left out
	"52-root-dollar-space":        "\t$+VIEWS+ABSTRACT\r\n",                                              // names are joined
	"53-doc-bang-space":           "0/doc\t!+ABSTRACT+VIEWS\r\n",
	"55-form-count-dot":           "0/form\t+\t1\r\n+9\r\na\r\n.\r\nb\r\n", // the recorded count is one too low
	"47-doc-doubletab-plus":       "0/doc\t+\r\n",                          // an empty search field is left out
	"pygopherd/25-doubletab-plus": "/hello.txt\t+\r\n",
}

var (
	typedSelector = regexp.MustCompile(`^[0-9A-Za-z]/`)
	bySuffix      = map[string]byte{".txt": '0', ".gif": 'g', ".html": 'h', "": '1'}
)

// captureURL returns the URL of a captured request.
func captureURL(t *testing.T, name, sent string) locator.URL {
	t.Helper()
	head, data, _ := strings.Cut(sent, "\n")
	head = strings.TrimSuffix(strings.TrimSuffix(head, "\r"), "\t0")
	data = strings.Replace(data, "+8\r\n", "+9\r\n", 1)
	if dotted, ok := strings.CutPrefix(data, "+-2\r\n"); ok {
		data = "+-1\r\n" + dotted + ".\r\n"
	}
	fields := strings.SplitN(strings.TrimSuffix(head, "\r"), "\t", 2)
	v := &locator.Gopher{Hostport: locator.Hostport{Host: "localhost", Port: "7070"}}
	selector, typ := fields[0], byte('0')
	switch {
	case otherType[name] != 0:
		typ = otherType[name]
	case strings.HasPrefix(name, "umn"):
		if typedSelector.MatchString(selector) {
			typ = selector[0]
		} else if selector == "" {
			typ = '1'
		}
	case strings.HasPrefix(selector, "URL:"):
		typ = 'h'
	case selector != "/nope" && selector != "/server-status" && !strings.HasPrefix(selector, "GET"):
		typ = bySuffix[path.Ext(selector)]
	}
	v.Type, v.Selector = locator.Some(string([]byte{typ})), locator.Some(selector)
	if len(fields) > 1 {
		rest := strings.TrimLeft(fields[1], "\t")
		if typ == '7' {
			search, plus, ok := strings.Cut(fields[1], "\t")
			v.Search = locator.Some(search)
			if rest = plus; ok {
				v.Plus = locator.Some(plus)
			}
		} else {
			v.Search, v.Plus = locator.Some(""), locator.Some(rest)
		}
		if strings.HasSuffix(rest, "\t1") {
			v.Plus = locator.Some(rest + "\r\n" + data)
		}
	}
	u, err := locator.Build(v)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestCaptures replays the exchanges with real servers. The URL makes exactly the recorded request,
// and the recorded reply makes the result in testdata/captures.
//
// Covers: A7, S9
func TestCaptures(t *testing.T) {
	t.Parallel()
	all, err := capture.ReadDir(os.DirFS("../../internal/capture/testdata"), "gopher")
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]*strings.Builder)
	for _, x := range all {
		u := captureURL(t, x.Name, string(x.Sent()))
		s := say(string(x.Received()), string(x.Received()))
		server, name := path.Split(x.Name)
		out := got[server]
		if out == nil {
			out = &strings.Builder{}
			got[server] = out
		}
		fmt.Fprintf(out, "== %s\n%s\n", name, u)
		res, err := s.access(t, scheme.Request{URL: u})
		show(out, res, err)
		want := string(x.Sent())
		for _, key := range []string{name, x.Name} {
			if w, ok := otherOctets[key]; ok {
				want = w
			}
		}
		requests := s.requests()
		if len(requests) == 0 || requests[0] != want {
			t.Errorf("%s: sent %q for %s, recorded %q", x.Name, requests, u, want)
			continue
		}
		for _, more := range requests[1:] {
			fmt.Fprintf(out, "asked again: %s\n", wire.Escape(more))
		}
	}
	for server, out := range got {
		golden(t, "testdata/captures/"+strings.TrimSuffix(server, "/")+".txt", out.String())
	}
}

// golden compares a text with a file, or updates the file with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(path.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s:%d differs:\ngot  %s\nwant %s\n(-update updates it)", file, i+1, at(g, i), at(w, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// show writes a result.
func show(out *strings.Builder, res *scheme.Resource, err error) {
	if err != nil {
		fmt.Fprintf(out, "error %v: %v\n", codeOf(err), err)
		return
	}
	fmt.Fprintf(out, "%s%s\n", res.Kind, attrText(res.Attr))
	for _, n := range res.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
	for _, e := range res.Next {
		showEntry(out, "next ", e)
	}
	if res.Kind == scheme.KindObject {
		var b strings.Builder
		buf := make([]byte, 7)
		for {
			n, err := res.Body.Read(buf)
			b.Write(buf[:n])
			if err != nil {
				if err.Error() != "EOF" {
					fmt.Fprintf(out, "broken: %v\n", err)
				}
				break
			}
		}
		for line := range strings.Lines(b.String()) {
			fmt.Fprintf(out, "\t%s\n", strconv.QuoteToASCII(line))
		}
	}
	if res.Kind == scheme.KindListing {
		for e, err := range res.Entries {
			if err != nil {
				fmt.Fprintf(out, "error %v: %v\n", codeOf(err), err)
				break
			}
			showEntry(out, "", e)
		}
	}
	if res.Form != nil {
		for _, f := range res.Form.Fields {
			fmt.Fprintf(out, "field %d %q %q %q\n", f.Kind, f.Name, f.Default, f.Options)
		}
	}
}

func showEntry(out *strings.Builder, indent string, e scheme.Entry) {
	fmt.Fprintf(out, "%s%s %q %s%s\n", indent, e.Kind, e.Name, e.URL, attrText(e.Attr))
	for _, m := range e.Mirrors {
		showEntry(out, indent+"  mirror ", m)
	}
	for _, a := range e.Alternates {
		showEntry(out, indent+"  view ", a)
	}
}

func attrText(a scheme.Attr) string {
	var b strings.Builder
	if a.Type != "" {
		fmt.Fprintf(&b, " type=%s", a.Type)
	}
	if n, ok := a.Size.Get(); ok {
		fmt.Fprintf(&b, " size=%d", n)
	}
	if !a.Modified.IsZero() {
		fmt.Fprintf(&b, " modified=%s", a.Modified.Format("2006-01-02T15:04:05Z07:00"))
	}
	for _, m := range a.More {
		fmt.Fprintf(&b, " [%s%s%s %q]", m.Block, map[bool]string{true: " "}[m.Block != "" && m.Name != ""], m.Name, m.Value)
	}
	return b.String()
}
