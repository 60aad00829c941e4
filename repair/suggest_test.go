package repair

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"locator"
)

// suggested returns the error of p for a text, with what was meant.
func suggested(p *locator.Parser, text string) error {
	_, err := p.Parse(text)
	return Suggest(p, text, err)
}

// What people type in place of a URL, by the syntax that most verbs use and by that of RFC 1738.
//
// Covers: S3, P3
func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, msg, want string }{
		// no scheme
		{"www.x.org", "the scheme is missing", "http://www.x.org"},
		{"www.x.org/a?b", "the scheme is missing", "http://www.x.org/a?b"},
		{"//www.x.org/", "the scheme is missing", "http://www.x.org/"},
		{"ftp.x.org/pub/", "the scheme is missing", "ftp://ftp.x.org/pub/"},
		{"gopher.x.org", "the scheme is missing", "gopher://gopher.x.org"},
		{"192.0.2.1/x", "the scheme is missing", "http://192.0.2.1/x"},
		{"localhost/x", "the scheme is missing", "http://localhost/x"},
		{"http//www.x.org/", `the ":" after the scheme is missing`, "http://www.x.org/"},
		{"/etc/hostname", "a file name is not a URL", "file:///etc/hostname"},
		{"/tmp/50% of it?", "a file name is not a URL", "file:///tmp/50%25%20of%20it%3F"},
		{`C:\x`, "a file name is not a URL", "file:///C:/x"},
		{`c:\My Files\x`, "a file name is not a URL", "file:///c:/My%20Files/x"},
		{`\\server\share\x`, "a file name is not a URL", "file://server/share/x"},
		{`file:///C:\x`, "a URL has slashes, not backslashes", "file:///C:/x"},
		{`http:\\h.example\x`, "a URL has slashes, not backslashes", "http://h.example/x"},
		{"user@host.example", "the scheme is missing", "mailto:user@host.example"},
		{"<a1@h.example>", "the scheme is missing, which is mailto for an address and news for a message-id", "mailto:a1@h.example"},
		{"<git@h:p>", "the scheme is missing", "ssh://git@h/p"},
		{"user@host:path/x", "the scheme is missing", "ssh://user@host/path/x"},
		{"git@h:p", "the scheme is missing", "ssh://git@h/p"},
		{"git@h:22", "the scheme is missing", "ssh://git@h:22"},
		{"me@ftp.x.org/pub", "the scheme is missing", "ftp://me@ftp.x.org/pub"},
		// wrapped or copied
		{"<http://h.example/>", "angle brackets around a URL are not part of it", "http://h.example/"},
		{"<URL:http://h.example/>", "angle brackets around a URL are not part of it", "http://h.example/"},
		{"news:<a1@h.example>", "angle brackets around a message-id are not part of it", "news:a1@h.example"},
		{"news://h.example/<a1@b.example>", "angle brackets around a message-id are not part of it", "news://h.example/a1@b.example"},
		{"nntp://h.example", "an nntp URL names one group; lists of groups and message-ids have the scheme news", "news://h.example/*"},
		{"nntp://h.example/", "an nntp URL names one group; lists of groups and message-ids have the scheme news", "news://h.example/*"},
		{"nntps://h.example/comp.*", "an nntp URL names one group; lists of groups and message-ids have the scheme news", "snews://h.example/comp.*"},
		{"nntp://h.example/comp.test/a1@b.example", "an nntp URL names one group; lists of groups and message-ids have the scheme news", "news://h.example/a1@b.example"},
		{"nntp://h.example/comp.test/<a1@b.example>", "an nntp URL names one group; lists of groups and message-ids have the scheme news", "news://h.example/a1@b.example"},
		{"nntp://h.example/a1@b.example", "an nntp URL names one group; lists of groups and message-ids have the scheme news", "news://h.example/a1@b.example"},
		{"[text](http://h.example/a)", "this is a link in Markdown", "http://h.example/a"},
		{"\u201chttp://h.example/\u201d", "quotation marks around a URL are not part of it", "http://h.example/"},
		{"\u00abftp://me:secret@h.example/\u00bb", "quotation marks around a URL are not part of it", "ftp://me:****@h.example/"},
		{`"http://h.example/"`, "quotation marks around a URL are not part of it", "http://h.example/"},
		{"http://h.example/\t", "white space around a URL is not part of it", "http://h.example/"},
		{"http://h.example/a ", "white space around a URL is not part of it", "http://h.example/a"},
		{" http://h.example/", "white space around a URL is not part of it", "http://h.example/"},
		{"http://h.example/\r\n", "white space around a URL is not part of it", "http://h.example/"},
		// hosts
		{"http://[fe80::1%25eth0]/x", "a zone id is not part of a URL", "http://[fe80::1]/x"},
		{"http://[fe80::1%eth0]:80/x", "a zone id is not part of a URL", "http://[fe80::1]:80/x"},
		{"ftp://me:secret@[fe80::1%1]/x", "a zone id is not part of a URL", "ftp://me:****@[fe80::1]/x"},
		{"http://h:80:80/", "a URL has one port", "http://h:80/"},
		{"http://h:8080:80/x", "a URL has one port", "http://h:8080/x"},
		{"ftp://me:secret@h:21:21/x", "a URL has one port", "ftp://me:****@h:21/x"},
		{"http://[::1]:80:80/", "a URL has one port", "http://[::1]:80/"},
		{"http://[::1", `the "]" after an IPv6 address is missing`, "http://[::1]"},
		{"http://[2001:db8::1/x", `the "]" after an IPv6 address is missing`, "http://[2001:db8::1]/x"},
		{"http://2001:db8::1]/x", `the "[" before an IPv6 address is missing`, "http://[2001:db8::1]/x"},
		{"http://2001:db8::1/x", "an IPv6 address needs brackets", "http://[2001:db8::1]/x"},
		{"http://::1/", "an IPv6 address needs brackets", "http://[::1]/"},
		{"[::1", "the scheme is missing", "http://[::1]"},
		{"ftp://me:p@ss@h.example/x", `an "@" in a user name or password is written %40`, "ftp://me:****@h.example/x"},
		{"ftp://me@x.org:pw@h.example/x", `an "@" in a user name or password is written %40`, "ftp://me%40x.org:****@h.example/x"},
		{"[::1]:8080/x", "the scheme is missing", "http://[::1]:8080/x"},
		{"[2001:db8::1]", "the scheme is missing", "http://[2001:db8::1]"},
	} {
		for _, p := range []*locator.Parser{locator.Current, locator.RFC1738} {
			err := suggested(p, c.text)
			e, ok := err.(*locator.SyntaxError)
			if want := `did you mean "` + c.want + `"?`; !ok || e.Msg != c.msg || e.Hint != want {
				if p == locator.RFC1738 && strings.HasPrefix(c.text, `\\`) {
					continue
				}
				t.Errorf("%s %q: %v, want %s; %s", p.Name(), c.text, err, c.msg, want)
			}
		}
	}
	for text, want := range map[string]string{
		"http://b\u00fccher.example/": `a host is written in ASCII; did you mean "http://xn--bcher-kva.example/"?`,
		"http://http://x/":            `a URL has one scheme; did you mean "http://x/"?`,
		"http://ftp://x/a":            `a URL has one scheme; did you mean "ftp://x/a"?`,
		"http://h/\u00e9":             `"\u00e9" is not allowed here; write %C3%A9`,
		"http://h/\u20ac/":            `"\u20ac" is not allowed here; write %E2%82%AC`,
		"http://h/\U0001F600":         `"` + "\U0001F600" + `" is not allowed here; write %F0%9F%98%80`,
		"http://h/\u200bx":            `the character %E2%80%8B is not allowed here; write %E2%80%8B`,
		"http://h/\xe9":               `byte 0xE9 is not allowed here; write %E9`,
		"http://h/a\tb":               `a tab is not allowed here; write %09`,
	} {
		want = strings.NewReplacer(`\u00fc`, "ü", `\u00e9`, "é", `\u20ac`, "€").Replace(want)
		if err := suggested(locator.RFC1738, text); err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A text in which nothing is recognized keeps the message of the grammar.
//
// Covers: S3
func TestNoMistake(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "http", "README", "1a?:x", "://x", "http://", "http://a b/", "ftp://h/%4", `http://good\@evil/`, "[a](b)", "<>", "\u201c\u201d", "#", "a@", "@b",
		"/\x00\xff" + strings.Repeat("x", maxHinted), "http://[::zz", "http://[", "http://[]/", "http://h:80:x/", "http://a:b:80:80/", "<" + strings.Repeat("<", 200) + "x", " \t ", "http://[fe80::%25eth0",
	} {
		err := suggested(locator.Current, text)
		if e, ok := err.(*locator.SyntaxError); !ok || strings.Contains(e.Hint, "did you mean") || e.Hint == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is suggested is a URL, and has no password.
func FuzzMistakes(f *testing.F) {
	for _, s := range []string{"www.x.org", "me:s3cret@h.example/", "<<\"http://me:s3cret@h/", `C:\x`, "htp://me:s3cret@h/", "gopher://h/x?y", "foo:a//u:s3cret@h ", `C:\u:s3cret@h/`, "[x](ftp://u:s3cret@h/)", `http:\\u\:s3cret@h`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := locator.Current.Parse(text)
		hint := Hint(u)
		if err != nil {
			hint = Suggest(locator.Current, text, err).(*locator.SyntaxError).Hint
		}
		_, guess, ok := strings.Cut(hint, `did you mean "`)
		if !ok {
			return
		}
		guess = strings.TrimSuffix(guess, `"?`)
		if locator.Redact(guess) != guess || strings.ContainsFunc(guess, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("%q: %s", text, hint)
		}
		if strings.Contains(guess, "s3cret") && !strings.Contains(locator.Redact(text), "s3cret") {
			t.Errorf("%q: the password is in %s", text, hint)
		}
	})
}

// The golden files have the errors of many invalid texts.
//
// Covers: S4
func TestSuggest(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*locator.Parser{"syntax-errors.golden": locator.RFC1738, "current-errors.golden": locator.Current} {
		name = filepath.Join("testdata", name)
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for line := range strings.Lines(string(want)) {
			if text, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
				fmt.Fprintf(&all, "%q\n\t%s\n", text, suggested(p, text))
			}
		}
		if *update {
			err = os.WriteFile(name, []byte(all.String()), 0o644)
		} else if all.String() != string(want) {
			err = errors.New("not as expected; see the difference with -update")
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var update = flag.Bool("update", false, "update the golden files")

// An error that is not one of the parser stays as it is.
func TestSuggestOther(t *testing.T) {
	t.Parallel()
	other := errors.New("other")
	if got := Suggest(locator.Current, "www.x.org", other); got != other {
		t.Errorf("%v becomes %v", other, got)
	}
	if got := Suggest(locator.Current, "www.x.org", nil); got != nil {
		t.Errorf("nil becomes %v", got)
	}
}
