package docs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"locator/client"
	"locator/download"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

func Example_download() {
	pub, stop := serve()
	defer stop()
	ctx := context.Background()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	motd, err := pub.JoinPath("motd")
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "locator-docs-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	f, err := download.OpenFile(filepath.Join(dir, "motd"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	out, err := download.Fetch(ctx, c, scheme.Request{URL: motd}, f, download.Options{Resume: true, Retries: 2})
	fmt.Println(out.Bytes, err)
	// Output: 8 <nil>
}

func Example_policy() {
	pub, stop := serve()
	defer stop()
	ctx := context.Background()

	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers()})
	defer c.Close()
	_, err := c.Access(ctx, scheme.Request{URL: pub}, nil) // a server on this machine
	fmt.Println(client.CodeOf(err))
	// Output: refused by policy
}
