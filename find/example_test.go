package find_test

import (
	"fmt"
	"strings"

	"locator"
	"locator/find"
)

const example = "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\ntype=d> (also at http://info.cern.ch/)."

func ExampleFinder_All() {
	var f find.Finder
	for u := range f.All(example) {
		fmt.Printf("%d:%d %s %s\n", u.Line, u.Column, u.Form, u.URL)
	}
	// Output:
	// 1:28 wrapped ftp://info.cern.ch/pub/www/doc;type=d
	// 2:18 bare http://info.cern.ch/
}

func ExampleFinder_Split() {
	var f find.Finder
	for p := range f.Split("see http://info.cern.ch/, or <ftp://ds.internic.net/rfc>") {
		if p.IsURL {
			fmt.Printf("<a href=%q>%s</a>\n", p.Find.Text(), p.Find.URL)
		} else {
			fmt.Printf("%q\n", p.Text)
		}
	}
	// Output:
	// "see "
	// <a href="http://info.cern.ch/">http://info.cern.ch/</a>
	// ", or "
	// <a href="ftp://ds.internic.net/rfc">ftp://ds.internic.net/rfc</a>
}

func ExampleFinder_Read() {
	f := find.Finder{Mail: true}
	for u, err := range f.Read(strings.NewReader(example)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(u.Offset, u.Length, u.Text())
	}
	// Output:
	// 27 44 ftp://info.cern.ch/pub/www/doc;type=d
	// 81 20 http://info.cern.ch/
}

func ExampleFind_Text() {
	var f find.Finder
	for u := range f.All("<URL:http://ds.internic.\nnet/instructions/overview.html#WARNING>") {
		fmt.Println(u.URL)
		fmt.Println(u.Fragment.Get())
		fmt.Println(u.Text())
	}
	// Output:
	// http://ds.internic.net/instructions/overview.html
	// WARNING true
	// http://ds.internic.net/instructions/overview.html#WARNING
}

func ExampleForm_String() {
	fmt.Println(find.Wrapped, find.Prefixed, find.Angled, find.Bare, find.Attr)
	// Output: wrapped prefixed angled bare attr
}

func ExampleWrap() {
	u := locator.MustParse("ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt")
	fmt.Println(find.Wrap(u, 40))
	// Output:
	// <URL:ftp://ds.internic.net/internet-draf
	// ts/draft-ietf-uri-irl-fun-req-02.txt>
}

func ExampleFinder_Bytes() {
	buf := []byte("<ftp://ds.internic.net/rfc/rfc1738.txt>")
	var f find.Finder
	for u := range f.Bytes(buf) {
		clear(buf) // u stays the same
		fmt.Println(u.Form, u.URL)
	}
	// Output: angled ftp://ds.internic.net/rfc/rfc1738.txt
}
