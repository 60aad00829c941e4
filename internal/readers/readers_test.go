package readers

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func read(t *testing.T, text, reader string) Reading {
	t.Helper()
	for _, r := range Read(text) {
		if r.Reader == reader {
			return r
		}
	}
	t.Fatalf("no parser %s", reader)
	return Reading{}
}

func hasPath(r Reading) bool { _, ok := r.Parts["path"]; return ok }

// Covers: P3
func TestDifferences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`http://good\@evil/`:        "", // only browsers accept it
		"http://0x7f.1/":            `host: "0x7f.1" (current, net/url), "127.0.0.1" (WHATWG)`,
		"ftp:/host/x":               `host: none (net/url), "host" (WHATWG)`,
		"http://\uFF47ood.example/": "host: \"\uFF47ood.example\" (current, net/url), \"good.example\" (WHATWG)",
		"http://b%C3%BCcher%2Fx/":   "",
		// RFC 1738 has no rule for these schemes.
		"https://pypi.org?q=x":  "",
		"https://host_a:8080?q": "",
		"x://a_b/":              "",
		"http://h.example?x":    "",
		"https://u@h:99999/?x":  "",
		// Equivalent spellings.
		"http://b%C3%BCcher.example/":    "",
		"http://B%C3%9Ccher.example/":    "",
		"http://bu%CC%88cher.example/":   "",
		"http://xn--bcher-kva.example/":  "",
		"HTTP://WWW.Example.COM.:0080/a": "",
		"http://ex%61mple.com/":          "",
		"http://[0:0::1]:80/":            "",
		"file://localhost/etc":           "",
		"file:/etc":                      "",
		"ftp://@h/":                      "",
		"ws://h:80/":                     "",
		"wss://h:443/":                   "",
		"http://fa\u00DF.de/":            "",
		"http://a%40b@h/":                "",
		"http://h:00/":                   "",
		"not a URL":                      "",
	} {
		var got []string
		for _, d := range Differences(Read(text)) {
			var values []string
			for _, same := range d.Values {
				s := "none"
				if text, ok := same[0].Parts[d.Part]; ok {
					s = strconv.Quote(text)
				}
				var names []string
				for _, r := range same {
					names = append(names, r.Reader)
				}
				values = append(values, s+" ("+strings.Join(names, ", ")+")")
			}
			got = append(got, d.Part+": "+strings.Join(values, ", "))
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// Each parser parses a long text, or rejects it if that would take too long.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"a", "/", "%", "%41", "@", ":", "\\", "[", ".", "..", "/..", "\t", "\x00", "\xFF", "é", "?", "#", "&", "xn--", "1."} {
		for _, begin := range []string{"", "http://", "http://h/", "x:", "file:", "http://[", "http://a@", "http://h:"} {
			text := begin + strings.Repeat(piece, maxWHATWG/2/len(piece))
			for _, r := range Read(text) {
				if r.Err == nil && !hasPath(r) {
					t.Errorf("%s neither parses nor rejects %q...", r.Reader, text[:20])
				}
			}
		}
	}
	for _, c := range []struct {
		length int
		long   []string
	}{
		{maxWHATWG, nil}, {maxWHATWG + 1, []string{WHATWG}}, {maxNetURL, []string{WHATWG}}, {maxNetURL + 1, []string{NetURL, WHATWG}},
	} {
		text := "http://h/" + strings.Repeat("a", c.length-len("http://h/"))
		for _, r := range Read(text) {
			if long := slices.Contains(c.long, r.Reader); long != (r.Err != nil) || long == hasPath(r) {
				t.Errorf("%s: %d bytes returned %+v", r.Reader, c.length, r.Err)
			}
		}
	}
	Differences(Read("http://" + strings.Repeat("\xC3\xA9", 1<<20) + "/"))
}

