package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"strings"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// ftpServer returns the URL of the folder docs on a local ftp server, and a function that stops the server.
func ftpServer() (locator.URL, func()) {
	s, err := ftptest.Start([]peer.File{
		{Path: []string{"docs", "motd"}, Content: "welcome\n"},
		{Path: []string{"docs", "old", "motd"}, Content: "welcome back\n"},
	})
	if err != nil {
		log.Fatal(err)
	}
	return s.URL("docs", ""), s.Close
}

func Example() {
	docs, stop := ftpServer()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry()}) // every scheme
	defer c.Close()

	u, err := docs.JoinPath("motd")
	if err != nil {
		log.Fatal(err)
	}
	res, err := c.Access(context.Background(), scheme.Request{URL: u}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Close()
	if res.Kind != scheme.KindObject { // a listing, a form, ...
		log.Fatal(res)
	}
	text, err := io.ReadAll(res.Body)
	fmt.Printf("%s %q %v\n", res.Kind, text, err)
	// Output: object "welcome\n" <nil>
}

func ExampleClient_Open() {
	docs, stop := ftpServer()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()

	f, err := c.Open(context.Background(), docs.Text()+"motd")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	fmt.Printf("%q %v\n", text, err)

	_, err = c.Open(context.Background(), docs.Text())
	fmt.Println(client.CodeOf(err))
	// Output:
	// "welcome\n" <nil>
	// unsupported
}

func ExampleClient_List() {
	docs, stop := ftpServer()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for e, err := range client.Entries(c.List(context.Background(), scheme.Request{URL: docs}, nil)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Kind, e.Name, e.Attr.Size)
	}
	// Unordered output:
	// object motd 8
	// listing old unknown
}

func ExampleClient_Replace() {
	docs, stop := ftpServer()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry(), Logins: []scheme.LoginFunc{client.FixedLogin(ftptest.Alice, ftptest.Password)}})
	defer c.Close()
	ctx := context.Background()
	u, err := docs.JoinPath("new.txt")
	if err != nil {
		log.Fatal(err)
	}
	res, err := c.Replace(ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("news\n"), Size: scheme.Known(5)}, nil)
	if err != nil {
		log.Fatal(err)
	}
	res.Close()

	// Rename replaces nothing, and Remove says what is not there.
	motd, _ := docs.JoinPath("motd")
	fmt.Println(errors.Is(c.Rename(ctx, scheme.Request{URL: u}, motd), fs.ErrExist))
	fmt.Println(c.Remove(ctx, scheme.Request{URL: u}))
	fmt.Println(errors.Is(c.Remove(ctx, scheme.Request{URL: u}), fs.ErrNotExist))
	// Output:
	// true
	// <nil>
	// true
}

func ExampleClient_FS() {
	docs, stop := ftpServer()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	text, err := fs.ReadFile(c.FS(context.Background(), docs), "old/motd")
	fmt.Printf("%q %v\n", text, err)
	// Output: "welcome back\n" <nil>
}

func ExampleClient_Transport() {
	docs, stop := ftpServer()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	web := &http.Client{Transport: c.Transport()}
	resp, err := web.Get(docs.Text() + "motd") // ftp
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	fmt.Printf("%s %q %v\n", resp.Status, text, err)
	// Output: 200 OK "welcome\n" <nil>
}

func ExampleCodeOf() {
	docs, stop := ftpServer()
	defer stop()
	missing, err := docs.JoinPath("missing")
	if err != nil {
		log.Fatal(err)
	}
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	_, err = c.Access(context.Background(), scheme.Request{URL: missing}, nil)
	fmt.Println(client.CodeOf(err), errors.Is(err, fs.ErrNotExist))

	// A client for URLs from others connects to public addresses only.
	careful := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers()})
	defer careful.Close()
	_, err = careful.Access(context.Background(), scheme.Request{URL: docs}, nil)
	fmt.Println(client.CodeOf(err), errors.Is(err, fs.ErrPermission))
	// Output:
	// not found true
	// refused by policy true
}

func ExampleClient_Preflight() {
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	u := locator.MustParse("ftp://host.dom/a%0D%0ADELE%20b")
	err := c.Preflight(scheme.OpAccess, scheme.Request{URL: u}) // connects to nothing
	fmt.Println(client.CodeOf(err))
	// Output: refused by policy
}
