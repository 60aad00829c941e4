package upload_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/upload"
)

// An upload to a local file, which is replaced completely or not at all.
func ExamplePut() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()

	u := locator.MustParse("file://" + filepath.ToSlash(dir) + "/motd")
	out, err := upload.Put(context.Background(), c, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("hello\n")}, upload.Options{Retries: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer out.Resource.Close()
	fmt.Println(out.Bytes, "bytes")
	// Output: 6 bytes
}

// A folder is uploaded, and then once more: nothing is left to do.
func ExampleTree() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	site := filepath.Join(dir, "site")
	if err := os.CopyFS(site, os.DirFS("testdata/site")); err != nil {
		log.Fatal(err)
	}
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()

	u := locator.MustParse("file://" + filepath.ToSlash(dir) + "/www/")
	for range 2 {
		err := upload.Tree(context.Background(), c, scheme.Request{URL: u}, site, upload.TreeOptions{
			Ended: func(it upload.Item, r upload.Result) { fmt.Println(strings.Join(it.Names, "/"), r.Action) },
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	//  made
	// index.html stored
	// img made
	// img/logo.svg stored
	// index.html current
	// img/logo.svg current
}
