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
