package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

func (a *app) attrCommand() *cobra.Command {
	var details bool
	cmd := &cobra.Command{
		Use:   "attr [URL ...]",
		Short: "Print attributes without the content",
		Long:  "attr prints the attributes of a resource without reading it: size, date, type, and those of the protocol.",
		RunE:  func(cmd *cobra.Command, args []string) error { return a.attr(cmd.Context(), args, details) },
	}
	cmd.Flags().BoolVar(&details, "details", false, "also information about the server (gopher caps.txt) and a checksum of the content (ftp HASH and others); takes more requests")
	return cmd
}

func (a *app) attr(ctx context.Context, args []string, details bool) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	c, err := a.client()
	if err != nil {
		return err
	}
	defer c.Close()
	n := 0
	return a.urls(ctx, args, func(text string) error {
		u, err := a.read(c, text)
		if err == nil {
			var res *scheme.Resource
			r := scheme.Request{URL: u.WithoutFragment()}
			if res, err = c.Attributes(ctx, r, &scheme.AttributesOptions{Accept: a.flags.acceptOptions(), ServerInfo: details}); err == nil {
				attr := res.Attr
				var missing error // of the checksum; the other attributes are printed
				if details {
					missing = addDigest(ctx, c, r, &attr)
				}
				if n++; n > 1 && !a.flags.json {
					fmt.Fprintln(a.Out)
				}
				if err = a.printAttr(u, attr); err == nil {
					err = missing
				}
			}
		}
		if err != nil {
			a.fail(err)
		}
		return ctx.Err()
	})
}

// addDigest adds the server's checksum of the content.
func addDigest(ctx context.Context, c *client.Client, r scheme.Request, attr *scheme.Attr) error {
	algorithm, value, err := c.Digest(ctx, r)
	if value != "" {
		attr.More = append(attr.More, scheme.Attribute{Block: "digest", Name: algorithm, Value: value})
	}
	return err
}

// jsonAttr is the object of attr --json. An unknown value is null.
type jsonAttr struct {
	URL        octets          `json:"url"`
	Size       *int64          `json:"size"`
	Modified   *octets         `json:"modified"`
	Type       *octets         `json:"type"`
	ETag       *octets         `json:"etag"`
	Attributes []jsonAttribute `json:"attributes"`
}

type jsonAttribute struct {
	Name  octets  `json:"name"`
	Value octets  `json:"value"`
	Block *octets `json:"block"`
}

func (a *app) printAttr(u locator.URL, attr scheme.Attr) error {
	if a.flags.json {
		j := jsonAttr{URL: octets(u.Redacted()), Size: count(attr.Size), Modified: orNull(timeText(attr.Modified)),
			Type: orNull(attr.Type), ETag: orNull(attr.ETag), Attributes: []jsonAttribute{}}
		for _, m := range attr.More {
			j.Attributes = append(j.Attributes, jsonAttribute{octets(m.Name), octets(m.Value), orNull(m.Block)})
		}
		line, err := marshal(j)
		if err != nil {
			return err
		}
		_, err = a.Out.Write(append(line, '\n'))
		return outputError(err)
	}
	b := appendPair(nil, "url", u.Redacted())
	if n, ok := attr.Size.Get(); ok {
		b = appendPair(b, "size", strconv.FormatInt(n, 10))
	}
	for _, p := range [][2]string{{"modified", timeText(attr.Modified)}, {"type", attr.Type}, {"etag", attr.ETag}} {
		if p[1] != "" {
			b = appendPair(b, p[0], p[1])
		}
	}
	for _, m := range attr.More {
		name := m.Name
		if m.Block != "" && m.Block != name {
			name = m.Block + " " + name
		}
		b = appendPair(b, name, m.Value)
	}
	_, err := a.Out.Write(b)
	return outputError(err)
}

func appendPair(b []byte, name, value string) []byte {
	return fmt.Appendf(b, "%-14s %s\n", safe(name), safe(value))
}
