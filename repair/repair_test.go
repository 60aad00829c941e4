package repair

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/internal/bnf"
	"locator/internal/hang"
	"locator/internal/hostname"
)

// What people paste, by both syntaxes. One result is of both if the other is "".
var repairs = []struct{ text, current, strict string }{
	// around the URL
	{" http://h/ ", "http://h/", ""},
	{"\u00a0http://h/\r\n", "http://h/", ""},
	{"\ufeff http://h/", "http://h/", ""},
	{"\u200bhttp://h/a b", "http://h/a%20b", ""},
	{"`<http://h.example/a>`_", "http://h.example/a", ""},
	{"`the page <http://h.example/a>`__", "http://h.example/a", ""},
	{"&lt;http://h/&gt;", "http://h/", ""},
	{`\"http://h/\"`, "http://h/", ""},
	{"(http://h/a", "http://h/a", ""},
	{`http:\/\/h.example\/a\/b`, "http://h.example/a/b", ""},
	{`http:\/\/h.example\/a\b`, "-", "-"},
	{`http://h\/x`, "http://h/x", ""},
	{`http://h/a\/b`, "http://h/a/b", ""},
	{`http:\\h.example\/a`, "http://h.example/a", ""},
	{`file:///C:\a\/b`, "file:///C:/a/b", ""},
	{`http://h/?a\/b`, "http://h/?a%5C/b", "http://h/?a%5C%2Fb"},
	{"http\uFF1A//h.example/", "http://h.example/", ""},
	{"http:\uFF0F\uFF0Fh.example\uFF0Fa", "http://h.example/a", ""},
	{"https ://h.example/", "https://h.example/", ""},
	{"http:://h.example/", "http://h.example/", ""},
	{"mailto: a@b.example", "mailto:a@b.example", ""},
	{"mailto: a or b@c.example", "-", "-"},
	{"file:/etc/my file", "file:/etc/my%20file", "file:///etc/my%20file"},
	{"hxxp[:]//h[.]example/", "http://h.example/", ""},
	{"h**ps://h[dot]example/a", "https://h.example/a", ""},
	{"http://h(dot)a(.)example/", "http://h.a.example/", ""},
	{`http:\\h[.]example`, "http://h.example", ""},
	{"http://h.example/?a=1&amp;b=2&amp;c#&amp;", "http://h.example/?a=1&b=2&c#&amp;", "http://h.example/?a=1&b=2&c"},
	{"http://h/a&amp;b", "=", ""},
	{`https://host\.example/a`, "-", "-"},
	{`http://my\-host.example/`, "-", "-"},
	{`http:\\host\.example\a`, "-", "-"},
	{`"http://h/"`, "http://h/", ""},
	{"\u201chttp://h/\u201d", "http://h/", ""},
	{"'http://h/a b'", "http://h/a%20b", ""},
	{"<http://h/>", "http://h/", ""},
	{"<URL:http://h/>", "http://h/", ""},
	{"<URL: http://h/>", "http://h/", ""},
	{"<url:http://h/a/\n  b>", "http://h/a/b", ""},
	{"URL:http://h/a b", "http://h/a%20b", ""},
	{"<http://h/", "http://h/", ""},
	{"http://h/>", "http://h/", ""},
	{"[see](http://h/a)", "http://h/a", ""},
	{"(http://h/a)", "http://h/a", ""},
	{`  "<http://h/>" `, "http://h/", ""},
	{"http://h/a>.", "http://h/a", ""},
	{`http://h/a",`, "http://h/a", ""},
	{"http://h/a]", "http://h/a", ""},
	{"http://h/a[1]", "http://h/a%5B1%5D", ""},
	{"http://h/a}]).", "http://h/a", ""},
	// in the URL
	{"http://h/a/\n\tb/\r\n  c", "http://h/a/b/c", ""},
	{"http: //h.example/", "http://h.example/", ""},
	{"http:// h.example/", "http://h.example/", ""},
	{"http://h/a b", "http://h/a%20b", ""},
	{`http:\\h.example\a\b`, "http://h.example/a/b", ""},
	{`http:\h.example\a`, "http://h.example/a", ""},
	{`http:\a`, "-", "-"},
	{`http://h\a`, "http://h/a", ""},
	{`http://h/a\b?c\d`, "http://h/a/b?c%5Cd", ""},
	{`http://h/a\_b\%20c\&d`, "http://h/a_b%20c&d", ""},
	{`gopher://h/1a\b`, "gopher://h/1a%5Cb", ""},
	{`file:///C:\My Files\x`, "file:///C:/My%20Files/x", ""},
	{"file:/c|/x", "file:/c:/x", "file:///c:/x"},
	{"http://h/50%", "http://h/50%25", ""},
	{"http://h/%zz%41%4", "http://h/%25zz%41%254", ""},
	{"http://h/{a}|^`[", "http://h/%7Ba%7D%7C%5E%60%5B", ""},
	{"http://h/a#b#c", "http://h/a#b%23c", "http://h/a"},
	{"http://h/?a=1&amp;b=[2]", "http://h/?a=1&b=%5B2%5D", ""},
	{"http://h/[&#233;&#x20ac;&quot;", "http://h/%5B\u00e9\u20ac%22", ""},
	{"http://h/[&#10;", "http://h/%5B&#10;", "http://h/%5B&"},
	{"http://h/[&lt;&#64;", "http://h/%5B%3C@", ""},
	{"http://h/\xe9", "http://h/%E9", ""},
	{"http://h/\"\xc3\n\xa9", "http://h/%22\u00e9", ""},
	{"http://h/\ue000?\ue000", "http://h/%EE%80%80?\ue000", "http://h/%EE%80%80?%EE%80%80"},
	{"ftp://h/a;TYPE=I", "ftp://h/a;type=I", ""},
	{"ftp://h/a;b", "ftp://h/a%3Bb", ""},
	{"mailto:a@b?subject=Hello you", "mailto:a@b?subject=Hello%20you", ""},
	{"news:<a@b.example>", "news:a@b.example", ""},
	{"HTTP:/H.Example/[", "HTTP://H.Example/%5B", ""},
	// the beginning
	{"http//h/", "http://h/", ""},
	{"http;//h/", "http://h/", ""},
	{"http:/h.example/a", "http://h.example/a", ""},
	{"http:www.h.example", "http://www.h.example", ""},
	{"http:////h.example/", "http://h.example/", ""},
	{"hxxps://h.example/[", "https://h.example/%5B", ""},
	{"hxxp://www[.]h[.]example/", "http://www.h.example/", ""},
	{"www.h.example/a?b", "http://www.h.example/a?b", "http://www.h.example/a?b"},
	{"WWW.h.example", "http://WWW.h.example", ""},
	{"ftp.h.example/pub", "ftp://ftp.h.example/pub", ""},
	{"http://[::1", "http://[::1]", "-"},
	{"http://2001:db8::1/x", "http://[2001:db8::1]/x", "-"},
	{`http//0::\`, "http://[0::]/", "-"},
	{"http://2001:db8::1]/x", "http://[2001:db8::1]/x", "-"},
	// of RFC 1738 only
	{"http://h/~a", "=", "http://h/%7Ea"},
	{"http://h?a", "=", "http://h/?a"},
	{"http://h/?a/b?c", "=", "http://h/?a%2Fb%3Fc"},
	{"http://h/#a", "=", "http://h/"},
	{"http://h/\u00e9", "=", "http://h/%C3%A9"},
	{"http://b\u00fccher.example/", "=", "http://xn--bcher-kva.example/"},
	{"http//\u00fc.example?a", "http://\u00fc.example?a", "http://xn--tda.example/?a"},
	{"file:/etc/motd", "=", "file:///etc/motd"},
	// not repaired
	{"", "-", "-"},
	{"http://", "-", "-"},
	{"http:", "-", "-"},
	{"http: the protocol", "-", "-"},
	{"news: the latest", "-", "-"},
	{"std::x y", "-", "-"},
	{"note: this", "-", "-"},
	{"README", "-", "-"},
	{"/etc/motd", "-", "-"},
	{`C:\My Files\x`, "-", "-"},
	{"a@h.example", "-", "-"},
	{"h.example/a", "-", "-"},
	{"www", "-", "-"},
	{"www.x", "-", "-"},
	{"http:x", "-", "-"},
	{"http://a b/", "-", "-"},
	{"http://h.example\nand more", "-", "-"},
	{"http://h.exam\nple/", "-", "-"},
	{"http:///h.exam\nple", "-", "-"},
	{"http: ///h.example/a  \n  b", "http://h.example/ab", ""},
	{"mailto:a@b.example\nand more", "-", "-"},
	{"mailto:a@b.example?subject=a\nb", "mailto:a@b.example?subject=ab", ""},
	{`http://good\@evil/`, "-", "-"},
	{`http://good\a@evil/`, "-", "-"},
	{"http://h:port/", "-", "-"},
	{"http://h:%PORT/", "-", "-"},
	{"http://h:80:80/", "-", "-"},
	{"http://http:/x", "=", "-"},
	{"https://https://h/", "https://h/", ""},
	{"http://https://http://h/a b", "http://h/a%20b", ""},
	{"http//FTP://h/a", "FTP://h/a", ""},
	{"http://hxxp://h/", "http://h/", ""},
	{"hxxp://http://h/", "http://h/", ""},
	{"hxxp://h.example/", "http://h.example/", ""},
	{`"hxxps://h.example/"`, "https://h.example/", ""},
	{"http://http//h/", "=", ""},
	{"http://h/http://i/", "=", ""},
	{"x-open://http://h/", "=", ""},
	{"htp://h/", "=", ""},
	{"ftp://me:p@ss@h/", "-", "-"},
	{"http://[fe80::1%25eth0]/", "-", "-"},
	{"http://h/\x00", "-", "-"},
	{"http://h/\x1b[1m", "-", "-"},
	{"telnet://h/x", "-", "-"},
	{"nntp://h/", "-", "-"},
}

// Covers: S3, F1, F3
func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range repairs {
		for _, p := range []*locator.Parser{locator.Current, locator.RFC1738} {
			want := c.current
			if p == locator.RFC1738 && c.strict != "" {
				want = c.strict
			}
			if p == locator.RFC1738 && c.strict == "" {
				w, ok := try(locator.RFC1738, want)
				if !ok || w.Text() != want { // it has characters beyond ASCII
					want = strings.NewReplacer("\u00e9", "%C3%A9", "\u20ac", "%E2%82%AC").Replace(want)
				}
			}
			u, changes, err := Parse(p, c.text)
			if want == "=" {
				want = c.text
			}
			switch {
			case want == "-":
				if err == nil || changes != nil || !u.IsZero() {
					t.Errorf("%s: Parse(%q) = %q, %q, %v; want an error", p.Name(), c.text, u.Text(), changes, err)
				}
			case want == "":
			case err != nil || u.Text() != want || (len(changes) == 0) != (want == c.text):
				t.Errorf("%s: Parse(%q) = %q, %q, %v; want %q", p.Name(), c.text, u.Text(), changes, err, want)
			}
			checkParse(t, p, c.text)
		}
	}
}

