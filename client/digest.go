package client

import (
	"context"

	"locator/scheme"
)

// Digest asks for a digest of the content of what r locates, for which the peer may have to read all of it. Both are ""
// where the scheme or the peer has no word for that; see [scheme.Attr.Digest] for the names of algorithms.
func (c *Client) Digest(ctx context.Context, r scheme.Request) (algorithm, value string, err error) {
	_, s, err := c.begin("attributes", r)
	if err != nil {
		return "", "", err
	}
	if _, ok := s.(scheme.Digester); !ok {
		return "", "", nil
	}
	r.Digest = true
	attr, err := c.Attributes(ctx, r)
	if err != nil {
		return "", "", err
	}
	algorithm, value = attr.Digest()
	return algorithm, value, nil
}
