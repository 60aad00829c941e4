package client

import (
	"context"

	"locator/scheme"
)

// Digest asks for a digest of the content of what r locates, for which the peer may have to read all of it. Both results
// are "" where the scheme or the peer has no word for that; [scheme.Digester] has the names of algorithms.
func (c *Client) Digest(ctx context.Context, r scheme.Request) (algorithm, value string, err error) {
	op, s, err := c.begin("attributes", r)
	if err != nil {
		return "", "", err
	}
	d, ok := s.(scheme.Digester)
	if !ok {
		return "", "", nil
	}
	algorithm, value, err = d.Digest(ctx, op.env(), r)
	if err != nil {
		return "", "", op.wrap(ctx, err)
	}
	return algorithm, value, nil
}