// checkParse checks what holds for every text.
func checkParse(t testing.TB, p *locator.Parser, text string) {
	t.Helper()
	parsed, parseErr := p.Parse(text)
	u, changes, err := Parse(p, text)
	switch {
	case parseErr == nil && changes == nil:
		if err != nil || u != parsed {
			t.Fatalf("%s: Parse changes %q to %q, %v", p.Name(), text, u.Text(), err)
		}
		return
	case parseErr == nil && misread(text) == nil:
		t.Fatalf("%s: Parse changes %q to %q, %q, %v", p.Name(), text, u.Text(), changes, err)
	case err != nil:
		if err.Error() != parseErr.Error() || changes != nil || !u.IsZero() {
			t.Fatalf("%s: Parse(%q): %q, %q, %v; Parse says %v", p.Name(), text, u.Text(), changes, err, parseErr)
		}
		return
	}
	if again, more, err := Parse(p, u.Text()); err != nil || again != u || more != nil {
		t.Fatalf("%s: Parse(%q) = %q, which becomes %q, %q, %v", p.Name(), text, u.Text(), again.Text(), more, err)
	}
	checkHost(t, text, u)

	// The changes, applied to the input, make the result.
	r := newRepairer(p, text)
	if _, ok := r.mend(parseErr == nil); !ok || len(r.changes(u)) != len(changes) || len(changes) == 0 {
		t.Fatalf("%s: Parse(%q): %d changes", p.Name(), text, len(changes))
	}
	r.changes(u) // sorts the edits
	var b strings.Builder
	done := 0
	for i, e := range r.edits {
		c := changes[i]
		if e.begin < done || c.Offset != e.begin || c.Why == "" || c.Was != text[e.begin:e.end] && c.Was != mask || c.Now != e.now && c.Now != mask {
			t.Fatalf("%s: Parse(%q): bad change %q", p.Name(), text, c)
		}
		b.WriteString(text[done:e.begin] + e.now)
		done = e.end
	}
	if b.WriteString(text[done:]); b.String() != u.Text() {
		t.Fatalf("%s: Parse(%q) = %q, but its changes make %q: %q", p.Name(), text, u.Text(), b.String(), changes)
	}
}

