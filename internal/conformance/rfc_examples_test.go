package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/hang"
)

// rfcExamples are the examples of the RFCs that Current follows, as printed there. Those in one row
// are equivalent; those in different rows are not. The examples of RFC 1738 itself are in
// TestParseRFCExamples, those of resolving in TestResolveExamples and TestResolveRFC1808.
var rfcExamples = []struct {
	section string
	texts   []string
}{
	{"RFC 2056", []string{"z39.50s://melvyl.ucop.edu/cat"}},
	{"RFC 2056", []string{"z39.50r://melvyl.ucop.edu/mags?elecworld.v30.n19"}},
	{"RFC 2056", []string{"z39.50r://cnidr.org:2100/tmf?bkirch_rules__a1;esn=f;rs=marc"}},
	{"RFC 2224", []string{"nfs://server/d/e/f"}},
	{"RFC 2224", []string{"nfs://server//a/b/c/d/e/f"}},
	{"RFC 2224", []string{"nfs://server/a/b"}},
	{"RFC 2392 2", []string{"cid:foo4%25foo1@bar.net"}},
	{"RFC 2392 2", []string{"cid:foo4*foo1@bar.net"}},
	{"RFC 2392 2", []string{"cid:foo4%2Afoo1@bar.net"}},
	{"RFC 2392 2", []string{"mid:960830.1639@XIson.com/partA.960830.1639@XIson.com"}},

	{"RFC 3986 1.1.2", []string{"ftp://ftp.is.co.za/rfc/rfc1808.txt"}},
	{"RFC 3986 1.1.2", []string{"http://www.ietf.org/rfc/rfc2396.txt"}},
	{"RFC 3986 1.1.2", []string{"ldap://[2001:db8::7]/c=GB?objectClass?one"}},
	{"RFC 3986 1.1.2", []string{"mailto:John.Doe@example.com"}},
	{"RFC 3986 1.1.2", []string{"news:comp.infosystems.www.servers.unix"}},
	{"RFC 3986 1.1.2", []string{"tel:+1-816-555-1212"}},
	{"RFC 3986 1.1.2", []string{"telnet://192.0.2.16:80/"}},
	{"RFC 3986 1.1.2", []string{"urn:oasis:names:specification:docbook:dtd:xml:4.1.2"}},
	{"RFC 3986 3", []string{"foo://example.com:8042/over/there?name=ferret#nose"}},
	{"RFC 3986 3", []string{"urn:example:animal:ferret:nose"}},
	{"RFC 3986 3.3", []string{"mailto:fred@example.com"}},
	{"RFC 3986 3.3", []string{"foo://info.example.com?fred"}},
	{"RFC 3986 6.2.2", []string{"example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/b/%63/%7bfoo%7d"}}, // without its dot segments: see TestRFCDots
	{"RFC 3986 6.2.2.1", []string{"http://www.example.com/", "HTTP://www.EXAMPLE.com/"}},
	{"RFC 3986 6.2.2.2", []string{"http://example.com/~smith", "http://example.com/%7Esmith", "http://example.com/%7esmith"}},
	{"RFC 3986 6.2.3", []string{"http://example.com", "http://example.com/", "http://example.com:/", "http://example.com:80/"}},
	{"RFC 3986 6.2.3", []string{"http://example.com/?"}}, // an empty search is none of the same
	{"RFC 3986 6.2.3", []string{"http://example.com/data"}},
	{"RFC 3986 6.2.4", []string{"http://example.com/data/"}},
	{"RFC 3986 7.6", []string{"ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm"}},
	{"RFC 9110 4.2.3", []string{"http://example.com:80/~smith/home.html", "http://EXAMPLE.com/%7Esmith/home.html", "http://EXAMPLE.com:/%7esmith/home.html"}},

	{"RFC 3987 3.1", []string{"http://www.example.org/red%09ros\u00e9#red", "http://www.example.org/red%09ros%C3%A9#red"}},
	{"RFC 3987 3.1", []string{"http://example.com/\U00010300\U00010301\U00010302", "http://example.com/%F0%90%8C%80%F0%90%8C%81%F0%90%8C%82"}},
	{"RFC 3987 3.1", []string{"http://r\u00e9sum\u00e9.example.org", "http://xn--rsum-bpad.example.org", "http://r%C3%A9sum%C3%A9.example.org"}},
	{"RFC 3987 3.2.1", []string{"http://www.example.org/D%C3%BCrst", "http://www.example.org/D\u00fcrst"}},
	{"RFC 3987 3.2.1", []string{"http://www.example.org/D%FCrst"}},
	{"RFC 3987 3.2.1", []string{"http://xn--99zt52a.example.org/%e2%80%ae", "http://\u7d0d\u8c46.example.org/%E2%80%AE"}},
	{"RFC 3987 5.3.2", []string{"example://a/b/c/%7Bfoo%7D/ros\u00e9", "eXAMPLE://a/b/%63/%7bfoo%7d/ros%C3%A9"}}, // without its dot segments
	{"RFC 3987 5.3.2.2", []string{"http://www.example.org/r\u00e9sum\u00e9.html"}},
	{"RFC 3987 5.3.2.2", []string{"http://www.example.org/re\u0301sume\u0301.html"}}, // no normalization in a path
	{"RFC 3987 5.3.2.3", []string{"http://example.org/~user", "http://example.org/%7euser", "http://example.org/%7Euser"}},
	{"RFC 5891 5.4", []string{"http://\u7d0d\u8c46.example.org/", "http://XN--99ZT52A.example.org/"}},
	{"RFC 5891 5.3", []string{"http://fa\u00df.example/", "http://xn--fa-hia.example/", "http://FA\u00df.example/"}}, // no "ss"
	{"RFC 5891 5.3", []string{"http://fass.example/"}},
	{"RFC 5891 5.3", []string{"http://\u03b2\u03cc\u03bb\u03bf\u03c2.example/", "http://xn--nxasmm1c.example/"}}, // final sigma

	{"RFC 5538 3", []string{"nntp://news.server.example/example.group.this/12345"}},
	{"RFC 5538 3", []string{"nntp://wild.server.example/example.group.n%2Fa/12345"}},
	{"RFC 5538 3", []string{"nntp://news.server.example/example.group.this"}},
	{"RFC 5538 3", []string{"news://news.server.example/example.group.this"}},
	{"RFC 5538 4", []string{"news://news.server.example/*", "news://news.server.example/"}}, // "the first two are equivalent"
	{"RFC 5538 4", []string{"news://wild.server.example/example.group.th%3Fse"}},
	{"RFC 5538 4", []string{"news:example.group.*"}},
	{"RFC 5538 4", []string{"news:example.group.this"}},
	{"RFC 5538", []string{"news://news.gmane.org/gmane.ietf.tools"}},
	{"RFC 5538", []string{"news://news.gmane.org/p0624081dc30b8699bf9b@%5B10.20.30.108%5D"}},
	{"RFC 5538", []string{"nntp://news.gmane.org/gmane.ietf.tools/742"}},

	{"RFC 6068 2", []string{"mailto:addr1@an.example,addr2@an.example"}},
	{"RFC 6068 2", []string{"mailto:?to=addr1@an.example,addr2@an.example"}},
	{"RFC 6068 2", []string{"mailto:addr1@an.example?to=addr2@an.example"}},
	{"RFC 6068 5", []string{"mailto:bill+ietf@example.org"}},
	{"RFC 6068 6.1", []string{"mailto:chris@example.com"}},
	{"RFC 6068 6.1", []string{"mailto:infobot@example.com?subject=current-issue"}},
	{"RFC 6068 6.1", []string{"mailto:infobot@example.com?body=send%20current-issue"}},
	{"RFC 6068 6.1", []string{"mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index"}},
	{"RFC 6068 6.1", []string{"mailto:list@example.org?In-Reply-To=%3C3469A91.D10AF4C@example.com%3E"}},
	{"RFC 6068 6.1", []string{"mailto:majordomo@example.com?body=subscribe%20bamboo-l"}},
	{"RFC 6068 6.1", []string{"mailto:joe@example.com?cc=bob@example.com&body=hello"}},
	{"RFC 6068 6.1", []string{"mailto:joe@example.com?cc=bob@example.com?body=hello"}}, // "WRONG!": Vet says so
	{"RFC 6068 6.1", []string{"mailto:gorby%25kremvax@example.com"}},
	{"RFC 6068 6.1", []string{"mailto:unlikely%3Faddress@example.com?blat=foop"}},
	{"RFC 6068 6.1", []string{"mailto:joe@an.example?cc=bob@an.example&body=hello"}},
	{"RFC 6068 6.1", []string{"mailto:Mike%26family@example.org"}},
	{"RFC 6068 6.2", []string{"mailto:%22not%40me%22@example.org"}},
	{"RFC 6068 6.2", []string{"mailto:%22oh%5C%5Cno%22@example.org"}},
	{"RFC 6068 6.2", []string{"mailto:%22%5C%5C%5C%22it's%5C%20ugly%5C%5C%5C%22%22@example.org"}},
	{"RFC 6068 6.3", []string{"mailto:user@example.org?subject=caf%C3%A9"}},
	{"RFC 6068 6.3", []string{"mailto:user@example.org?subject=%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D"}},
	{"RFC 6068 6.3", []string{"mailto:user@example.org?subject=%3D%3Fiso-8859-1%3FQ%3Fcaf%3DE9%3F%3D"}},
	{"RFC 6068 6.3", []string{"mailto:user@example.org?subject=caf%C3%A9&body=caf%C3%A9"}},
	{"RFC 6068 6.3", []string{"mailto:user@%E7%B4%8D%E8%B1%86.example.org?subject=Test&body=NATTO"}},

	{"RFC 6270 2.1", []string{"tn3270://userinfo@host:23/"}},
	{"RFC 6270 2.1", []string{"tn3270://userinfo@host"}},

	{"RFC 8089 B", []string{"file:///path/to/file", "file:/path/to/file"}},
	{"RFC 8089 B", []string{"file://host.example.com/path/to/file"}},
	{"RFC 8089 E.2", []string{"file:c:/path/to/file", "file:///c:/path/to/file"}},
	{"RFC 8089 E.3.1", []string{"file://host.example.com/Share/path/to/file.txt"}},
	{"RFC 8089 E.3.2", []string{"file:////host.example.com/path/to/file"}},
	{"RFC 8089 E.3.2", []string{"file://///host.example.com/path/to/file"}},
}

