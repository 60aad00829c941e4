package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/internal/console"
	"locator/internal/present"
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
		res, err := c.Attributes(ctx, r, &scheme.AttributesOptions{Accept: a.flags.Accept(), ServerInfo: details, Verify: probe})
		if err != nil {
			return err
		}
		a.Notes(res)
		var missing error // of the checksum; the other attributes are printed
		if details {
			var algorithm, value string
			if algorithm, value, missing = c.Digest(ctx, r); value != "" {
				res.Attr.More = append(res.Attr.More, scheme.Attribute{Block: "digest", Name: algorithm, Value: value})
			}
		}
		if n++; n > 1 && !a.flags.JSON {
			fmt.Fprintln(a.Out)
		}
		if err := a.printAttr(u, res.Attr); err != nil {
			return err
		}
		return missing
	})
}

func (a *app) printAttr(u locator.URL, attr scheme.Attr) error {
	if a.flags.JSON {
		j := present.AttributesOf(u, attr)
		j.Line = a.At.Line
		return a.PrintJSON(j)
	}
	_, err := a.Out.Write(present.AppendAttributes(nil, u, attr))
	return console.OutputError(err)
}
