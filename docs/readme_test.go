//lint:file-ignore SA4006 the sample is as short as README shows it

package docs_test

import (
	"context"
	"fmt"
	"net/http"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
)

// readme is the sample of README.md.
func readme(ctx context.Context) {
	u, err := locator.Parse("ftp://myname@host.dom/%2Fetc/motd") // RFC 1738, exactly; no allocation
	if v, ok := locator.As[*locator.FTP](u); ok {
		fmt.Println(v.Dirs) // [/etc]: the path is split before it is decoded
	}

	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	f, err := c.Open(ctx, "ftp://host.dom/pub/README")          // an io.ReadCloser
	res, err := c.Access(ctx, scheme.Request{URL: u}, nil)      // res.Kind: object, listing, query, ...
	web := &http.Client{Transport: c.Transport()}               // an http.Client for ftp:, gopher: and file: too
	tree := c.FS(ctx, locator.MustParse("ftp://host.dom/pub/")) // an io/fs.FS

	_, _, _, _, _ = f, res, err, web, tree
}

// Example_readme runs the sample of README.md with a context that has ended, so that nothing is connected to.
func Example_readme() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	readme(ctx)
	// Output: [/etc]
}
