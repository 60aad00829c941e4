package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

func (a *app) attrCommand() *cobra.Command {
	var details, probe bool
	cmd := &cobra.Command{
		Use:   "attr [URL ...]",
		Short: "Print attributes without the content",
		Example: "  locator attr ftp://ftp.example.org/pub/README\n" +
			"  locator attr mailto:ann@example.org\n" +
			"  locator attr --json http://www.example.org/",
		Long: "attr prints the attributes of a resource without reading it: size, date, type, and those of the protocol. For a\n" +
			"mailto URL it prints the mail exchangers of the domains.",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.attr(cmd.Context(), args, details, probe) },
	}
	cmd.Flags().BoolVar(&details, "details", false, "also information about the server (gopher caps.txt) and a checksum of the content (ftp HASH and others); takes more requests")
	cmd.Flags().BoolVar(&probe, "probe", false, "ask the mail exchanger of a mailto URL whether the recipients exist; no mail is sent")
	a.listFlag(cmd)
	return cmd
}

func (a *app) attr(ctx context.Context, args []string, details, probe bool) error {
	n := 0
	return a.accessURLs(ctx, args, func(ctx context.Context, c *client.Client, u locator.URL) error {
		r := scheme.Request{URL: u}
		res, err := c.Attributes(ctx, r, &scheme.AttributesOptions{Accept: a.flags.acceptOptions(), ServerInfo: details, Verify: probe})
		if err != nil {
			return err
		}
		a.notes(res)
		var missing error // of the checksum; the other attributes are printed
		if details {
			var algorithm, value string
			if algorithm, value, missing = c.Digest(ctx, r); value != "" {
				res.Attr.More = append(res.Attr.More, scheme.Attribute{Block: "digest", Name: algorithm, Value: value})
			}
		}
		if n++; n > 1 && !a.flags.json {
			fmt.Fprintln(a.Out)
		}
		if err := a.printAttr(u, res.Attr); err != nil {
			return err
		}
		return missing
	})
}

// jsonAttr is the object of attr --json. An unknown value is null.
type jsonAttr struct {
	URL        octets          `json:"url"`
	Size       *int64          `json:"size"`
	Modified   *octets         `json:"modified"`
	Type       *octets         `json:"type"`
	ETag       *octets         `json:"etag"`
	Attributes []jsonAttribute `json:"attributes"`
	Line       int             `json:"line,omitempty"`
}

type jsonAttribute struct {
	Name  octets  `json:"name"`
	Value octets  `json:"value"`
	Block *octets `json:"block"`
}

func (a *app) printAttr(u locator.URL, attr scheme.Attr) error {
	if a.flags.json {
		j := jsonAttr{URL: octets(u.Redacted()), Size: count(attr.Size), Modified: orNull(timeText(attr.Modified)),
			Type: orNull(attr.Type), ETag: orNull(attr.ETag), Attributes: []jsonAttribute{}, Line: a.at.line}
		for _, m := range attr.More {
			j.Attributes = append(j.Attributes, jsonAttribute{octets(m.Name), octets(m.Value), orNull(m.Block)})
		}
		return a.printJSON(j)
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
	return append(bytes.TrimRight(fmt.Appendf(b, "%-14s %s", safe(name), safe(value)), " "), '\n') // the values of prospero may be empty
}
