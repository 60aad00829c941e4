package conformance

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"locator"
	"locator/internal/bnf"
	"locator/internal/hang"
	"locator/internal/octet"
)

// Covers: S18
func TestCanonical(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, c := range []struct{ text, want string }{
		// Scheme and host in lower case, without default port and leading zeros of the port.
		{"HTTP://WWW.Example.COM/A", "http://www.example.com/A"},
		{"X-Y:AbC", "x-y:AbC"},
		{"X-Y://U:P@Host:0080/A", "x-y://U:P@host:80/A"},
		{"ftp://h:21/", "ftp://h/"},
		{"ftp://h:00021/", "ftp://h/"},
		{"ftp://h:0210/", "ftp://h:210/"},
		{"http://h:80", "http://h/"},
		{"http://h:000/", "http://h:0/"},
		{"http://h:0099999/", "http://h:99999/"},
		{"gopher://h:70/0a", "gopher://h/0a"},
		{"nntp://h:119/a/01", "nntp://h/a/01"},
		{"telnet://h:23/", "telnet://h/"},
		{"wais://h:210/a", "wais://h/a"},
		{"prospero://h:1525/a", "prospero://h/a"},
		{"x-y://h:80/", "x-y://h:80/"},
		{"http://127.0.0.001/", "http://127.0.0.001/"},
		// Escapes: hexadecimal digits in upper case; unreserved characters decoded, others not.
		{"ftp://h/%2f%3b%7e%ff", "ftp://h/%2F%3B%7E%FF"},
		{"ftp://h/%61%5A%30%2D%2e%5f", "ftp://h/aZ0-._"},
		{"ftp://h/%24%2b%21%2a%27%28%29%2c", "ftp://h/$+!*'(),"},
		{"ftp://h/%3f%3a%40%26%3d", "ftp://h/%3F%3A%40%26%3D"},
		{"ftp://h/?:@&=", "ftp://h/?:@&="},
		{"ftp://%75%3A:%70%40@h/", "ftp://u%3A:p%40@h/"},
		{"ftp://h/%2541", "ftp://h/%2541"},
		{"ftp://h/%2E%2e/./a//b", "ftp://h/.././a//b"},
		{"http://h/%61%2d%2E%5f%24%2b%21%2a%27%28%29%2c", "http://h/a-._%24%2B%21%2A%27%28%29%2C"},
		{"http://h/a!?b!%21", "http://h/a!?b!%21"},
		{"x-y:%61%2d%24", "x-y:a-%24"},
		{"gopher://h/%30a%09b%2Bc", "gopher://h/0a%09b+c"},
		{"wais://h/%64%3F?%61+%2b", "wais://h/d%3F?a++"},
		{"prospero://h/%61%3B;%62=%3d", "prospero://h/a%3B;b=%3D"},
		{"file://h/%61%2fb", "file://h/a%2Fb"},
		// Typecode in lower case.
		{"ftp://h/a;type=A", "ftp://h/a;type=a"},
		{"ftp://h/A%3btype=D;type=D", "ftp://h/A%3Btype=D;type=d"},
		// Absent paths.
		{"gopher://h", "gopher://h/"},
		{"gopher://h/1", "gopher://h/"},
		{"gopher://h/%31", "gopher://h/"},
		{"gopher://h/1%09", "gopher://h/1%09"},
		{"gopher://h/11", "gopher://h/11"},
		{"gopher://h/0", "gopher://h/0"},
		{"http://h", "http://h/"},
		{"telnet://u:@h", "telnet://u:@h/"},
		{"ftp://h", "ftp://h"},
		{"ftp://h/", "ftp://h/"},
		{"x-y://h", "x-y://h"},
		{"file://LocalHost/a", "file:///a"},
		{"file:///a", "file:///a"},
		{"file://H/a", "file://h/a"},
		// Message-ids and mail domains are unchanged.
		{"mailto:%4Aoe@Example.COM", "mailto:Joe@Example.COM"},
		{"mailto:a%2cb%2Bc@h", "mailto:a%2Cb+c@h"},
		{"mailto:a,b@h", "mailto:a,b@h"},
		{"news:%41b@Example.COM", "news:Ab@Example.COM"},
		{"news:Alt.X", "news:Alt.X"},
		{"news:*", "news:*"},
		{"nntp://H/Alt.X", "nntp://h/Alt.X"},
		// Current finds a host in these, RFC 1738 none.
		{"x-y://%41/", "x-y://a/"},
		{"x-y://a%2e%2fb_/%61", "x-y://a.%2Fb_/a"},
		{"x-y://B%C3%BCcher/?%41", "x-y://xn--bcher-kva/?A"},
		// URLs that Current rejects have the canonical form of RFC 1738, in which no escape may
		// become a part of the host.
		{"x-y://a:%41/%41", "x-y://a:%41/A"},
		{"1x://%41/", "1x://%41/"},
		{"ftp://a?%41@H:21/", "ftp://a?A@h/"},
		{"x-y:/%2fa/%61", "x-y:/%2Fa/a"},
		// https by the rule of http, if it matches.
		{"HTTPS://H:443", "https://h/"},
		{"https://h/%21", "https://h/%21"},
		{"https:%61", "https:a"},
	} {
		u := locator.MustParse(c.text)
		if got := u.Canonical(); got.Text() != c.want {
			t.Errorf("the canonical form of %s is %s, want %s", c.text, got.Text(), c.want)
		}
		checkCanonical(t, u)
	}
	for _, c := range []struct{ text, want string }{
		{"http://h/~a#b", "http://h/%7Ea"},
		{"ftp://~@h/~;type=I", "ftp://%7E@h/%7E;type=i"},
		{"x:~", "x:%7E"},
		{"x://~", "x://%7E"},
		{"https://H:0443/?#", "https://h/?"},
		{"http://[2001:DB8::A]:80", "http://[2001:db8::a]/"},
		{"x://u@[::A]:01/~#", "x://u@[::a]:1/%7E"},
		{"http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"},
		{"http://[::0001]:80/", "http://[::1]/"},
		{"https://[::ffff:1.2.3.4]/", "https://[::ffff:1.2.3.4]/"},
		{"https://[::FFFF:102:304]", "https://[::ffff:1.2.3.4]/"},
		{"ftp://[2001:DB8:0:0:1::1]/a", "ftp://[2001:db8::1:0:0:1]/a"}, // RFC 5952 4.2.3: the first of equal runs
		{"file://[1:0:2:3:4:5:6:7]/a", "file://[1:0:2:3:4:5:6:7]/a"},   // RFC 5952 4.2.2: one group is not shortened
		{"HTTP://U%41:P%7a:q@H:/", "http://UA:Pz:q@h/"},
		{"http://h?x", "http://h/?x"},
		{"http://h:080?", "http://h/?"},
		{"http://A_B.Example./", "http://a_b.example./"},
		{"http://%41%5F%2f~%7e/", "http://a_%2F%7E%7E/"},
		{"http://[V1.A:b]/", "http://[v1.a:b]/"},
		{"http://B\u00dcCHER.example/\u00e9?\u00fc", "http://xn--bcher-kva.example/%C3%A9?%C3%BC"},
		{"http://B%C3%9CCHER\u3002example/", "http://xn--bcher-kva.example/"},
		{"http://XN--Bcher-KVA.example/", "http://xn--bcher-kva.example/"},
		{"http://\uff11\uff12\uff17.0.0.1/", "http://127.0.0.1/"},
		{"http://%FF.Example/", "http://%FF.example/"},
		{"http://\u200b/", "http://%E2%80%8B/"}, // IDNA leaves nothing of it
		{"http://a\u2100b/", "http://a%E2%84%80b/"},
		{"file:/a", "file:///a"},
		{"file:c:/%61", "file:///c:/a"},
		{"file://%4Cocalhost/a", "file:///a"},
		{"file:/", "file:///"},
		{"mailto:%41@B,c%2cd@E?Subject=%41%2b&b=%3D%26", "mailto:A@B,c%2Cd@E?Subject=A+&b=%3D%26"},
		{"mailto:", "mailto:"},
		{"news:", "news:*"},
		{"news://H:119/", "news://h/*"},
		{"news://U%40@H/%41lt.%2a.%3F", "news://U%40@h/Alt.%2A.%3F"},
		{"news:a%40B%2d", "news:a%40B-"},
		{"news:Alt.*", "news:Alt.*"},
		{"nntp://H:119/%61.b%2F/1-", "nntp://h/a.b%2F/1-"},
		{"wais://H/d/T/1/1=%61%2F;", "wais://h/d/T/1/1=a%2F;"},
		{"TN3270://H:23", "tn3270://h"},
		{"mid:%41@B/c%2f@D", "mid:A@B/c%2F@D"},
		{"CID:a%7E@b", "cid:a%7E@b"},
		{"nfs://H:2049/%61", "nfs://h/a"},
		{"nfs:%61", "nfs:a"},
		{"nfs:/%61", "nfs:/a"},
		{"FTPS://H:0990/%61;type=A", "ftps://h/a;type=a"},
		{"gophers://h:70/1", "gophers://h/"},
		{"mailserver:%61/%2f/~", "mailserver:a/%2F/%7E"},
		{"Z39.50R://H:210/a%2Bb+%63?%64;esn=%46", "z39.50r://h/a%2Bb+c?d;esn=F"},
		{"z39.50s://h", "z39.50s://h"},
	} {
		u, err := locator.Current.Parse(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := u.Canonical(); got.Text() != c.want {
			t.Errorf("the canonical form of %s is %s, want %s", c.text, got.Text(), c.want)
		}
		checkCanonical(t, u)
	}
	if !locator.Equal(locator.URL{}, locator.URL{}) || locator.Equal(locator.URL{}, locator.MustParse("x:")) {
		t.Error("the zero URL equals a URL, or does not equal itself")
	}
}

// Covers: S18
func TestCanonicalProperties(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 5000 {
			s := currentText(r)
			for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
				if u, err := p.Parse(s); err == nil {
					checkCanonical(t, u)
				}
			}
		}
	})
}

