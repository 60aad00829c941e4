package locator_test

import (
	"fmt"

	"locator"
)

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
