package readers

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"locator"
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

// The examples of RFC 3986 1.1.2 are URIs, and are split as section 3 says.
//
// Covers: S21f
func TestRFC3986Examples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ftp://ftp.is.co.za/rfc/rfc1808.txt":          "scheme=ftp host=ftp.is.co.za path=/rfc/rfc1808.txt",
		"http://www.ietf.org/rfc/rfc2396.txt":         "scheme=http host=www.ietf.org path=/rfc/rfc2396.txt",
		"ldap://[2001:db8::7]/c=GB?objectClass?one":   "scheme=ldap host=[2001:db8::7] path=/c=GB query=objectClass?one",
		"mailto:John.Doe@example.com":                 "scheme=mailto path=John.Doe@example.com",
		"news:comp.infosystems.www.servers.unix":      "scheme=news path=comp.infosystems.www.servers.unix",
		"tel:+1-816-555-1212":                         "scheme=tel path=+1-816-555-1212",
		"telnet://192.0.2.16:80/":                     "scheme=telnet host=192.0.2.16 port=80 path=/",
		"urn:oasis:names:specification:docbook:dtd":   "scheme=urn path=oasis:names:specification:docbook:dtd",
		"foo://example.com:8042/over/there?name=fe#n": "scheme=foo host=example.com port=8042 path=/over/there query=name=fe fragment=n",
		"http://[v7.a:b]/":                            "scheme=http host=[v7.a:b] path=/",
		"http://[::]:/":                               "scheme=http host=[::] port= path=/",
		"http://a%20b@h?":                             "scheme=http user=a%20b host=h path= query=",
		"x-a+b.c:":                                    "scheme=x-a+b.c path=",
	} {
		if got := cell(read(t, text, RFC3986)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// A text that the rules of RFC 3986 reject is split too, with the offset of the first wrong byte.
func TestRFC3986Refusals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`http://good\@evil/`:   `refused 11 userinfo scheme=http user=good\x5c host=evil path=/`,
		"http://a@b@c/":        "refused 8 userinfo scheme=http user=a@b host=c path=/",
		"http://a b/c d":       `refused 8 reg-name scheme=http host=a\x20b path=/c\x20d`,
		"http://h:8x/":         "refused 10 port scheme=http host=h port=8x path=/",
		"http://[::1]x:80/":    "refused 12 IP-literal scheme=http host=[::1]x port=80 path=/",
		"http://[::1%25e0]/":   "refused 8 IP-literal scheme=http host=[::1%25e0] path=/",
		"http://[v.x]/":        "refused 8 IP-literal scheme=http host=[v.x] path=/",
		"http://[vg.x]/":       "refused 8 IP-literal scheme=http host=[vg.x] path=/",
		"http://[v1.]/":        "refused 8 IP-literal scheme=http host=[v1.] path=/",
		"http://[v1./]/":       "refused 11 IP-literal scheme=http host=[v1. path=/]/",
		"http://[1.2.3.4]/":    "refused 8 IP-literal scheme=http host=[1.2.3.4] path=/",
		"http://h/%4":          "refused 9 path scheme=http host=h path=/%4",
		"http://h/?%zz":        "refused 10 query scheme=http host=h path=/ query=%zz",
		"http://h/#a#":         "refused 11 fragment scheme=http host=h path=/ fragment=a#",
		"http://h/?a#\xC3\xA9": `refused 12 fragment scheme=http host=h path=/ query=a fragment=\xc3\xa9`,
		"1http://h/":           "refused 0 scheme scheme=1http host=h path=/",
		"//h/x":                "refused 0 scheme host=h path=/x",
		"h/x:y":                "refused 1 scheme path=h/x:y",
		":h":                   "refused 0 scheme path=:h",
		"":                     "refused 0 scheme path=",
	} {
		if got := cell(read(t, text, RFC3986)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// Covers: P3
func TestDifferences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`http://good\@evil/`:        `user: "good\\" (RFC 3986), none (WHATWG); host: "evil" (RFC 3986), "good" (WHATWG)`,
		"http://0x7f.1/":            `host: "0x7f.1" (current, RFC 3986, net/url), "127.0.0.1" (WHATWG)`,
		"ftp:/host/x":               `host: none (RFC 3986, net/url), "host" (WHATWG)`,
		"ht\ntp://good.com/":        `scheme: "ht\ntp" (RFC 3986), "http" (WHATWG)`,
		"http://\uFF47ood.example/": "host: \"\uFF47ood.example\" (current, RFC 3986, net/url), \"good.example\" (WHATWG)",
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
			for _, v := range d.Values {
				s := "none"
				if text, ok := v.Text.Get(); ok {
					s = strconv.Quote(text)
				}
				values = append(values, s+" ("+strings.Join(v.Readers, ", ")+")")
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
				if r.Err == nil && !r.Split {
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
			if long := slices.Contains(c.long, r.Reader); long != (r.Err != nil) || long == r.Split {
				t.Errorf("%s: %d bytes returned %+v", r.Reader, c.length, r.Err)
			}
		}
	}
	Differences(Read("http://" + strings.Repeat("\xC3\xA9", 1<<20) + "/"))
}

// The message of a rejected text contains no part of it, except the wrong byte in messages of package locator: the text may
// contain a password where no parser expects one.
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

// FuzzRead checks that no parser fails, that the parts of RFC 3986 can be composed to the text again (5.3), and that the
// offset of an error is within the text.
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
			if r.Err == nil && !r.Split {
				t.Errorf("%s neither parses nor rejects %q", r.Reader, text)
			}
			if r.Err != nil && (r.Err.Msg == "" || r.Err.Offset > len(text)) {
				t.Errorf("%s, %q: %+v", r.Reader, text, r.Err)
			}
		}
		if want := []string{RFC1738, Current, RFC3986, NetURL, WHATWG}; !slices.Equal(names, want) {
			t.Errorf("got the parsers %q", names)
		}
		generic := list[2]
		if got := compose(generic); got != lower(text[:len(generic.Scheme)])+text[len(generic.Scheme):] {
			t.Errorf("%q is composed to %q", text, got)
		}
		Differences(list)
	})
}

// compose joins the parts as RFC 3986 5.3 does.
func compose(r Reading) string {
	var b strings.Builder
	add := func(before string, part locator.Optional, after string) {
		if s, ok := part.Get(); ok {
			b.WriteString(before + s + after)
		}
	}
	add("", schemePart(&r), ":")
	if r.Host.IsSet() {
		b.WriteString("//")
		add("", r.User, "")
		add(":", r.Password, "")
		if r.User.IsSet() {
			b.WriteString("@")
		}
		add("", r.Host, "")
		add(":", r.Port, "")
	}
	b.WriteString(r.Path)
	add("?", r.Query, "")
	add("#", r.Fragment, "")
	return b.String()
}
