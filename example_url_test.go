package locator_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"locator"
)

func ExampleURL() {
	u, err := locator.Current.Parse("ftp://me:secret@host.dom:2121/pub/a%20b;type=i#top")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u)
	fmt.Println(u == locator.URL{}, u.IsZero())
	// Output:
	// ftp://me:****@host.dom:2121/pub/a%20b;type=i#top
	// false false
}

func ExampleURL_IsZero() {
	var none locator.URL
	fmt.Println(none.IsZero(), locator.MustParse("x:").IsZero())
	// Output: true false
}

func ExampleURL_Scheme() {
	fmt.Println(locator.MustParse("Gopher://host/").Scheme())
	// Output: gopher
}

func ExampleURL_SchemePart() {
	fmt.Println(locator.MustParse("prospero://host/name;v=1").SchemePart())
	fmt.Println(locator.MustParse("news:a@b.c").SchemePart())
	// Output:
	// //host/name;v=1
	// a@b.c
}

func ExampleURL_User() {
	for _, s := range []string{"ftp://host/", "ftp://@host/", "ftp://a%40b@host/"} {
		user, ok := locator.MustParse(s).User()
		fmt.Printf("%q %v\n", user, ok)
	}
	// Output:
	// "" false
	// "" true
	// "a%40b" true
}

func ExampleURL_Password() {
	for _, s := range []string{"ftp://me@host/", "ftp://me:@host/", "ftp://me:se%3Acret@host/"} {
		password, ok := locator.MustParse(s).Password()
		fmt.Printf("%q %v\n", locator.Decode(password), ok)
	}
	// Output:
	// "" false
	// "" true
	// "se:cret" true
}

func ExampleURL_HasHost() {
	for _, s := range []string{"http://host/", "file:///etc/motd", "mailto:a@b.c"} {
		u := locator.MustParse(s)
		fmt.Printf("%v %q\n", u.HasHost(), u.Host())
	}
	// Output:
	// true "host"
	// true ""
	// false ""
}

func ExampleURL_Host() {
	fmt.Println(locator.MustParse("http://WWW.Host.dom:80/").Host())
	// Output: WWW.Host.dom
}

func ExampleURL_Port() {
	fmt.Printf("%q\n", locator.MustParse("http://host:0080/").Port())
	fmt.Printf("%q\n", locator.MustParse("http://host/").Port())
	// Output:
	// "0080"
	// ""
}

func ExampleURL_PortNumber() {
	for _, s := range []string{"http://host/", "http://host:8080/", "http://host:99999/", "mailto:a@b.c"} {
		port, ok := locator.MustParse(s).PortNumber()
		fmt.Println(port, ok)
	}
	// Output:
	// 80 true
	// 8080 true
	// 0 false
	// 0 false
}

func ExampleURL_Path() {
	for _, s := range []string{"ftp://host", "ftp://host/", "ftp://host//etc", "http://host/a?b"} {
		path, ok := locator.MustParse(s).Path()
		fmt.Printf("%q %v\n", path, ok)
	}
	// Output:
	// "" false
	// "" true
	// "/etc" true
	// "a" true
}

func ExampleURL_Search() {
	for _, s := range []string{"http://host/a", "http://host/a?", "http://host/a?b+c"} {
		search, ok := locator.MustParse(s).Search()
		fmt.Printf("%q %v\n", search, ok)
	}
	// Output:
	// "" false
	// "" true
	// "b+c" true
}

func ExampleURL_Fragment() {
	u, err := locator.Current.Parse("http://host/a#top")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u.Fragment())
	// Output: top true
}

func ExampleURL_WithoutFragment() {
	u, err := locator.Current.Parse("http://host/a#top")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u.WithoutFragment())
	// Output: http://host/a
}

func ExampleURL_Text() {
	u := locator.MustParse("ftp://me:secret@host/")
	fmt.Println(u.Text()) // to send or to store, not to print
	fmt.Println(u)
	// Output:
	// ftp://me:secret@host/
	// ftp://me:****@host/
}

func ExampleURL_String() {
	fmt.Println(locator.MustParse("ftp://me:secret@host/").String())
	// Output: ftp://me:****@host/
}

func ExampleURL_GoString() {
	fmt.Printf("%#v\n", locator.MustParse("ftp://me:secret@host/"))
	// Output: locator.URL{"ftp://me:****@host/"}
}

func ExampleURL_Format() {
	u := locator.MustParse("ftp://me:secret@host/")
	fmt.Printf("%v|%24s|%q|%d\n", u, u, u, u)
	// Output: ftp://me:****@host/|     ftp://me:****@host/|"ftp://me:****@host/"|%!d(locator.URL{"ftp://me:****@host/"})
}

