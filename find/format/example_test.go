package format_test

import (
	"context"
	"fmt"
	"strings"

	"locator/find"
	"locator/find/format"
)

func ExampleFormat_Read() {
	source := "The [RFC](http://host/rfc1738) says\n`<URL:http://host/>`.\n"
	for u, err := range format.Lookup("markdown").Read(context.Background(), strings.NewReader(source), format.Options{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(u.Line, u.Column, u.Form, u.URL, source[u.Offset:u.Offset+u.Length])
	}
	// Output:
	// 1 11 attr http://host/rfc1738 http://host/rfc1738
	// 2 2 wrapped http://host/ <URL:http://host/>
}

func ExampleDetect() {
	for _, name := range []string{"README.md", "index.html", "notes", "photo"} {
		head := map[string]string{"notes": "To do:\n", "photo": "\xFF\xD8\x00"}[name] // of the file
		if f := format.Detect(name, []byte(head)); f != nil {
			fmt.Println(name, f.Name())
		} else {
			fmt.Println(name, "is binary")
		}
	}
	// Output:
	// README.md markdown
	// index.html html
	// notes text
	// photo is binary
}

func ExampleLookup() {
	f := format.Lookup("HTML")
	fmt.Println(f.Name())
	fmt.Println(format.Lookup("docx"))
	// Output:
	// html
	// <nil>
}

func ExampleAll() {
	for _, f := range format.All() {
		fmt.Print(f.Name(), " ")
	}
	// Output: markdown html paged mbox mail json roff tex calendar properties po csv pdf text
}

func ExampleOptions() {
	source := `<p>www.host.example <a href="relative">x</a>`
	o := format.Options{Finder: &find.Finder{Web: true}}
	for u, err := range format.Lookup("html").Read(context.Background(), strings.NewReader(source), o) {
		fmt.Println(u.URL, err)
	}
	// Output: http://www.host.example <nil>
}

func ExamplePosition() {
	fmt.Println(format.Exact, format.Around, format.Extracted)
	// Output: exact around extracted
}

func ExampleFind() {
	source := `<base href="http://host/a/"><a href="b">b</a>`
	for u := range format.Lookup("html").Read(context.Background(), strings.NewReader(source), format.Options{}) {
		fmt.Printf("%s %q\n", u.URL, u.Reference)
	}
	// Output:
	// http://host/a/ ""
	// http://host/a/b "b"
}
