package client

import (
	"context"

	"locator"
	"locator/scheme"
)

// May reports whether an operation of that name would begin: "access", "update" or "replace". The scheme is known and
// able, policy lets the URL pass, and its parts can be sent. Nothing is looked up or connected to. The error is what the
// operation would give.
func (c *Client) May(name string, u locator.URL) error {
	op, s, err := c.begin(name, scheme.Request{URL: u})
	if err != nil {
		return err
	}
	able := true
	switch name {
	case "update":
		_, able = s.(scheme.Updater)
	case "replace":
		_, able = s.(scheme.Replacer)
	}
	if !able {
		return op.wrap(context.Background(), unsupported(s, name))
	}
	if x, ok := s.(scheme.Explainer); ok {
		if _, err := x.Steps(u); err != nil {
			return op.wrap(context.Background(), err)
		}
	}
	return nil
}