// Equal canonical forms have the same meaning: a change that keeps the canonical form keeps the
// meaning.
//
// Covers: S18
func TestEqualMeansSame(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		equal, differ := 0, 0
		for range 20_000 {
			a, err := locator.Current.Parse(currentText(r))
			if err != nil {
				continue
			}
			b, err := locator.Current.Parse(bnf.Mutate(r, a.Text()))
			if err != nil {
				continue
			}
			if !locator.Equal(a, b) {
				differ++
				continue
			}
			if equal++; !reflect.DeepEqual(meaning(a), meaning(b)) {
				t.Fatalf("%q equals %q, which has a different meaning", a.Text(), b.Text())
			}
		}
		if equal < 100 || differ < 1000 {
			t.Errorf("%d changes kept the canonical form, %d did not: too few of one kind", equal, differ)
		}
	})
}

// respell returns an equivalent spelling of a URL by S18, in the syntax of u.
func respell(r *rand.Rand, u locator.URL, later bool) string {
	var b strings.Builder
	b.WriteString(mixCase(r, u.Scheme()) + ":")
	// Escapes and letters: the characters whose escapes Canonical decodes for the scheme may be
	// escaped.
	const safest, safe = "-._", "-._$+!*'(),"
	may := safe
	switch grammar(u) {
	case "http", "other":
		may = safest
	case "mailto":
		may = strings.Trim(safe, ",")
	case "nntp", "news":
		may = "-._+"
	}
	again := func(s string) string { return respellPart(r, s, may) }
	if u.HasHost() {
		b.WriteString("//")
		if user, ok := u.User(); ok {
			b.WriteString(again(user))
			if password, ok := u.Password(); ok {
				b.WriteString(":" + again(password))
			}
			b.WriteByte('@')
		}
		host := mixCase(r, u.Host())
		if later && !strings.HasPrefix(host, "[") {
			host = respellPart(r, host, "-._")
		}
		if grammar(u) == "file" && (host == "" || strings.EqualFold(host, "localhost")) {
			host = []string{"", "localhost", "LOCALHOST"}[r.IntN(3)]
		}
		b.WriteString(host)
		port := u.Port()
		if port == "" && locator.DefaultPort(u.Scheme()) != 0 && r.IntN(2) == 0 {
			port = map[string]string{
				"ftp": "21", "ftps": "990", "gophers": "70", "http": "80", "https": "443", "gopher": "70", "news": "119", "nntp": "119", "nntps": "563", "snews": "563", "telnet": "23", "wais": "210", "prospero": "1525",
				"tn3270": "23", "nfs": "2049", "z39.50r": "210", "z39.50s": "210",
			}[u.Scheme()]
		}
		if later && port == "" && grammar(u) != "file" && r.IntN(4) == 0 {
			b.WriteByte(':')
		}
		if port != "" {
			b.WriteString(":" + strings.Repeat("0", r.IntN(3)) + port)
		}
	}
	path, ok := u.Path()
	switch {
	case grammar(u) == "news" && later:
		if u.HasHost() {
			b.WriteByte('/')
		}
		part := u.SchemePart()
		if u.HasHost() {
			part = path
		}
		if newsKind(u) == locator.NewsAll {
			b.WriteString([]string{"", "*"}[r.IntN(2)])
		} else {
			b.WriteString(again(part))
		}
	case grammar(u) == "news" && newsKind(u) != locator.NewsArticle:
		b.WriteString(u.SchemePart())
	case grammar(u) == "news":
		left, right, _ := strings.Cut(u.SchemePart(), "@")
		b.WriteString(again(left) + "@" + right)
	case grammar(u) == "file" && !u.HasHost():
		if r.IntN(2) == 0 {
			b.WriteString([]string{"//", "//localhost"}[r.IntN(2)])
			b.WriteString("/" + again(path))
		} else {
			b.WriteString(u.SchemePart())
		}
	case !u.HasHost() && strings.HasPrefix(u.SchemePart(), "//"):
		b.WriteString(u.SchemePart()) // it is hard to tell what may be escaped
	case !u.HasHost():
		b.WriteString(again(u.SchemePart()))
	case (!ok || path == "") && (grammar(u) == "telnet" || grammar(u) == "http"):
		if _, search := u.Search(); search && !later || r.IntN(2) == 0 {
			b.WriteByte('/')
		}
	case grammar(u) == "gopher" && (path == "" || path == "1"):
		b.WriteString([]string{"", "/", "/1", "/%31"}[r.IntN(4)])
	case grammar(u) == "ftp" && ok:
		path, typecode, typed := strings.Cut(path, ";type=")
		b.WriteString("/" + again(path))
		if typed {
			b.WriteString(";type=" + mixCase(r, typecode))
		}
	case grammar(u) == "nntp" && later:
		group, rest, more := strings.Cut(path, "/")
		b.WriteString("/" + again(group))
		if more {
			b.WriteString("/" + rest)
		}
	case grammar(u) == "nntp":
		b.WriteString("/" + path)
	case grammar(u) == "wais" && strings.ContainsAny(path, "=;"):
		if ok {
			b.WriteString("/" + path) // it is hard to tell what may be escaped
		}
	case ok:
		b.WriteString("/" + again(path))
	}
	if search, ok := u.Search(); ok && u.HasHost() {
		b.WriteString("?" + again(search))
	}
	return b.String()
}