// checkHost checks that the host of a repaired URL stands in the text.
func checkHost(t testing.TB, text string, u locator.URL) {
	t.Helper()
	host := strings.Trim(u.Host(), "[]")
	if strings.Contains(strings.NewReplacer("[.]", ".", "(.)", ".", "[dot]", ".", "(dot)", ".").Replace(text), host) {
		return
	}
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("/?#@:\\", c) }) {
		for i := range part { // what stands around it may be removed
			if hostname.ASCII(part[i:]) == host || hostname.ASCII(part[:i]) == host {
				return
			}
		}
	}
	t.Fatalf("Parse(%q) = %q, whose host is not in the text", text, u.Text())
}

// Parse shows no password.
//
// Covers: S3
func TestParseSecrets(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ftp://me:s3cret@h/a b", " ftp://me:s3cret@h/", "[ftp://x:s3cret@h/](ftp://me:s3cret@h/)", "ftp//me:s3cret@h/", `http:\\me:s3cret@h\`, "http://h/#ftp://me:s3cret@h/",
		"http://h/?u=ftp://me:s3 cret@h/", "http://h/[?u=ftp:%2F%2Fme:s3{cret%40h/", "http:/h.example/a?http://u:s3\ncret@x/", "<URL:ftp://me:s3cret@h/>", "http://h/ftp://me:[s3cret]@x",
	} {
		for _, p := range []*locator.Parser{locator.Current, locator.RFC1738} {
			_, changes, err := Parse(p, text)
			for _, c := range changes {
				if shown := c.Was + c.Now + c.Why; strings.Contains(shown, "s3") || strings.Contains(shown, "cret") {
					t.Errorf("%s: Parse(%q): %q", p.Name(), text, c)
				}
			}
			if err != nil && strings.Contains(err.Error(), "cret") {
				t.Errorf("%s: Parse(%q): %v", p.Name(), text, err)
			}
		}
	}
}

