package vet

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/internal/bnf"
)

// codes returns the codes of the findings, in their order.
func codes(u locator.URL) string {
	var list []string
	for _, f := range URL(u) {
		list = append(list, f.Code)
	}
	return strings.Join(list, " ")
}

// Covers: S4, P1, P2, P3
func TestURL(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	for _, c := range []struct{ url, want string }{
		{"ftp://host.dom/%2Fetc/motd", ""},
		{"http://www.w3.org:80/a?b", ""},
		{"gopher://[2606:4700::1]:105/1", "other-port"}, // its own, but not the default
		{"x-echo:anything", ""},

		{"ftp://myname:secret@host.dom/", "password"},
		{"ftp://myname:@host.dom/", ""},
		{"telnet://guest:guest@host.dom/", "password"},
		{"x-shop://name:secret@host.dom/", "password"},
		{"x-shop://name:secret@no_host/", "password"},

		{"ftp://www.bank.example@host.dom/", "host-like-user"},
		{"ftp://www.bank.example%2Flogin%3Fx@host.dom/", "host-like-user"},
		{"ftp://www.bank.example%5C@host.dom/", "host-like-user"},
		{"ftp://www.bank.example%20x@host.dom/", "host-like-user"},
		{"ftp://10.1.2.3@host.dom/", "host-like-user"},
		{"ftp://www.bank.example:x@host.dom/", "password host-like-user"},
		{"ftp://me%40home.example@host.dom/", ""}, // a mail address
		{"ftp://name@host.dom/", ""},

		{"http://host.dom:8080/", "other-port"},
		{"http://host.dom:81/", "other-port"}, // reserved, but http may
		{"https://host.dom:443/", ""},
		{"http://host.dom:443/", "other-port"},
		{"http://host.dom:25/", "refused-port"},
		{"http://host.dom:10080/", "refused-port"},
		{"gopher://host.dom:25/", "refused-port"},
		{"gopher://host.dom:81/", "refused-port"},
		{"gopher://host.dom:6667/", "refused-port"},
		{"gopher://host.dom:1024/", "other-port"},
		{"ftp://host.dom:990/", "other-port"},
		{"ftp://host.dom:0021/", "port-zeros"},
		{"ftp://host.dom:0/", "no-port"},
		{"ftp://host.dom:00/", "no-port port-zeros"},
		{"http://host.dom:/", ""},

		{"http://reader@host.dom/", "userinfo"},
		{"https://a:b@host.dom/", "password userinfo"},
		{"http://www.bank.example@host.dom/", "host-like-user userinfo"},
		{"https://www.bank.example&x@host.dom/", "host-like-user userinfo"},
		{"ftp://cnn.example.com&story=breaking_news@host.dom/top_story.htm", "host-like-user"}, // RFC 3986 7.6

		{"http://2130706433/", "numeric-host"},
		{"http://0x7f.0.0.1/", "numeric-host"},
		{"http://127.1/", "numeric-host"},
		{"http://0X7F000001./", "numeric-host"},
		{"http://a.b.c.0x/", "numeric-host"},
		{"http://1.2.3.4.5/", "numeric-host"},
		{"http://%31%32%37.1/", "numeric-host mapped-host"},
		{"http://127.0.0.%31/", "local-address mapped-host"},
		{"http://127.0.0.1./", "local-address"},
		{"http://1.2.3.256./", "no-address"},
		{"http://1.2..3/", "numeric-host odd-host"},
		{"http://0x7g.0x1g/", ""},
		{"http://１２７.0.0.1/", "local-address mapped-host"}, // IDNA maps full-width digits
		{"http://[v1.x]/", "no-address"},
		{"http://[64:ff9b::10.0.0.1]/", "local-address"},
		{"http://[2002:a00:1::]/", "local-address"},

		{"http://a_b.example/", ""},
		{"http://a~b.example/", "odd-host"},
		{"http://a..b/", "odd-host"},
		{"http://.a/", "odd-host"},
		{"http://a./", ""},
		{"http://a-.b/", "odd-host"},
		{"http://a.-b/", "odd-host"},
		{"http://a%2Fb/", "odd-host"},
		{"http://a%40b/", "odd-host"},
		{"telnet://-oX.host.dom/", "option-host"},
		{"telnet://%2DoX.host.dom/", "option-host mapped-host"},
		{"http://bücher.example/", ""},
		{"http://xn--bcher-kva.example/", ""},
		{"http://XN--BCHER-KVA.example/", ""},
		{"http://xn--a.example/", "bad-idna"},
		{"http://xn--.example/", "bad-idna"},
		{"http://ab--\u00fc.example/", "bad-idna"},
		{"http://\u00fc-.example/", "bad-idna"},
		{"http://-\u00fc.example/", "bad-idna"},
		{"http://\u00fc-a.example/", ""},
		{"http://r1---sn-x.example/", ""},
		{"http://%FF.example/", "bad-idna"},
		{"http://bank.example\u2215login.example/", "bad-idna"}, // what looks like a slash
		{"http://bank.example\u2044login.example/", "bad-idna"},
		{"http://abc\u02d7def.example/", "bad-idna"},
		{"http://ab\u2665.example/", "bad-idna"},
		{"http://a\u00b7b.example/", "bad-idna"},
		{"http://col\u00b7lectiu.example/", ""},
		{"http://\u30a2\u30fb\u30a2.example/", ""},
		{"http://\u05d0\u05f3.example/", ""},
		{"http://\u0375a.example/", "bad-idna mixed-script"},
		{"http://0a.xn--4db/", "bad-idna"}, // RFC 5893 2.1
		{"http://xn--0-sfa.xn--4db/", "bad-idna"},
		{"http://a1.xn--4db/", ""},
		{"http://0a.xn--tda.example/", ""},
		{"http://%65%76il.example/", "mapped-host"},
		{"http://bank.example%2eevil.example/", "mapped-host"},
		{"http://b%C3%BCcher.example/", ""},
		{"http+unix://%2Fvar%2Frun%2Fx.sock/", "odd-host"},
		{"http://a\u2100b.example/", "bad-idna"}, // it would be "a/c"
		{"http://\u05d0a.example/", "bad-idna"},  // both directions in one label
		{"http://a\u200db.example/", "bad-idna invisible"},
		{"http://p\u0430ypal.example/", "mixed-script"}, // a Cyrillic a
		{"http://xn--pypal-4ve.example/", "mixed-script"},
		{"http://\u65e5\u672c\u3054a.example/", ""},
		{"http://\u043f\u043e\u0447\u0442\u0430.example/", ""},

		{"http://h.dom/a%252Fb", "double-escape"},
		{"http://h.dom/a%25b", ""},
		{"http://h.dom/a%25", ""},
		{"http://h.dom/?%2541", "double-escape"},
		{"http://h.dom/%25%32%65", "double-escape"},
		{"http://h.dom/%25%32e%252%65", "double-escape"},
		{"http://h.dom/%25%32", ""},
		{"http://h.dom/%25%20%25", ""},
		{"ftp://u:p%2541@h.dom/", "password"}, // no finding quotes a password
		{"http://h.dom/\u200b", "invisible"},
		{"http://h.dom/%E2%80%AEx", "invisible"},
		{"http://h.dom/%C2%A0", "invisible"},
		{"http://h.dom/%C2%A0#%E2%80%AE", "invisible"},
		{"http://h.dom/\u00e9%F0%9F%98%80", ""},
		{"http://h.dom/%E2%80", ""},
		{"prospero://host.dom:191/x", "other-port"},
		{"nntp://host.dom:563/a.b/1", "other-port"},
		{"ldap://host.dom:389/", "other-port"}, // a scheme whose ports are not known here
		{"http://host.dom:0/", "no-port"},
		{"http://host.dom:65535/", "other-port"},
		{"http://host.dom:65536/", "no-port"},
		{"x-a://host.dom:99999999999999999999999999999999999999999999999999/", "no-port"},

		{"ftp://256.1.1.1/", "no-address"},
		{"ftp://1.1.1.0000000000000000000000000000256/", "no-address ambiguous-address"},
		{"ftp://1.1.1.01/", "ambiguous-address"},
		{"ftp://1.1.1.0/", ""},
		{"ftp://00.0.0.0/", "ambiguous-address unusable-address local-address"},

		{"http://localhost/", "local-address"},
		{"http://LOCALHOST/", "local-address"},
		{"http://a.b.localhost/", "local-address"},
		{"http://notlocalhost/", "single-label"},
		{"file://localhost/x", ""},
		{"file:///x", ""},
		{"file://127.0.0.1/x", "local-address"},
		{"http://127.255.0.1/", "local-address"},
		{"http://0.0.0.0/", "unusable-address local-address"},
		{"http://10.0.0.1/", "local-address"},
		{"http://172.15.0.1/", ""},
		{"http://172.16.0.1/", "local-address"},
		{"http://172.31.255.255/", "local-address"},
		{"http://172.32.0.1/", ""},
		{"http://192.168.1.1/", "local-address"},
		{"http://192.169.1.1/", ""},
		{"http://100.64.0.1/", "local-address"},
		{"http://100.128.0.1/", ""},
		{"http://169.254.169.254/", "local-address"},
		{"http://8.8.8.8/", ""},
		{"http://[::1]/", "local-address"},
		{"http://[::]/", "unusable-address local-address"},
		{"http://[::2]/", "special-address"},
		{"http://[0:0:0:0:0:0:0:1]/", "local-address"},
		{"http://[::ffff:127.0.0.1]/", "local-address"},
		{"http://[::ffff:7f00:1]/", "local-address"},
		{"http://[::ffff:8.8.8.8]/", ""},
		{"http://[fe80::1]/", "local-address"},
		{"http://[febf::1]/", "local-address"},
		{"http://[fec0::1]/", "special-address"},
		{"http://[FD00:1::]/", "local-address"},
		{"http://[2001:db8::1:2]/", "special-address"},

		{"http://" + long + ".dom/", ""},
		{"http://a" + long + ".dom/", "long-name"},
		{"http://" + strings.Repeat(long+".", 3) + long[2:] + "/", ""}, // 253
		{"http://" + strings.Repeat(long+".", 3) + long[1:] + "/", "long-name"},

		{"ftp://a%0Ab:p@h/", "password control-octet"},
		{"ftp://a:p%0D@h/", "password control-octet"},
		{"ftp://h/a%00/b%0D%0Ac/d", "control-octet control-octet"},
		{"ftp://h/a%09b%1B", ""},
		{"http://h/a%0D%0Ab?%00", "encoded-control"}, // sent unchanged
		{"telnet://a%0Ab@h/", "control-octet"},
		{"file:///a%00/b%0A", "control-octet"},
		{"gopher://h/1a%0D%0Ab", "control-octet"},
		{"gophers://h/1a%0D%0Ab", "control-octet"},
		{"gophers://h/0a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", "filled-form"},
		{"gophers://h/0a%09%09quit", "unknown-plus"},
		{"gopher://h/%00", "control-octet"},
		{"gopher://h/7a%09b%0Ac", "control-octet"},
		{"gopher://h/0a%09%09+a%09b", "control-octet"},
		{"gopher://h/0a%09%09!+ABSTRACT", ""},
		{"gopher://h/0a%09%09!", ""},
		{"gopher://h/1a%09%09$+VIEWS%20+ABSTRACT", ""},
		{"gopher://h/0a%09%09?", ""},
		{"gopher://h/0a%09%09+", ""},
		{"gopher://h/0a%09%09+text/plain%20Es_ES", ""},
		{"gopher://h/0a%09%09", ""},
		{"gopher://h/0a%09%09?x", "unknown-plus"},
		{"gopher://h/0a%09%09!x", "unknown-plus"},
		{"gopher://h/0a%09%09+%FF", "unknown-plus"},
		{"gopher://h/0a%09%09quit", "unknown-plus"},
		{"gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", "filled-form"},
		{"gopher://h/0a%09%09+text/plain%091%0D%0A+5%0D%0Ayes%0D%0A", "filled-form"},
		{"gopher://h/0a%09%09+text/plain%091%0D%0A+4%0D%0Ayes%0D%0A", "control-octet"},
		{"gopher://h/0a%09%09+%091%0D%0A+-1%0D%0A.%0D%0Aquit", "control-octet"},
		{"gopher://h/0a%09%09+%091%0D%0A+-1%0D%0A.%0D%0A", "filled-form"},
		{"gopher://h/0a%09%09+%091%0D%0Aquit", "control-octet"},
		{"gopher://h/0a%09%09+%0D%091%0D%0A+-1", "control-octet"},
		{"news:a%0D%0Aquit@b", "control-octet"},
		{"news:a%09b@c", "control-octet"},
		{"news:a%20b@c", "control-octet"},
		{"mailto:a%0D%0ABcc:b@c.dom", "password control-octet no-mail-address"},
		{"prospero://h/a%0Ab;c=d%0A", ""}, // quoted
		{"prospero://h/a%00b;c=%00d;e%0D=f", "control-octet control-octet control-octet"},
		{"wais://h/db?a%0D%0Ab", ""},

		{"mailto:a.b@c.dom", ""},
		{"mailto:%22a%20b%22@c.dom", ""},
		{"mailto:a%25b@c", ""},
		{"mailto:root", "no-mail-address"},
		{"mailto:a@b.dom,c@d.dom?subject=x", ""},
		{"mailto:a@b.dom,c", "no-mail-address"},
		{"mailto:?subject=x&body=a%0D%0Ab", ""},
		{"mailto:a@b.dom?subject=x%0D%0ABcc:c@d.dom", "control-octet"},
		{"mailto:a@b.dom?subject=a%3Fb%3D/c", ""},
		{"mailto:a@b.dom?subject=a=b", "stray-delimiter"},
		{"mailto:a@b.dom?cc=c@d.dom?subject=x", "stray-delimiter more-recipients"},
		{"mailto:a@b.dom?bcc=c@d.dom", "unsafe-header"},
		{"mailto:a@b.dom?x%3Ay=c", "control-octet unsafe-header"},
		{"mailto:a@b%C3%BCcher.dom", ""},
		{"nntp://h/a%20b/1", "control-octet"},
		{"nntp://u%0A@h/a/1", "control-octet"},
		{"news://u:p@h/a%0D%0Ab", "password control-octet"},
		{"news:a%0Ab", "control-octet"},
		{"tn3270://u%0D@h/", ""},
		{"mailserver:a@b/x%0Ay", ""}, // the meaning of its escapes is unknown
		{"mailserver://u:p@h.dom/", "password"},
		{"nfs://h/a%00", ""},
		{"tn3270://h:992/", "other-port"},
		{"nfs://h:25/", "refused-port"},
		{"ftps://h.dom:990/", ""},
		{"ftps://h.dom:21/", "other-port"},
		{"ftps://h.dom:22/", "refused-port"},
		{"ftps://u:p@h.dom/a%0D%0Ab", "password control-octet"},
		{"gophers://h.dom:70/0a%0D%0Ab", "control-octet"},

		{"http://h/%2e%2e/a", "hidden-dots"},
		{"http://h/a/..%2Fb", "hidden-dots"},
		{"http://h/a/..%5cb", "hidden-dots"},
		{"http://h/a/..;/b", "hidden-dots"},
		{"http://h/a/.%2E;x=y/b", "hidden-dots"},
		{"http://h/a%5C..%5Cb", "hidden-dots"},
		{"http://h/%2e", "hidden-dots"},
		{"http://h/..%c0%afb", "hidden-dots"},
		{"http://h/%C0%AE%C0%AE/b", "hidden-dots"},
		{"http://h/\uFF0E\uFF0E/b", "hidden-dots"},
		{"http://h/\uFF2E\uFF2E/b", "hidden-dots"},
		{"http://h/\uFF2E\uFF2Eb", ""},
		{"ftp://h/..%2Fb", "hidden-dots"},
		{"ws://h/..%2Fb", "hidden-dots"},
		{"x:/..%2Fb", ""},           // it has no host, and may be no hierarchy
		{"http://h/a/../b/./c", ""}, // in plain sight
		{"http://h/a..%2Eb/...;/%2e%2ea", ""},
		{"http://h/?..%2Fb", ""},
		{"http://h/a%2Fb", "encoded-slash"},
		{"http://h/a%5Cb", "encoded-slash"},
		{"ftp://h/%2Fb", ""},
		{"http://h/?a%2Fb", ""},

		{"https://h/a%0Ab", "encoded-control"},
		{"https://h/a%0Db", "encoded-control"},
		{"https://h/a%00b", "encoded-control"},
		{"https://h/\u010D\u010Ax", "encoded-control"},
		{"https://h/%EF%BC%8D%EF%BC%8Ax", "encoded-control"},
		{"https://h/\u010D/\u010A", ""},
		{"https://h/a?x=a%0Ab", ""}, // a line of a text
		{"https://h/a?x=%0d%0aSet-Cookie:a", "encoded-control"},

		{"http://http://a.dom/", "url-as-host"},
		{"http://https//a.dom/", "url-as-host"},
		{"ftp://ftp:/a", "url-as-host"},
		{"http://ftp/a/b", ""},
		{"http://a.dom//http://b.dom/", ""},
		{"x-a://HTTP:?a", "url-as-host"},

		{"javascript:alert(1)", "active-scheme"},
		{"JavaScript://h.dom/%0Aalert(1)", "active-scheme"},
		{"vbscript:x", "active-scheme"},
		{"livescript:x", "active-scheme"},
		{"blob:http://h.dom/x", "active-scheme"},
		{"intent://x#Intent;end", "active-scheme"},
		{"feed:javascript:x", "active-scheme"},
		{"view-source:feed:Data:x", "active-scheme"},
		{"view-source:http://h.dom/", ""},
		{"feed:x", ""},
		{"data:text/html,x", "active-scheme"},
		{"about:blank", ""},

		{"http://example.com\u3002evil.com/", "mapped-host"},
		{"https://\uFF47ood.example/", "mapped-host"},
		{"https://%EF%BD%87ood.example/", "mapped-host"},
		{"http://\u24D4\u24E7.example/", "mapped-host"}, // letters in circles
		{"http://fu\u1E9E.example/", "mapped-host"},     // a capital sharp s, which is mapped to ss until Unicode 15.0
		{"http://a\u00ADb.example/", "mapped-host invisible"},
		{"http://B\u00DCCHER.Example/", ""},
		{"http://bu\u0308cher.example/", ""}, // composed
		{"http://fu\u00DF.example/", ""},
		{"http://\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645.example/", "invisible"}, // a joiner that Persian needs

		{"http://h/\u0645\u06CC\u200C\u062E", ""},                             // Persian
		{"http://h/%D9%85%DB%8C%E2%80%8C%D8%AE", ""},                          // the same in escapes
		{"http://h/\u0D28\u0D4D\u200D_", ""},                                  // a Malayalam chillu
		{"http://h/?q=\u0915\u094D\u200D\u0937#\u0915\u094D\u200C\u0937", ""}, // Devanagari
		{"http://h/\u2764\uFE0F", ""},                                         // a red heart
		{"http://h/\U0001F469\U0001F3FD\u200D\U0001F680", ""},                 // an astronaut
		{"http://h/1\uFE0F\u20E3", ""},                                        // a keycap
		{"http://h/a\u200Cb", "invisible"},
		{"http://h/\u0645\u200C\u200D\u200C\u062E", "invisible"}, // a run of joiners hides something
		{"http://h/a\uFE0F", "invisible"},
		{"http://h/$\uFE0F", "invisible"},

		{"mailto:good@a.dom?to=evil@b.dom", "more-recipients"},
		{"mailto:good@a.dom?TO=evil@b.dom", "more-recipients"},
		{"mailto:good@a.dom?%74o=evil@b.dom", "more-recipients"},
		{"mailto:good@a.dom?cc=evil@b.dom", "more-recipients"},
		{"mailto:?to=good@a.dom&to=evil@b.dom", "more-recipients"},
		{"mailto:good@a.dom,evil@b.dom", ""}, // in plain sight
		{"mailto:?to=good@a.dom", ""},
		{"mailto:?to=good", "no-mail-address"},
		{"mailto:good@a.dom?to=", ""},
		{"mailto:?cc=good@a.dom", ""},
		{"mailto://joe@a.dom", "mail-authority"},
	} {
		u, err := locator.Current.Parse(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		got := codes(u)
		if !strings.Contains(c.want, "single-label") { // the host of many rows is h; its finding is not repeated in each
			got = strings.Join(slices.DeleteFunc(strings.Fields(got), func(code string) bool { return code == "single-label" }), " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.url, got, c.want)
		}
	}
	if found := URL(locator.URL{}); found != nil {
		t.Errorf("the zero URL has findings: %v", found)
	}
}

// The findings of any URL are in the table, are one printable line, and contain no password.
//
// Covers: P3
func TestURLRandom(t *testing.T) {
	t.Parallel()
	known := make(map[string]hazard)
	for _, h := range hazards() {
		known[h.code] = h
	}
	seen := make(map[string]int)
	r := rand.New(rand.NewPCG(1738, 6))
	for range 20_000 {
		text := bnf.RandomURL(r, 80)
		if r.IntN(2) == 0 {
			text = bnf.Mutate(r, text)
		}
		u, err := locator.Current.Parse(text)
		if err != nil {
			continue
		}
		for _, f := range URL(u) {
			h, ok := known[f.Code]
			if !ok || f.Severity != h.severity || f.Section != h.section {
				t.Fatalf("%q: %+v is not of the table", text, f)
			}
			if strings.ContainsFunc(f.Message, func(c rune) bool { return c < ' ' || c > '~' }) || len(f.Message) > 1000 {
				t.Fatalf("%q: message %q", text, f.Message)
			}
			if pw, _ := u.Password(); len(pw) > 8 && strings.Contains(f.Message, pw) {
				t.Fatalf("%q: message %q", text, f.Message)
			}
			seen[f.Code]++
		}
	}
	if len(seen) < 6 {
		t.Errorf("random URLs have these hazards only: %v", seen)
	}
}
