package locator_test

import (
	"errors"
	"fmt"

	"locator"
)

func ExampleParse() {
	u, err := locator.Parse("FTP://myname@host.dom/%2Fetc/motd;type=A")
	if err != nil {
		fmt.Println(err)
		return
	}
	user, _ := u.User()
	_, hasPassword := u.Password()
	port, _ := u.PortNumber()
	path, _ := u.Path()
	fmt.Println(u.Scheme(), user, hasPassword, u.Host(), port, path)
	// Output: ftp myname false host.dom 21 %2Fetc/motd;type=A
}

func ExampleSyntaxError() {
	_, err := locator.Parse("ftp://host.dom/~x")
	var e *locator.SyntaxError
	if errors.As(err, &e) {
		fmt.Println(e.Offset, e.Rule, e.Section, e.Hint)
	}
	fmt.Println(err)
	// Output:
	// 15 fsegment 5 %7E
	// malformed ftp URL at byte 15: "~" is not allowed here; write %7E
}

func ExampleParser_Parse() {
	_, err := locator.RFC1738.Parse("http://[2001:db8::1]/~jim#top")
	fmt.Println(err != nil)

	u, err := locator.Current.Parse("http://[2001:db8::1]/~jim#top")
	if err != nil {
		fmt.Println(err)
		return
	}
	fragment, _ := u.Fragment()
	fmt.Println(u.Host(), fragment, u.Canonical())
	// Output:
	// true
	// [2001:db8::1] top http://[2001:db8::1]/%7Ejim
}

func ExampleMustParse() {
	fmt.Println(locator.MustParse("news:comp.infosystems.www.misc").Scheme())
	// Output: news
}

func ExampleParser_MustParse() {
	fmt.Println(locator.Current.MustParse("http://[2001:db8::1]/").Host())
	// Output: [2001:db8::1]
}

func ExampleAs() {
	u := locator.MustParse("ftp://myname@host.dom//etc/a%2Fb")
	if v, ok := locator.As[*locator.FTP](u); ok {
		fmt.Printf("%q %q\n", v.Dirs, v.Name.Or(""))
	}
	// Output: ["" "etc"] "a/b"
}

func ExampleURL_View() {
	switch v := locator.MustParse("gopher://host/7find%09two%20words").View().(type) {
	case *locator.Gopher:
		fmt.Printf("%s %s %q\n", v.Type.Or("1"), v.Selector.Or(""), v.Search.Or(""))
	case *locator.HTTP:
		fmt.Println(v.Segments)
	}
	// Output: 7 find "two words"
}

func ExampleURL_Parts() {
	for _, p := range locator.MustParse("prospero://host//pros/name;version=1").Parts() {
		switch p.Kind {
		case locator.PartText:
			fmt.Println(p.Name, p.Text.Or("(absent)"))
		case locator.PartList:
			fmt.Println(p.Name, p.List)
		case locator.PartPairs:
			fmt.Println(p.Name, p.Pairs)
		}
	}
	// Output:
	// name /pros/name
	// fields [{version 1}]
}

func ExampleURL_Redacted() {
	u := locator.MustParse("ftp://user:secret@host/file")
	fmt.Println(u.Redacted())
	fmt.Printf("%v %q\n", u, u)
	// Output:
	// ftp://user:****@host/file
	// ftp://user:****@host/file "ftp://user:****@host/file"
}

func ExampleRedact() {
	fmt.Println(locator.Redact("ftp://user:se cret@host/file"))
	// Output: ftp://user:****@host/file
}

func ExampleURL_Canonical() {
	fmt.Println(locator.MustParse("HTTP://WWW.Example.com:080/%7ejim/%41").Canonical())
	fmt.Println(locator.MustParse("gopher://host/1").Canonical())
	// Output:
	// http://www.example.com/%7Ejim/A
	// gopher://host/
}

func ExampleEqual() {
	a := locator.MustParse("file://localhost/etc/motd")
	fmt.Println(locator.Equal(a, locator.MustParse("FILE:///etc/%6Dotd")))
	fmt.Println(locator.Equal(a, locator.MustParse("file:///etc%2Fmotd")))
	// Output:
	// true
	// false
}

func ExampleBuild() {
	u, err := locator.Build(&locator.FTP{
		Login: locator.Login{User: locator.Some("jim"), Hostport: locator.Hostport{Host: "host.dom"}},
		Dirs:  []string{"/etc", "50% off"}, Name: locator.Some("motd"), Type: 'a',
	})
	fmt.Println(u, err)

	_, err = locator.Build(&locator.Gopher{
		Hostport: locator.Hostport{Host: "host"}, Type: locator.Some("0"), Selector: locator.Some("a\tb"),
	})
	fmt.Println(err)
	// Output:
	// ftp://jim@host.dom/%2Fetc/50%25%20off/motd;type=a <nil>
	// cannot build gopher URL: selector: a tab (0x09) ends this part, so the part cannot contain one; leave the tab out
}

func ExampleEncode() {
	fmt.Println(locator.Encode("50% off/a&b"))
	// Output: 50%25%20off%2Fa%26b
}

func ExampleDecodeStrict() {
	fmt.Println(locator.DecodeStrict("50%25%20off"))
	fmt.Println(locator.DecodeStrict("50% off"))
	// Output:
	// 50% off <nil>
	//  malformed URL at byte 2: "%" is not followed by two hexadecimal digits; write %25 for a percent sign, or %XX with two hexadecimal digits
}

