package client

import (
	"context"
	"errors"
	"net"
)

// mx implements Env.MX. A domain that has an address but no MX record is its own mail server
// (RFC 5321 5.1).
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
