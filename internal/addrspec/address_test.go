package addrspec

import (
	"math/rand/v2"
	"net/mail"
	"slices"
	"strings"
	"testing"

	"locator/internal/bnf"
)

// Covers: S10
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // "" is an error
		"a@b.dom":                     "a@b.dom",
		"first.last+tag@b.dom":        "first.last+tag@b.dom",
		"gorby%kremvax@example.com":   "gorby%kremvax@example.com",
		"unlikely?address@example.co": "unlikely?address@example.co",
		`"not@me"@example.org`:        `"not@me"@example.org`,
		`"oh\\no"@example.org`:        `"oh\\no"@example.org`,
		`"\\\"it's\ ugly\\\""@e.org`:  `"\\\"it's ugly\\\""@e.org`,
		`"plain"@b.dom`:               "plain@b.dom",
		`"a"."b c".d@b.dom`:           `"a.b c.d"@b.dom`,
		`""@b.dom`:                    `""@b.dom`,
		"a@[192.0.2.1]":               "a@[192.0.2.1]",
		"a@[IPv6:2001:db8::1]":        "a@[IPv6:2001:db8::1]",
		"user@ナット.example":            "user@ナット.example",
		"用户@例え.jp":                    "用户@例え.jp",
		"postmaster@localhost":        "postmaster@localhost",
		"":                            "", "a": "", "@b": "", "a@": "", "a@b@c": "", "a..b@c": "", ".a@c": "", "a.@c": "", "a@b.": "", "a@.b": "", "a b@c": "", "a@b c": "",
		"a@b,c@d": "", "<a@b>": "", "a(c)@b": "", `"a@b`: "", `a"b@c`: "", "a@[1": "", "a@[1]x": "", "a@[[1]": "", "a\r\n@b": "", "a@b\r\nRCPT TO:<c@d>": "", "\"a\nb\"@c": "",
		"\"a\\\nb\"@c": "", "a\x00@b": "", "\"\x00\"@b": "", "a@b>": "", "a\xff@b": "", "\"\xff\"@b": "", "a\u2028@b": "", "a\u0085@b": "", "a@[\u00e9]": "", `"\`: "",
		strings.Repeat("a", 257) + "@b": "", "a@" + strings.Repeat("b", 256): "",
	} {
		a, err := Parse(text)
		if got := a.String(); want == "" && err == nil || want != "" && (err != nil || got != want) {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}

// The error of a text without a domain says so.
//
// Covers: S10
func TestParseWithoutDomain(t *testing.T) {
	t.Parallel()
	if _, err := Parse("ann"); err == nil || err.Error() != "the @ and the domain are missing" {
		t.Error(err)
	}
}

// Parse and its productions accept the same texts.
//
// Covers: S10
func TestOracle(t *testing.T) {
	t.Parallel()
	g, err := bnf.ParseABNF(Productions)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(6068, 5322))
	accepted, refused := 0, 0
	for i := range 20000 {
		text := g.Generate("addr-spec", r, 40)
		if i%2 == 1 {
			text = bnf.Mutate(r, text)
		}
		want, _ := g.Match("addr-spec", text)
		_, err := Parse(text)
		if want != (err == nil) {
			t.Fatalf("%q: the grammar accepts it: %t; Parse: %v", text, want, err)
		}
		if want {
			accepted++
		} else {
			refused++
		}
	}
	if accepted < 1000 || refused < 1000 {
		t.Errorf("%d texts are accepted and %d refused, so little is shown", accepted, refused)
	}
}

// Covers: S10
func TestToASCII(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a@B.dom": "a@B.dom", "a@bücher.example": "a@xn--bcher-kva.example", "é@ナット.example": "é@xn--9ckke.example", "a@[192.0.2.1]": "a@[192.0.2.1]",
		"a@[IPv6:::1]": "a@[IPv6:::1]", "a@[::1]": "", "a@[IPv6:192.0.2.1]": "", "a@[x]": "", "a@b_c": "", "a@-b": "", "a@b!c": "", "a@b%c": "", "a@b-.c": "",
		"a@" + strings.Repeat("b", 64): "", "a@" + strings.Repeat("b.", 127) + "c": "", "a@[IPv6:fe80::1%eth0]": "", "a@\u200d": "",
	} {
		a, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got, err := a.ToASCII()
		if want == "" && err == nil || want != "" && (err != nil || got.String() != want) {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}

// FuzzParse compares Parse with itself, ParseList and net/mail.
//
// Covers: S10, P6
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a@b", `"a b".c@d`, "a@[1.2.3.4]", "é@ü", `"\""@b`, "Ann <a@b>, x:c@d;", "(c) a@b", "<@x:a@b>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Parse(s)
		if err == nil {
			again, err := Parse(a.String())
			if err != nil || again != a {
				t.Fatalf("%q is %q, and that is %q, %v", s, a, again, err)
			}
			list, err := ParseList(s)
			if err != nil || len(list) != 1 || list[0] != a {
				t.Fatalf("%q is %q, but as a list %q, %v", s, a, list, err)
			}
			if strings.ContainsAny(a.String(), "\r\n\x00") {
				t.Fatalf("%q is %q", s, a)
			}
			if m, err := mail.ParseAddress(a.String()); err == nil && m.Address != a.Local+"@"+a.Domain {
				t.Fatalf("%q is %q, for net/mail %q", s, a, m.Address)
			}
		}
		list, err := ParseList(s)
		if err != nil {
			return
		}
		theirs, err := mail.ParseAddressList(s)
		if err != nil { // net/mail refuses source routes, blanks around dots, and more
			return
		}
		var ours, others []string
		for _, a := range list {
			ours = append(ours, a.Local+"@"+a.Domain)
		}
		for _, m := range theirs {
			others = append(others, m.Address)
		}
		if !slices.Equal(ours, others) {
			t.Fatalf("%q is %q, for net/mail %q", s, ours, others)
		}
	})
}
