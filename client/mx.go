package client

import (
	"context"
	"errors"
	"net"
)

// mx is Env.MX.
func (c *Client) mx(ctx context.Context, domain string) ([]*net.MX, error) {
	list, err := c.opt.Resolver.LookupMX(ctx, domain)
	if dns, ok := errors.AsType[*net.DNSError](err); len(list) > 0 || !ok || !dns.IsNotFound {
		return list, err
	}
	if _, e := c.opt.Resolver.LookupHost(ctx, domain); e != nil {
		return nil, err
	}
	return []*net.MX{{Host: domain}}, nil
}