func ExampleURL_Hierarchical() {
	fmt.Println(locator.MustParse("ftp://host/a/b").Hierarchical())
	fmt.Println(locator.MustParse("gopher://host/1a/b").Hierarchical())
	// Output:
	// true
	// false
}

func ExampleURL_JoinPath() {
	base := locator.MustParse("ftp://host/pub;type=d")
	u, err := base.JoinPath("a/b", "50% off")
	fmt.Println(u, err)
	dir, err := base.JoinPath("new", "")
	fmt.Println(dir, err)
	// Output:
	// ftp://host/pub/a%2Fb/50%25%20off <nil>
	// ftp://host/pub/new/ <nil>
}

func ExampleParser() {
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		_, err := p.Parse("http://host/~jim")
		fmt.Println(p.Name(), err == nil)
	}
	// Output:
	// rfc1738 false
	// current true
}

func ExampleParser_Name() {
	fmt.Println(locator.RFC1738.Name(), locator.Current.Name())
	// Output: rfc1738 current
}

func ExampleSyntaxError_Error() {
	_, err := locator.Parse("ftp://me:sec ret@host/")
	fmt.Println(err.Error()) // the error does not contain the password
	_, err = locator.Parse("http://host/a b")
	fmt.Println(err.Error())
	// Output:
	// malformed ftp URL at byte 12: a byte of the password must be escaped; write it as %XX, with two hexadecimal digits
	// malformed http URL at byte 13: a space is not allowed here; write %20
}

func ExampleURL_WithSearch() {
	u := locator.MustParse("http://host.dom/a%2Bb?x=%26")
	fmt.Println(u.WithSearch(locator.Some("y=%2B"))) // the rest is unchanged
	fmt.Println(u.WithSearch(locator.Optional{}))
	_, err := u.WithSearch(locator.Some("a#b"))
	fmt.Println(err)
	// Output:
	// http://host.dom/a%2Bb?y=%2B <nil>
	// http://host.dom/a%2Bb <nil>
	// cannot build http URL: search: the new part holds a delimiter of another; escape it
}

func ExampleURL_WithFragment() {
	fmt.Println(locator.MustParse("http://host.dom/a").WithFragment(locator.Some("top")))
	// Output: http://host.dom/a#top <nil>
}

func ExampleURL_WithPath() {
	u := locator.MustParse("http://host.dom/a%2Bb?x=%26")
	fmt.Println(u.WithPath(locator.Some("c/" + locator.Encode("50% off"))))
	// Output: http://host.dom/c/50%25%20off?x=%26 <nil>
}

func ExampleURL_WithUser() {
	u := locator.MustParse("ftp://host.dom/%2Fetc/motd")
	fmt.Println(u.WithUser(locator.Some(locator.Encode("me@home")), locator.Optional{}))
	// Output: ftp://me%40home@host.dom/%2Fetc/motd <nil>
}

func ExampleURL_WithPort() {
	u := locator.MustParse("http://host.dom:8080/a")
	fmt.Println(u.WithPort("81"))
	fmt.Println(u.WithPort(""))
	// Output:
	// http://host.dom:81/a <nil>
	// http://host.dom/a <nil>
}

func ExampleURL_WithoutDefaults() {
	fmt.Println(locator.MustParse("HTTP://host.dom:80/%7Ejim").WithoutDefaults())
	fmt.Println(locator.MustParse("gopher://host.dom:70/1").WithoutDefaults())
	// Output:
	// HTTP://host.dom/%7Ejim
	// gopher://host.dom
}

func ExampleURL_WithoutPlus() {
	fmt.Println(locator.MustParse("gopher://host.dom/0/about.txt%09%09+").WithoutPlus())
	// Output: gopher://host.dom/0/about.txt
}

func ExampleURL_Query() {
	u := locator.MustParse("http://host.dom/find?q=red+wine&n=3")
	for _, p := range u.Query() {
		fmt.Printf("%s: %s\n", p.Name, p.Value)
	}
	// Output:
	// q: red wine
	// n: 3
}

func ExampleURL_QueryValue() {
	u := locator.MustParse("http://host.dom/find?q=red+wine&n=3")
	fmt.Println(u.QueryValue("q"))
	fmt.Println(u.QueryValue("page"))
	// Output:
	// red wine true
	//  false
}

func ExampleURL_WithQuery() {
	u := locator.MustParse("http://host.dom/find?q=red+wine")
	fmt.Println(u.WithQuery(append(u.Query(), locator.Pair{Name: "sort", Value: "a&b"})...))
	fmt.Println(u.WithQuery())
	// Output:
	// http://host.dom/find?q=red%20wine&sort=a%26b <nil>
	// http://host.dom/find <nil>
}

