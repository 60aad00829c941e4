//go:build !race

// The tests of this file process much text in one goroutine: the race detector would take five
// times as long and find nothing.

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"locator"
	"locator/explain"
	"locator/internal/bnf"
	"locator/internal/jsontext"
	"locator/internal/present"
	"locator/internal/readers"
	"locator/internal/urllist"
	"locator/policy"
	"locator/scheme/all"
)

// fewer returns a fifth of n in a short run, and n in a long one.
func fewer(n int) int {
	if os.Getenv("LOCATOR_LONG") == "" {
		return n / 5
	}
	return n
}

// explained returns what explain says about a text.
func explained(p *locator.Parser, text string) explain.Explanation {
	e := explain.Explainer{Parser: p, Registry: all.Registry(), Policy: policy.New(policy.Options{})}
	return e.Explain(text)
}

// pieces is a reader that returns a few bytes at a time.
type pieces struct {
	io.Reader
	size int
}

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), p.size)]) }

// Lines do not depend on how they arrive. A long line in small pieces takes linear time: with
// quadratic time, this test would not end.
//
// Covers: S2, T204
func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 12<<20)
	for _, c := range []struct {
		text string
		in   func(io.Reader) io.Reader
		want []string
	}{
		{"", iotest.OneByteReader, nil},
		{"\n\r\n", iotest.OneByteReader, nil},
		{"ab\r\n\nc\rd\n\ne", iotest.OneByteReader, []string{"ab", "c\rd", "e"}},
		{"ab\r\n\nc\rd\n\ne", iotest.DataErrReader, []string{"ab", "c\rd", "e"}},
		{"a\n" + long + "\nb", func(r io.Reader) io.Reader { return pieces{r, 100} }, []string{"a", long, "b"}},
	} {
		a := newApp(world{Err: io.Discard})
		a.In = c.in(strings.NewReader(c.text))
		var got []string
		err := a.lines(t.Context(), urllist.Source{In: a.In}, false, func(text string) error {
			got = append(got, text)
			return nil
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%.40q gives %.80q, %v", c.text, got, err)
		}
	}
}