// Parse takes no quadratic time.
func TestParseLong(t *testing.T) {
	hang.Within(t, 3*time.Minute)
	for _, c := range []struct{ before, again, after string }{
		{"http://h/", "[", ""}, {"http://h/", "]", ""}, {"http://h/", "%", ""}, {"http://h/", "&amp;[", ""}, {"http://h/", "&", "["}, {"http://h/", "\n", "a"}, {"http://h/", "\\", "a"},
		{"http://", "[.]", ""}, {"", "<", "http://h/"}, {"", `<"`, ""}, {"", "[](", ")"}, {"", "[", "](x)"}, {"", "(", ")"}, {"http:", "/", "h.example"}, {"http:", " ", "//"}, {"http://h/", "})", ""},
		{"http://h/", "#", ""}, {"http://", "[", "/"}, {"http://", ":", "/"}, {"ftp://h/", ";", ""}, {"news:", "<", ">"}, {"http://h/", "\xff", ""}, {"http://h/", "//a:b@[", ""}, {"ftp://u:", "//a:b@", "["}, {"", "http://", "["},
		{"", "hxxp://http://", "["},
	} {
		text := c.before + strings.Repeat(c.again, (maxRepaired-100)/len(c.again)) + c.after
		for _, p := range []*locator.Parser{locator.Current, locator.RFC1738} {
			if u, _, err := Parse(p, text); err == nil && u.Text() == text {
				t.Errorf("%.20q... is valid", text)
			}
		}
	}
	if _, changes, err := Parse(locator.Current, " http://h/"+strings.Repeat("a", maxRepaired)); err == nil || changes != nil {
		t.Error("a text over the limit is repaired")
	}
}

// pasted are pieces that are found in pasted texts.
var pasted = []string{
	" ", "\n  ", "\t", "<", ">", "<URL:", "URL:", "\"", "\u201c", "\u201d", "'", "(", ")", "[", "]", "](", "[.]", "{", "}", "|", "\\", "\\\\", "\\%", "%", "%4", "&amp;", "&#64;", "&quot;",
	"http://", "http:/", "http//", "https://http://", "hxxp://", "www.", "ftp.", "h.example", "news:", "mailto:", "file:/", "c|/", "//", "@", "me:s3cret@", ":", ":80", "?", "#", ";TYPE=a", ".", ",", "::1", "\x00", "\xff", "\u00e9", "\ue000",
}