func ExampleURL_WithHost() {
	fmt.Println(locator.MustParse("http://host.dom:80/%26").WithHost("[2001:db8::1]", "8080"))
	// Output: http://[2001:db8::1]:8080/%26 <nil>
}

func ExampleURL_WithScheme() {
	fmt.Println(locator.MustParse("http://host.dom/%26?%26").WithScheme("https"))
	fmt.Println(locator.MustParse("http://host.dom:80/").WithScheme("https")) // without the default port of http
	// Output:
	// https://host.dom/%26?%26 <nil>
	// https://host.dom/ <nil>
}

func ExampleURL_PasswordSpans() {
	u := locator.Current.MustParse("http://me:secret@archive.example/http://you:hidden@host.example/")
	for begin, end := range u.PasswordSpans() {
		fmt.Println(u.Text()[begin:end])
	}
	fmt.Println(u)
	// Output:
	// secret
	// hidden
	// http://me:****@archive.example/http://you:****@host.example/
}

func ExamplePasswordSpans() {
	const text = "ftp://user:se cret@host/file"
	for begin, end := range locator.PasswordSpans(text) {
		fmt.Println(text[begin:end])
	}
	// Output: se cret
}

func ExampleURL_Segments() {
	for _, text := range []string{"ftp://host.dom/pub/a%2Fb/;type=d", "http://host.dom/a/b?c", "gopher://host.dom/0/a/b"} {
		segments, ok := locator.MustParse(text).Segments()
		fmt.Printf("%q %v\n", segments, ok)
	}
	// Output:
	// ["pub" "a/b" ""] true
	// ["a" "b"] true
	// [] false
}

func ExampleURL_MarshalText() {
	type mirror struct {
		Name string      `json:"name"`
		URL  locator.URL `json:"url"`
	}
	text, err := json.Marshal(mirror{"home", locator.MustParse("ftp://me:secret@host/pub/")})
	fmt.Println(string(text), err)
	// Output: {"name":"home","url":"ftp://me:secret@host/pub/"} <nil>
}

func ExampleURL_UnmarshalText() {
	var list []locator.URL
	err := json.Unmarshal([]byte(`["gopher://host/1", "http://host/~jim"]`), &list)
	fmt.Println(list, err)

	err = json.Unmarshal([]byte(`["http://host/a b"]`), &list)
	fmt.Println(err)
	// Output:
	// [gopher://host/1 http://host/~jim] <nil>
	// malformed http URL "http://host/a b" at byte 13: a space is not allowed here; write %20
}

func ExampleURL_MarshalBinary() {
	data, err := locator.MustParse("wais://host/db").MarshalBinary()
	fmt.Printf("%s %v\n", data, err)
	// Output: wais://host/db <nil>
}

func ExampleURL_UnmarshalBinary() {
	var sent bytes.Buffer
	err := gob.NewEncoder(&sent).Encode(locator.MustParse("wais://host/db"))
	var u locator.URL
	fmt.Println(err, gob.NewDecoder(&sent).Decode(&u), u)
	// Output: <nil> <nil> wais://host/db
}

func ExampleURL_AppendText() {
	b, err := locator.MustParse("news:*").AppendText([]byte("all: "))
	fmt.Println(string(b), err)
	// Output: all: news:* <nil>
}

func ExampleURL_Set() {
	base := locator.MustParse("ftp://host/")
	flags := flag.NewFlagSet("mirror", flag.ContinueOnError)
	flags.Var(&base, "base", "the base URL")
	err := flags.Parse([]string{"-base", "ftp://me:secret@other/pub/"})
	fmt.Println(base, err)
	// Output: ftp://me:****@other/pub/ <nil>
}

func ExampleURL_Value() {
	for _, u := range []locator.URL{locator.MustParse("ftp://me:secret@host/"), {}} {
		fmt.Println(u.Value()) // database/sql passes this to the database
	}
	// Output:
	// ftp://me:secret@host/ <nil>
	// <nil> <nil>
}

func ExampleURL_Scan() {
	var u locator.URL
	err := u.Scan([]byte("wais://host/db?q")) // database/sql calls it for a column
	fmt.Println(u, err)
	err = u.Scan(1738)
	fmt.Println(u, err)
	// Output:
	// wais://host/db?q <nil>
	// wais://host/db?q locator: a column of int holds no URL: store it as text
}

func ExampleURL_LogValue() {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	log.Info("read", "url", locator.MustParse("ftp://me:secret@host/motd"))
	// Output: level=INFO msg=read url=ftp://me:****@host/motd
}
