//go:build !race

// The tests of this file process much text in one goroutine: the race detector would take five times as long and find nothing.

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
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
	"locator/policy"
	"locator/scheme"
	"locator/vet"
)

// What is masked in the input appears nowhere, even if other parsers take it for a port, a path or a host.
//
// Covers: P3
func TestCompareShowsNoPassword(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	schemes := []string{"http://", "ftp://", "ftp:", "http:/", "http:\\\\", "x-new://", "telnet://", "HTTPS://", "file://", "ws://", "foo:a//"}
	pieces := []string{"/", "\\", "?", "#", "@", ":", "%", "%2F", "[", "]", " ", "\t", "é", "\xFF", "a", "1", ".", ";"}
	some := func(most int) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	masked := 0
	for range 4000 {
		// Two words of the password with anything between them, which parsers may split in any way.
		text := schemes[r.IntN(len(schemes))] + "u" + some(1) + ":Qq7" + some(3) + "zX9" + "@h" + some(4)
		x := explained(locator.Current, text)
		shown := x.Shown(false)
		for _, word := range []string{"qq7", "zx9"} {
			if strings.Contains(strings.ToLower(shown), word) {
				continue // not taken for a password
			}
			masked++
			if out := compareOutput(text, false); strings.Contains(strings.ToLower(out), word) {
				t.Fatalf("%q shows %s:\n%s", text, word, out)
			}
		}
	}
	if masked < 4000 {
		t.Errorf("only %d words were masked: that shows little", masked)
	}
}

// Policy refuses exactly those URLs that vet.URL calls dangerous.
//
// Covers: P1, P2, S4, T206
func TestDangerIsRefused(t *testing.T) {
	t.Parallel()
	urls := append(randomURLs(20_000), "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", "http://h:0/", "http://h:65536/", "http://h:25/",
		"ftp://h:80/", "ftp://1.2.3.256/", "ftp://1.2.3.010/", "gopher://[::1]:22/", "news:a%20b@c", "telnet://a%0Ab@h/", "file:///%00", "file:///%0A",
		"prospero://h/%0A", "prospero://h/a;b=%0D", "wais://h/a?%0D%0A", "mailto:a%0Ab@c", "http://h/%0D%0A", "gopher://h/1%0A", "gopher://h/1%09%09%09",
		"http://0x7f.1/", "http://2130706433/", "http://127.0.0.%31/", "http://256.1.1.%31/", "http://[v1.x]/", "http://1.2.3.4./", "http://-h/", "http://a_b/",
		"http://b\u00fccher.example/", "nntp://h/a%20b", "news://h:25/", "mailto:a@b?subject=%0A", "mailto:a@b?body=%0D%0A", "tn3270://u%00@h/", "nfs://h:2049/%00")
	standard := policy.New(policy.Options{})
	refused := 0
	for _, text := range urls {
		u, err := locator.Current.Parse(text)
		if err != nil || locator.SyntaxOf(u.Scheme()) == nil { // of other schemes the ports are not known
			continue
		}
		want := standard.URL(u, scheme.Hop{})
		danger := slices.ContainsFunc(vet.URL(u), func(f vet.Finding) bool { return f.Severity == vet.SeverityDanger })
		if danger != (want != nil) {
			t.Errorf("%q: findings %v, policy says %v", text, vet.URL(u), want)
		}
		if danger {
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("only %d URLs are dangerous: that shows little", refused)
	}
}

// Lines do not depend on how they arrive. A long line in small pieces takes linear time: with quadratic time, this test would
// not end.
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
		err := a.lines(t.Context(), source{in: a.In}, func(text string) error {
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

// The verdict, scheme and offset of 20,000 random URLs match those of the oracle.
//
// Covers: S1, S2, S7, S8, S9, S10, S11, S12, S13, S14, S15, S16
func TestParseAgreesWithGrammar(t *testing.T) {
	t.Parallel()
	urls := randomURLs(20_000)
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
	if good < 8_000 || good > 18_000 {
		t.Errorf("%d of %d are URLs: that shows little", good, len(urls))
	}
}

// explain prints all that parse prints, in the same words, for any input.
//
// Covers: S1, P3
func TestExplainHoldsParse(t *testing.T) {
	t.Parallel()
	in := strings.Join(randomURLs(3_000), "\n")
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
	good := strings.Repeat("http://h/a%20b\r\n\n<URL:ftp://h/>\n", 20_000)
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

// No output of parse, explain and explain --compare shows the password of a URL within the URL, and no message about a URL that is not
// accessed. Hosts are shown.
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
					list, o := compareReaders(&x, false), present.Options{}
					for _, out := range []string{string(appendExplanation(nil, &x, list, o, true)), string(appendExplanation(nil, &x, list, o, false)), string(present.AppendReadingText(nil, &x.Reading, o))} {
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