// The message of a rejected text contains no part of it, except the wrong byte in messages of
// package locator: the text may contain a password where no parser expects one.
//
// Covers: P3
func TestRefusalsHoldNothing(t *testing.T) {
	t.Parallel()
	const secret = "s3cret"
	for _, format := range []string{
		"http://u:$/x@h/", "http://u:$ x@h/", "http://u:%$@h/", "http://u:$", "http://u:80$/", "http://[$]/", "http://[::1]$/", "http://$%zz/",
		"http://$ /", "$ ://h/", "http://u:p\\$@h/", "http://1.$.0x/", "http://1.2.3.$\x00/", "http://xn--$\u200d/", "x://$^h/", "ftp://u:$\n@h/",
		"http://a$<b/", "http://h/%$", "http://[fe80::1%25$\"]/", "http://[\"$\\\"]/", "http://h:\"$/",
	} {
		text := strings.ReplaceAll(format, "$", secret)
		for _, r := range Read(text) {
			if r.Err != nil && strings.Contains(r.Err.Msg, secret) {
				t.Errorf("%s, %q: %s", r.Reader, text, r.Err.Msg)
			}
		}
	}
	for text, want := range map[string]string{
		"http://h:8x/":   "invalid port after host",
		"http://[good]/": "invalid host: unable to parse IP",
		"http://a|b/":    "invalid character in host name",
		"http://h/%zz":   "invalid URL escape",
		"http://u\\@h/":  "invalid userinfo",
	} {
		if r := read(t, text, NetURL); r.Err == nil || r.Err.Msg != want {
			t.Errorf("%q: got %+v, want %s", text, r.Err, want)
		}
	}
}

// FuzzRead checks that no parser fails, and that the offset of an error is within the text.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`http://good\@evil/`, "http://u:p@[::1]:80/a?b#c", "file:///c|/x/..", "x:a b", "http://\uFF11.0x7F/", "ht\ntp:\\\\h", "//h", "a%", "http://xn--/",
		"ws://h:\t80/../%2e", "http://h:99999999999999999999/", "gopher://h\x00/\xFF", "news:a@b", "http://%5B::1]/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := Read(text)
		names := make([]string, len(list))
		for i, r := range list {
			names[i] = r.Reader
			if r.Err == nil && !hasPath(r) {
				t.Errorf("%s neither parses nor rejects %q", r.Reader, text)
			}
			if r.Err != nil && (r.Err.Msg == "" || r.Err.Offset > len(text)) {
				t.Errorf("%s, %q: %+v", r.Reader, text, r.Err)
			}
		}
		if want := []string{RFC1738, Current, NetURL, WHATWG}; !slices.Equal(names, want) {
			t.Errorf("got the parsers %q", names)
		}
		Differences(list)
	})
}

var update = flag.Bool("update", false, "regenerate testdata/readers.tsv from its first two columns")

const tableFile = "testdata/readers.tsv"

// tableHead is the header of the table; its README.md describes the columns.
const tableHead = "class\turl\tRFC 1738\tcurrent\tnet/url\tWHATWG\tdiffer"

// cell formats a reading for one column. A space, a backslash and bytes that are not printable
// ASCII are written as \xNN.
func cell(r Reading) string {
	var words []string
	if r.Err != nil {
		words = append(words, "refused")
		if r.Err.Offset >= 0 {
			words = append(words, fmt.Sprint(r.Err.Offset), r.Err.Rule)
		}
	}
	for _, name := range PartNames() {
		if s, ok := r.Parts[name]; ok {
			words = append(words, name+"="+plain(s))
		}
	}
	return strings.Join(words, " ")
}

func plain(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] > ' ' && s[i] < 0x7F && s[i] != '\\' {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		}
	}
	return b.String()
}

func row(t *testing.T, class, quoted string) string {
	t.Helper()
	text, err := strconv.Unquote(`"` + quoted + `"`)
	if err != nil {
		t.Fatalf("%s: %v", quoted, err)
	}
	list := Read(text)
	columns := []string{class, quoted}
	for _, r := range list {
		columns = append(columns, cell(r))
	}
	var parts []string
	for _, d := range Differences(list) {
		parts = append(parts, d.Part)
	}
	return strings.Join(append(columns, strings.Join(parts, " ")), "\t")
}

// The table has the results of four parsers for some 260 texts, most of them made to be parsed
// differently. A change in a column of another parser is a change in its new version; one in ours
// is intended or a bug.
//
// Covers: S21a, S21f, P3
func TestTable(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) < 264 {
		t.Fatalf("the table has only %d lines", len(lines))
	}
	want := append([]string{tableHead}, lines[1:]...)
	for i, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) < 2 {
			t.Fatalf("%s:%d: there is no text to parse", tableFile, i+2)
		}
		want[i+1] = row(t, columns[0], columns[1])
	}
	if *update {
		if err := os.WriteFile(tableFile, []byte(strings.Join(want, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i := range want {
		if lines[i] != want[i] {
			t.Errorf("%s:%d:\n got %s\nwant %s", tableFile, i+1, want[i], lines[i])
		}
	}
}