func ExampleDecode() {
	fmt.Println(locator.Decode("a%20b%2Fc"))
	// Output: a b/c
}

func ExampleUnwrap() {
	url, cut := locator.Unwrap("<URL:ftp://ds.internic.net/rfc>")
	fmt.Println(url, cut)
	// Output: ftp://ds.internic.net/rfc 5
}

func ExampleDefaultPort() {
	fmt.Println(locator.DefaultPort("prospero"), locator.DefaultPort("mailto"))
	// Output: 1525 0
}

func ExampleSyntaxOf() {
	s := locator.SyntaxOf("telnet")
	fmt.Print(s.Port, " ", s.Section, s.Productions)
	// Output:
	// 23 3.8
	// telneturl      = "telnet://" login [ "/" ]
}

func ExampleSchemes() {
	for _, s := range locator.Schemes() {
		if s.Hierarchical {
			fmt.Print(s.Name, " ")
		}
	}
	// Output: ftp http file https ftps
}

func ExampleIsReserved() {
	name, ok := locator.IsReserved("cid")
	fmt.Println(name.Meaning, name.RFC, ok)
	// Output: Content identifiers for MIME body parts 2392 true
}

func ExampleReserved() {
	for _, r := range locator.Reserved() {
		if r.RFC != "" {
			fmt.Print(r.Name, " ")
		}
	}
	// Output: mid cid nfs tn3270 mailserver z39.50r z39.50s
}

func ExampleIsExperimental() {
	fmt.Println(locator.IsExperimental("x-echo"), locator.IsExperimental("echo"))
	// Output: true false
}

func ExampleParser_Prefix() {
	u, n, err := locator.Current.Prefix("ftp://host.dom/pub/motd;type=x is missing")
	fmt.Println(u, n, err)

	_, _, err = locator.Current.Prefix("http: the protocol")
	fmt.Println(err)
	// Output:
	// ftp://host.dom/pub/motd 23 <nil>
	// malformed http URL at byte 5: expected "//", found a space; put "//" after the scheme and its colon
}

// current parses a URL with Current, for examples.
func current(text string) locator.URL {
	u, err := locator.Current.Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}

func ExampleClause() {
	c := current("http://host.dom/~jim").Clauses()[0]
	fmt.Println(c.Section, c.Offset, c.What)
	// Output: RFC 3986 2.3 16 "~" without an escape
}

func ExampleURL_Clauses() {
	for _, c := range current("http://jim@[2001:db8::1]/#top").Clauses() {
		fmt.Printf("byte %d, %s: %s\n", c.Offset, c.Section, c.What)
	}
	// Output:
	// byte 7, RFC 3986 3.2.1: a user before the host
	// byte 11, RFC 3986 3.2.2: an IP literal as host
	// byte 25, RFC 3986 3.5: a fragment
}

func ExampleURL_ASCII() {
	fmt.Println(current("http://bücher.example/straße").ASCII())
	// Output: http://xn--bcher-kva.example/stra%C3%9Fe
}

func ExampleURL_ASCIIHost() {
	fmt.Println(current("http://B%C3%BCcher.example/").ASCIIHost(), current("http://１２７.0.0.1/").ASCIIHost())
	// Output: xn--bcher-kva.example 127.0.0.1
}

func ExampleURL_Readable() {
	fmt.Println(current("http://xn--bcher-kva.example/stra%C3%9Fe%20%E2%80%AE").Readable())
	// Output: http://bücher.example/straße%20%E2%80%AE
}

func ExampleURL_Resolve() {
	base := locator.MustParse("ftp://host.dom/pub/docs/index.txt;type=a")
	for _, ref := range []string{"../README", "/motd", "//other.dom/", "#top"} {
		fmt.Println(base.Resolve(ref))
	}
	_, err := locator.MustParse("gopher://host.dom/1/a").Resolve("b")
	fmt.Println(err)
	// Output:
	// ftp://host.dom/pub/README <nil>
	// ftp://host.dom/motd <nil>
	// ftp://other.dom/ <nil>
	// ftp://host.dom/pub/docs/index.txt;type=a#top <nil>
	// malformed gopher URL at byte 0: the base has no hierarchy that a relative reference could go by; write the whole URL
}

func ExampleURL_Relativize() {
	base := locator.MustParse("http://host.dom/pub/docs/index")
	fmt.Println(base.Relativize(locator.MustParse("http://host.dom/pub/motd?e")))
	fmt.Println(base.Relativize(locator.MustParse("http://host.dom/pub/../motd")))
	// Output:
	// ../motd?e true
	//  false
}

func ExampleNews_String() {
	v, _ := locator.As[*locator.News](current("news://jim:secret@host.dom/comp.lang.*"))
	fmt.Println(v.String())
	// Output: news://jim:****@host.dom/comp.lang.*
}

func ExampleNews_Format() {
	fmt.Printf("%v\n", locator.News{Kind: locator.NewsGroup, Group: "comp.lang.misc"})
	// Output: news:comp.lang.misc
}

func ExampleNNTP_String() {
	v, _ := locator.As[*locator.NNTP](current("nntp://jim:secret@host.dom/comp.lang.misc/1-"))
	fmt.Println(v.String())
	// Output: nntp://jim:****@host.dom/comp.lang.misc/1-
}

func ExampleNNTP_Format() {
	fmt.Printf("%v\n", locator.NNTP{Hostport: locator.Hostport{Host: "host.dom"}, Group: "comp.lang.misc"})
	// Output: nntp://host.dom/comp.lang.misc
}