// mixCase changes the case of some letters.
func mixCase(r *rand.Rand, s string) string {
	b := []byte(s)
	for i, c := range b {
		if octet.IsLetter(c) && r.IntN(2) == 0 {
			b[i] ^= 0x20
		}
	}
	return string(b)
}

// respellPart escapes some letters, digits and characters of may, decodes some of their escapes,
// and changes the case of hexadecimal digits.
func respellPart(r *rand.Rand, s, may string) string {
	free := func(c byte) bool {
		return octet.IsAlphanumeric(c) || strings.IndexByte(may, c) >= 0
	}
	var b []byte
	for i := 0; i < len(s); i++ {
		c, escaped := octet.At(s, i)
		switch {
		case escaped:
			i += 2
		case s[i] >= utf8.RuneSelf:
			_, size := utf8.DecodeRuneInString(s[i:])
			if r.IntN(2) == 0 {
				b = append(b, s[i:i+size]...)
			} else {
				b = octet.AppendASCII(b, s[i:i+size])
			}
			i += size - 1
			continue
		default:
			c = s[i]
		}
		switch plain := r.IntN(2) == 0; {
		case free(c) && plain, !escaped && !free(c):
			b = append(b, c)
		default:
			b = append(b, mixCase(r, octet.Escape(c))...)
		}
	}
	return string(b)
}