// rfcRefused are examples that an RFC calls wrong, or common in practice but not a URI.
var rfcRefused = []struct{ section, text string }{
	{"RFC 8089 E.1", "file://user:password@host.example.com/path/to/file"}, // what no reader of files expects
	{"RFC 8089 E.2.2", "file:///c|/path/to/file"},
	{"RFC 8089 E.2.2", "file:/c|/path/to/file"},
	{"RFC 8089 E.2.2", "file:c|/path/to/file"},
	{"RFC 8089 E.4", `file:///c:\path\to\file`},
}

// Current accepts every example of the RFCs. Those that are equivalent have the same canonical
// form, and no others. The golden file has their parts, their ASCII form and the clauses that allow
// them.
//
// Covers: S18, S21a, S21c, S21d, S21e, S21f
func TestRFCExamples(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	rows := map[string]int{}
	for row, c := range rfcExamples {
		for _, text := range c.texts {
			u, err := locator.Current.Parse(text)
			if err != nil {
				t.Errorf("%s: %v", c.section, err)
				continue
			}
			key := u.Canonical().Text()
			if first, ok := rows[key]; ok && first != row {
				t.Errorf("%s: %s has the canonical form of %s", c.section, text, rfcExamples[first].texts[0])
			}
			if _, ok := rows[key]; !ok && text != c.texts[0] {
				t.Errorf("%s: %s has the canonical form %s, %s a different one", c.section, text, key, c.texts[0])
			}
			rows[key] = row
			currentAgrees(t, text)
			agreeCurrent(t, text)
			fmt.Fprintf(&all, "%s\t%+q\n\t%s\n", c.section, text, show(u.Parts()))
			if u.HasHost() {
				fmt.Fprintf(&all, "\thost %s\n", u.ASCIIHost())
			}
			if ascii := u.ASCII().Text(); ascii != text {
				fmt.Fprintf(&all, "\tASCII %s\n", ascii)
			}
			for _, clause := range u.Clauses() {
				fmt.Fprintf(&all, "\tbyte %d, %s: %s\n", clause.Offset, clause.Section, clause.What)
			}
		}
	}
	for _, c := range rfcRefused {
		_, err := locator.Current.Parse(c.text)
		if err == nil {
			t.Errorf("%s: %s is read", c.section, c.text)
		}
		fmt.Fprintf(&all, "%s\t%+q\n\t%v\n", c.section, c.text, err)
	}
	golden(t, "rfc-examples.golden", all.String())
}

