package client

import (
	"context"
	"io"

	"locator/scheme"
)

// Open parses a URL and opens the file there for reading. It is Parse and Access without options:
// use those for options, and for what the server says about the file. The error says what the URL
// locates if that is not a file, such as a directory. The caller must Close the file.
func (c *Client) Open(ctx context.Context, url string) (io.ReadCloser, error) {
	u, err := c.Parse(url)
	if err != nil {
		return nil, err
	}
	res, err := c.Access(ctx, scheme.Request{URL: u}, nil)
	if err != nil {
		return nil, err
	}
	if b, none := res.Body.(noBody); none {
		res.Close()
		return nil, b.err
	}
	return opened{res}, nil
}

// opened is the body of a resource. Its Close closes the resource.
type opened struct{ res *scheme.Resource }

func (o opened) Read(p []byte) (int, error)         { return o.res.Body.Read(p) }
func (o opened) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, o.res.Body) }
func (o opened) Close() error                       { return o.res.Close() }