// Covers: S18
func TestRespellingKeepsKey(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		other := 0
		for range 8000 {
			s := generate(r)
			if r.IntN(2) == 0 {
				s = generateCurrent(r)
			}
			for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
				u, err := p.Parse(s)
				if err != nil || p == locator.RFC1738 && contradiction(u) != "" {
					continue
				}
				again := respell(r, u, p == locator.Current)
				v, err := p.Parse(again)
				if err != nil {
					t.Fatalf("%q respelled is %q: %v", s, again, err)
				}
				if !locator.Equal(u, v) {
					t.Fatalf("%q respelled is %q, with a different canonical form: %q, %q", s, again, u.Canonical().Text(), v.Canonical().Text())
				}
				if again != s {
					other++
				}
			}
		}
		if other < 4000 {
			t.Errorf("only %d texts were respelled", other)
		}
	})
}

// A change of the meaning of a URL changes its canonical form.
//
// Covers: S18
func TestChangeChangesKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b string }{
		{"ftp://h/a", "ftp://h/A"},
		{"ftp://h/a", "ftp://h//a"},
		{"ftp://h/a/", "ftp://h/a"},
		{"ftp://h/%2Fa", "ftp://h//a"},
		{"ftp://h/a;type=a", "ftp://h/a"},
		{"ftp://h/a;type=a", "ftp://h/a;type=i"},
		{"ftp://h", "ftp://h/"},
		{"ftp://@h/", "ftp://h/"},
		{"ftp://u:@h/", "ftp://u@h/"},
		{"ftp://u:p@h/", "ftp://u:P@h/"},
		{"ftp://h/", "ftp://h:22/"},
		{"ftp://h/", "ftp://h2/"},
		{"ftp://h/a/../b", "ftp://h/b"},
		{"http://h/", "https://h/"},
		{"http://h/?", "http://h/"},
		{"http://h/a%2Fb", "http://h/a/b"},
		{"http://h/!", "http://h/%21"},
		{"http://h/a;b", "http://h/a%3Bb"},
		{"gopher://h/1", "gopher://h/1%09"},
		{"gopher://h/0a%09", "gopher://h/0a%09%09"},
		{"gopher://h/0", "gopher://h/1"},
		{"gopher://h/", "gopher://h:7/"},
		{"mailto:a@h", "mailto:a@H"},
		{"mailto:a@h", "mailto:A@h"},
		{"mailto:a%2Cb@h", "mailto:a,b@h"},
		{"news:a@h", "news:a@H"},
		{"news:a", "news:A"},
		{"nntp://h/a", "nntp://h/a/1"},
		{"nntp://h/a/1", "nntp://h/a/01"},
		{"telnet://h/", "telnet://u@h/"},
		{"wais://h/a?", "wais://h/a"},
		{"wais://h/a%3Fb", "wais://h/a?b"},
		{"file:///a", "file://h/a"},
		{"prospero://h/a;b=c;d=e", "prospero://h/a;d=e;b=c"},
		{"x-y:%2F", "x-y:/"},
		{"x-y:!", "x-y:%21"},
	} {
		if a, b := locator.MustParse(c.a), locator.MustParse(c.b); locator.Equal(a, b) || locator.Equal(b, a) {
			t.Errorf("%s equals %s", c.a, c.b)
		}
	}
	seeded(t, 2, func(t *testing.T, r *rand.Rand) {
		// Replace one letter or digit of the path by another, next to an escape or not.
		for range 5000 {
			u, err := locator.Parse(generate(r))
			path, ok := u.Path()
			if err != nil || !ok || path == "" || grammar(u) == "nntp" {
				continue
			}
			begin := len(strings.TrimSuffix(u.Text(), after("?", optional(u.Search())))) - len(path)
			i := begin + r.IntN(len(path))
			c := u.Text()[i]
			d := "abcxyzABCXYZ0123456789"[r.IntN(22)]
			if c == d || !octet.IsAlphanumeric(c) || octet.IsHex(c) {
				continue // in an escape, or not a letter
			}
			text := u.Text()[:i] + string([]byte{d}) + u.Text()[i+1:]
			v, err := locator.Parse(text)
			if err != nil {
				continue
			}
			if locator.Equal(u, v) && !reflect.DeepEqual(meaning(u), meaning(v)) {
				t.Fatalf("%q equals %q", u.Text(), text)
			}
			if !locator.Equal(u, v) && reflect.DeepEqual(meaning(u), meaning(v)) {
				t.Fatalf("%q means the same as %q, but does not equal it", u.Text(), text)
			}
		}
	})
}

// Covers: T206
func FuzzCanonical(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		s := currentText(r)
		f.Add(s, bnf.Mutate(r, s), uint64(1))
	}
	f.Fuzz(func(t *testing.T, s, other string, seed uint64) {
		for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
			u, err := p.Parse(s)
			if err != nil {
				continue
			}
			checkCanonical(t, u)
			if v, err := p.Parse(other); err == nil && locator.Equal(u, v) && !reflect.DeepEqual(meaning(u), meaning(v)) {
				t.Fatalf("%q equals %q, which has a different meaning", s, other)
			}
			if p == locator.RFC1738 && contradiction(u) != "" {
				continue
			}
			again := respell(rand.New(rand.NewPCG(seed, 1)), u, p == locator.Current)
			if v, err := p.Parse(again); err != nil || !locator.Equal(u, v) {
				t.Fatalf("%q respelled is %q (%v)", s, again, err)
			}
		}
	})
}