// The examples of removing dot segments, and those of normalization that have some. Canonical does
// not remove dot segments, since RFC 1738 has none and only resolving may remove them, so the URLs
// are resolved first.
//
// Covers: S17, S18, S19
func TestRFCDots(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, c := range [][2]string{ // RFC 3986 5.2.4
		{"/a/b/c/./../../g", "/a/g"},
		{"mid/content=5/../6", "/mid/6"},
	} {
		if u, err := current(t, "x://h").Resolve(c[0]); err != nil || u.Text() != "x://h"+c[1] {
			t.Errorf("%s resolves to %s, %v; want %s", c[0], u.Text(), err, c[1])
		}
	}
	for _, c := range [][2]string{
		{"eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"},                      // RFC 3986 6.2.2
		{"eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9", "example://a/b/c/%7Bfoo%7D/ros\u00e9"},  // RFC 3987 5.3.2
		{"http://example.com/foo/../data", "http://example.com/data"},                            //
		{"file:///c:/../bar.txt", "file:///bar.txt"},                                             // RFC 8089 E.2.1 would keep the drive; RFC 3986 does not
		{"http://www.example.org/./r\u00e9sum\u00e9.html", "http://www.example.org/résumé.html"}, //
	} {
		dotted, plain := current(t, c[0]), current(t, c[1])
		if locator.Equal(dotted, plain) {
			t.Errorf("%s equals %s without resolving", c[0], c[1])
		}
		resolved, err := plain.Resolve(c[0])
		if err != nil || !locator.Equal(resolved, plain) {
			t.Errorf("%s resolves to %q, %v", c[0], resolved.Text(), err)
		}
	}
}