// pastedText returns a random text that may need repair.
func pastedText(r *rand.Rand) string {
	s := currentText(r)
	for range 1 + r.IntN(3) {
		i := []int{0, len(s), r.IntN(len(s) + 1)}[r.IntN(3)]
		s = s[:i] + pasted[r.IntN(len(pasted))] + s[i:]
	}
	if r.IntN(3) == 0 {
		s = bnf.Mutate(r, s)
	}
	return s
}

// Covers: S3
func TestParseRandom(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 4000 {
			s := pastedText(r)
			checkParse(t, locator.Current, s)
			checkParse(t, locator.RFC1738, s)
		}
	})
}

func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(14, 3))
	for _, c := range repairs {
		f.Add(c.text)
	}
	for range 200 {
		f.Add(pastedText(r))
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range []*locator.Parser{locator.Current, locator.RFC1738} {
			checkParse(t, p, s)
			_, changes, _ := Parse(p, s)
			if slices.ContainsFunc(changes, func(c Change) bool { return strings.Contains(c.Was+c.Now+c.Why, "s3cret") }) && !strings.Contains(locator.Redact(s), "s3cret") {
				t.Fatalf("%s: Parse(%q): the password is in %q", p.Name(), s, changes)
			}
		}
	})
}

// currentGrammars returns the productions of Current, by scheme.
var currentGrammars = sync.OnceValue(func() map[string]*bnf.Grammar {
	list := map[string]*bnf.Grammar{}
	for _, s := range locator.Schemes() {
		g, err := bnf.ParseABNF(locator.CurrentProductions + s.Current)
		if err != nil {
			panic(s.Name + ": " + err.Error())
		}
		list[s.Name] = g
	}
	return list
})

// generated returns a random URL by the grammar of Current, or by that of RFC 1738.
func generated(r *rand.Rand) string {
	all := locator.Schemes()
	s := all[r.IntN(len(all))]
	size := 1 + r.IntN(60)
	switch r.IntN(4) {
	case 0:
		return bnf.RandomURL(r, size)
	case 1:
		other := []string{"x-other:", "urn:", "ws:", "ldap:", "sip:"}
		return other[r.IntN(len(other))] + bnf.RFC1738().Generate("schemepart", r, size)
	}
	text := currentGrammars()[s.Name].Generate(s.Rule, r, size)
	if r.IntN(4) == 0 {
		text += "#" + currentGrammars()[s.Name].Generate("fragment", r, 8)
	}
	return text
}

// pieces has texts that Current accepts and RFC1738 does not, and similar invalid ones.
var pieces = []string{
	"~", "[::1]", "[2001:db8::192.0.2.1]", "[v1.a:b]", "[v", "#", "#a", "https:", "[", "]", "[::", "~@", "@[::1]:80", "%7E", "u:p:q@", "é",
	"ü.", "。", "%C3%BC", "%E2%80%8B", "\u202e", "\ue000", "\U0001F600", "\U000E0001", "\xf0\x9f", ":", "a_b", "-", "0x7f.1", "?", "?a/b?c", "?a=b&c=d",
	",", "*", "//", "//h/", "1-2", "-", "12/1=a;2=b/c;", "12/1=h:210;", ";esn=F", ";rs=a+b", "+", "c:/", "/", "@", "%40",
}

// currentText returns a random text that Current may accept.
func currentText(r *rand.Rand) string {
	s := generated(r)
	for range r.IntN(3) {
		i := r.IntN(len(s) + 1)
		s = s[:i] + pieces[r.IntN(len(pieces))] + s[i:]
	}
	if r.IntN(8) == 0 {
		s = strings.Replace(s, "http:", "https:", 1)
	}
	if r.IntN(3) == 0 {
		s = bnf.Mutate(r, s)
	}
	return s
}

// seeded runs f in parallel parts, each with a random source whose seed depends on the part.
func seeded(t *testing.T, parts int, f func(t *testing.T, r *rand.Rand)) {
	t.Helper()
	for i := range parts {
		t.Run(fmt.Sprintf("seed%d", i), func(t *testing.T) {
			t.Parallel()
			f(t, rand.New(rand.NewPCG(1738, uint64(i))))
		})
	}
}