// A line that is too long is malformed, and the lines after it are read.
//
// Covers: S2, P6, T204
func TestLongLine(t *testing.T) {
	t.Parallel()
	long := "http://u:secret@127.0.0.1:25/" + strings.Repeat("x", explain.MaxLength)
	in := "http://127.0.0.1:25/a\n" + long + "\r\nhttp://127.0.0.1:25/b\n#" + long + "\n" + long
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		out  []string // the beginnings of the lines of standard output
	}{
		{[]string{"parse", "--json"}, []string{`{"input":"http://127.0.0.1:25/a"`, `{"input":"http://u:****@127.0.0.1:25/xxx`, `{"input":"http://127.0.0.1:25/b"`, `{"input":"#http`, `{"input":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"parse", "--json", "-i", list}, []string{`{"input":"http://127.0.0.1:25/a"`, `{"input":"http://u:****@127.0.0.1:25/xxx`, `{"input":"http://127.0.0.1:25/b"`, `{"input":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"explain", "--json", "--compare", "-i", list}, []string{`{"input":"http://127.0.0.1:25/a"`, `{"input":"http://u:****@127.0.0.1:25/xxx`, `{"input":"http://127.0.0.1:25/b"`, `{"input":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"get", "-i", list}, nil},
		{[]string{"list", "--json", "-i", list}, []string{`{"url":"http://127.0.0.1:25/a"`, `{"url":"http://u:****@127.0.0.1:25/xxx`, `{"url":"http://127.0.0.1:25/b"`, `{"url":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"attr", "--json", "-i", list}, []string{`{"url":"http://127.0.0.1:25/a"`, `{"url":"http://u:****@127.0.0.1:25/xxx`, `{"url":"http://127.0.0.1:25/b"`, `{"url":"http://u:****@127.0.0.1:25/xxx`}},
	} {
		var out, errs bytes.Buffer
		w := world{In: strings.NewReader(in), Out: &out, Err: &errs, Getenv: func(string) string { return "" }}
		status := run(t.Context(), c.args, w)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if c.out == nil {
			lines = nil
		}
		if len(lines) != len(c.out) {
			t.Fatalf("%q: %d lines, want %d: %.300q", c.args, len(lines), len(c.out), lines)
		}
		for i, begin := range c.out {
			if !strings.HasPrefix(lines[i], begin) || len(lines[i]) > 2000 {
				t.Errorf("%q: line %d is %.300q (%d bytes), want %q...", c.args, i, lines[i], len(lines[i]), begin)
			}
		}
		if all := out.String() + errs.String(); !strings.Contains(all, "longer than 16777216 bytes") || len(all) > 10_000 || strings.Contains(all, "secret") {
			t.Errorf("%q: it says %.1000q", c.args, all)
		}
		if want := map[bool]int{true: 3, false: 1}[c.args[0] == "parse" || c.args[0] == "explain"]; status != want {
			t.Errorf("%q: status %d, want %d", c.args, status, want)
		}
	}
}

// The verdict, scheme and offset of 4,000 random URLs, 20,000 in a long run, match those of the
// oracle.
//
// Covers: S1, S2, S7, S8, S9, S10, S11, S12, S13, S14, S15, S16
func TestParseAgreesWithGrammar(t *testing.T) {
	t.Parallel()
	urls := randomURLs(fewer(20_000))
	out, errs, status := runText(t, strings.Join(urls, "\n"), "parse", "--json", "--show-passwords")
	if errs != "" || status != 3 {
		t.Errorf("status %d, standard error %q", status, errs)
	}
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, 1<<20)
	good := 0
	for i, text := range urls {
		if !lines.Scan() {
			t.Fatalf("no answer to %q", text)
		}
		var got parsed
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatalf("%q: %v: %s", text, err, lines.Text())
		}
		name, ok, offset := bnf.URL(text)
		switch {
		case !strings.HasPrefix(lines.Text(), `{"input":`+string(jsontext.AppendString(nil, text))+fmt.Sprintf(`,"line":%d,"ok":`, i+1)):
			t.Fatalf("%q is answered by %s", text, lines.Text())
		case got.OK != ok:
			t.Fatalf("%q: %s, want ok %v", text, lines.Text(), ok)
		case ok && *got.Scheme != name, !ok && name != "" && (got.Scheme == nil || *got.Scheme != name), !ok && name == "" && got.Scheme != nil:
			t.Fatalf("%q: %s, want scheme %q", text, lines.Text(), name)
		case !ok && (got.Error == nil || got.Error.Offset != offset || got.Error.Message == ""):
			t.Fatalf("%q: %s, want offset %d", text, lines.Text(), offset)
		}
		if ok {
			good++
		}
	}
	if lines.Scan() {
		t.Errorf("an answer too many: %s", lines.Text())
	}
	if good < len(urls)*4/10 || good > len(urls)*9/10 {
		t.Errorf("%d of %d are URLs: that shows little", good, len(urls))
	}
}

// explain prints all that parse prints, in the same words, for any input.
//
// Covers: S1, P3
func TestExplainHoldsParse(t *testing.T) {
	t.Parallel()
	in := strings.Join(randomURLs(fewer(3_000)), "\n")
	for _, syntax := range []string{"rfc1738", "current"} {
		plain, _, _ := runText(t, in, "parse", "--json", "--syntax", syntax)
		more, errs, status := runText(t, in, "explain", "--json", "--syntax", syntax)
		if errs != "" || status != 3 {
			t.Errorf("status %d, standard error %q", status, errs)
		}
		a, b := strings.Split(plain, "\n"), strings.Split(more, "\n")
		if len(a) != len(b) {
			t.Fatalf("%d answers of parse, %d of explain", len(a), len(b))
		}
		for i := range len(a) - 1 {
			if !strings.HasPrefix(b[i], strings.TrimSuffix(a[i], "}")+`,"rfc1738":{"ok":`) {
				t.Fatalf("parse    %s\nexplain  %s", a[i], b[i])
			}
			var x parsed
			if err := json.Unmarshal([]byte(b[i]), &x); err != nil {
				t.Fatalf("%v: %s", err, b[i])
			}
			if x.RFC1738.OK == (x.RFC1738.Error != nil) || x.RFC1738.OK && !x.OK && syntax == "rfc1738" {
				t.Fatalf("at odds with itself: %s", b[i])
			}
		}
	}
}

func TestParseQuiet(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("http://h/a%20b\r\n\n<URL:ftp://h/>\n", fewer(20_000))
	for name, c := range map[string]struct {
		in     string
		args   []string
		status int
	}{
		"good":             {in: good},
		"nothing":          {},
		"no end of line":   {in: good + "http://h/"},
		"malformed first":  {in: "http://h/~\n" + good, status: 3},
		"malformed last":   {in: good + "http://h/~", status: 3},
		"malformed within": {in: good + "x\n" + good, status: 3},
		"good argument":    {args: []string{"http://h/"}, in: "x"},
		"bad argument":     {args: []string{"x"}, status: 3},
		"both":             {args: []string{"http://h/", "-"}, in: "x", status: 3},
		"other syntax":     {args: []string{"--syntax", "current"}, in: "http://h/~"},
		"too long":         {in: good + "http://h/" + strings.Repeat("a", explain.MaxLength), status: 3},
		"with --json":      {args: []string{"--json"}, in: "x", status: 3},
	} {
		out, errs, status := runText(t, c.in, append([]string{"parse", "-q"}, c.args...)...)
		if out != "" || status != c.status || errs != "" {
			t.Errorf("%s: status %d, want %d; output %q, messages %q", name, status, c.status, out, errs)
		}
	}
}

// No output of parse, explain and explain --compare shows the password of a URL within the URL, and
// no message about a URL that is not accessed. Hosts are shown.
//
// Covers: P3, T72, T73, T74
func TestPasswordsWithin(t *testing.T) {
	t.Parallel()
	outer := []string{"%s", "http://outer.example/web/%s", "http://outer.example/?next=%s&x=y@z", "https://v:Qsecret2@outer.example/x#%s", "ftp://outer.example/a/%s",
		"gopher://outer.example/0%s", "gopher://outer.example/hURL:%s", "mailto:me@outer.example?body=%s", "prospero://outer.example/x/%s",
		"view-source:%s", "feed:%s", "jdbc:%s", "data:,%s", "http://outer.example/http://v:Qsecret2@second.example/%s", "http://outer.example /%s"}
	inner := []string{"http://u:Qsecret1@inner.example/p", "mysql://u:Qsecret1@inner.example:3306/db", "//u:Qsecret1@inner.example/", "mailto://u:Qsecret1@inner.example",
		"http://u:Qsecret1@inner.example:80\\@good.example/"}
	for _, o := range outer {
		for _, i := range inner {
			for range 3 {
				text := strings.Replace(o, "%s", i, 1)
				for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
					x := explained(p, text)
					list, o := readers.Compare(&x, false), present.Options{}
					for _, out := range []string{string(present.AppendComparison(nil, &x, list, o, true)), string(present.AppendComparison(nil, &x, list, o, false)), string(present.AppendReadingText(nil, &x.Reading, o))} {
						if strings.Contains(strings.ToLower(out), "qsecret") {
							t.Fatalf("%q shows\n%s", text, out)
						}
						if x.Err == nil && !strings.Contains(out, "inner.example") && !strings.Contains(out, "good.example") {
							t.Errorf("%q hides the host:\n%s", text, out)
						}
					}
				}
				i = url.QueryEscape(i)
			}
			text := strings.Replace(o, "%s", i, 1)
			for _, verb := range []string{"get", "list", "attr", "rm"} {
				if strings.HasPrefix(text, "http") || strings.HasPrefix(text, "ftp") || strings.HasPrefix(text, "gopher") {
					text = strings.Replace(text, "outer.example", "outer.example:1", 1) // a port that policy refuses
				}
				for _, args := range [][]string{{verb, text}, {verb, "--json", text}, {verb, "-v", "--trace", text}} {
					out, errs, _ := runText(t, "", args...)
					if verb == "get" && strings.HasPrefix(text, "mailto:") {
						out = "" // the message, which is as its author wrote it
					}
					if strings.Contains(out+errs, "Qsecret") {
						t.Fatalf("%q shows\n%s%s", args, out, errs)
					}
				}
			}
		}
	}
	for _, text := range []string{"u:Qsecret1@inner.example/x", "u:Qsecret1@h", "user:Qsecret1@inner.example:21/x"} {
		for _, args := range [][]string{{"get", text}, {text}, {"get", "--json", text}, {"parse", text}, {"explain", text}, {"put", text}, {"mv", text, text}, {"get", "--dry-run", text}} {
			if out, errs, _ := runText(t, "", args...); strings.Contains(out+errs, "Qsecret") {
				t.Errorf("%q shows\n%s%s", args, out, errs)
			}
		}
	}
}
