package download_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"locator"
	"locator/client"
	"locator/download"
	"locator/scheme"
	"locator/scheme/all"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
	"locator/transfer"
	"locator/tree"
)

// tempDir returns a folder for an example, and a function that removes it.
func tempDir() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "download-example-")
	if err != nil {
		log.Fatal(err)
	}
	return dir, func() { os.RemoveAll(dir) }
}

// ftpServer returns the URL of a local ftp server with one folder of two files, and a function that stops it.
func ftpServer() (locator.URL, func()) {
	s, err := ftptest.Start([]peer.File{
		{Path: []string{"docs", "README"}, Content: "read me\n"},
		{Path: []string{"docs", "sub", "CON.txt"}, Content: "a device name on Windows\n"},
	})
	if err != nil {
		log.Fatal(err)
	}
	return s.URL("docs", ""), s.Close
}

func ExampleFetch() {
	docs, stop := ftpServer()
	defer stop()
	dir, remove := tempDir()
	defer remove()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	f, err := download.OpenFile(filepath.Join(dir, "README"))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	readme, err := docs.JoinPath("README")
	if err != nil {
		log.Fatal(err)
	}
	out, err := download.Fetch(context.Background(), c, scheme.Request{URL: readme}, f, download.Options{Resume: true, Retries: 2})
	if err != nil {
		log.Fatal(err) // out.Resumable reports whether a later Fetch can continue
	}
	fmt.Println(filepath.Base(f.Path()), out.Bytes, "bytes, up to date before:", out.UpToDate)
	// Output: README 8 bytes, up to date before: false
}

func ExampleMirror() {
	docs, stop := ftpServer()
	defer stop()
	dir, remove := tempDir()
	defer remove()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	to, err := download.OpenFolder(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer to.Close()
	if err := to.UseIndex(); err != nil { // so that the next run knows what each file is
		log.Fatal(err)
	}
	err = download.Mirror(context.Background(), c, scheme.Request{URL: docs}, to, download.MirrorOptions{
		Options: download.Options{Existing: download.Update, Resume: true},
		Queue:   transfer.Queue{Parallel: 4, PerHost: 2},

		Failed: func(u locator.URL, err error) { log.Print(err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"README", "sub/CON.txt"} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		fmt.Printf("%s: %s", name, text)
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// README: read me
	// sub/CON.txt: a device name on Windows
}

func ExampleMirror_dryRun() {
	docs, stop := ftpServer()
	defer stop()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	dir, remove := tempDir()
	defer remove()
	to, err := download.OpenFolder(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer to.Close()
	o := download.MirrorOptions{
		Want:   func(v tree.Visit) bool { return strings.HasSuffix(v.Entry.Name, ".txt") },
		DryRun: func(v tree.Visit) { fmt.Println(strings.Join(v.Path, "/")) },
	}
	if err := download.Mirror(context.Background(), c, scheme.Request{URL: docs}, to, o); err != nil {
		log.Fatal(err)
	}
	// Output: sub/CON.txt
}

func ExampleFolder_File() {
	dir, remove := tempDir()
	defer remove()
	to, err := download.OpenFolder(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer to.Close()
	to.Portable = true
	for _, names := range [][]string{{"a.txt"}, {"A.TXT"}, {"..", "passwd"}} { // as a server gave them
		f, err := to.File(locator.MustParse("ftp://ftp.example.org/a.txt"), names)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		name, err := filepath.Rel(dir, f.Path())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(filepath.ToSlash(name))
	}
	// Output:
	// a.txt
	// A~2.TXT
	// index/passwd
}

func ExampleWrite() {
	dir, remove := tempDir()
	defer remove()
	f, err := download.OpenFile(filepath.Join(dir, "list.txt"))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	_, err = download.Write(f, 0, func(w io.Writer) (int64, error) {
		n, err := io.WriteString(w, "the first lines")
		return int64(n), errors.Join(err, errors.New("the source failed"))
	})
	_, missing := os.Stat(f.Path())
	fmt.Println(err, os.IsNotExist(missing))
	// Output: the source failed true
}
