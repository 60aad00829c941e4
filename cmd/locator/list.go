package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

func (a *app) listCommand() *cobra.Command {
	var details bool
	var o scheme.ListOptions
	var ask askOptions
	cmd := &cobra.Command{
		Use:   "list [URL ...]",
		Short: "List a directory, menu, group, database, index or link set",
		Long: "list prints one entry per line: kind, size in bytes, date, URL and display name. An unknown value is \"-\". An\n" +
			"entry of kind note is text without a URL.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Max < 0 {
				return scheme.Fail(scheme.CodeUsage, "--max must not be negative")
			}
			o.Detail, o.ServerInfo, o.Query, o.Accept = details, details, ask.words(), a.flags.acceptOptions()
			return a.accessURLs(cmd.Context(), args, func(ctx context.Context, c *client.Client, u locator.URL) error {
				return a.printEntries(a.Out, c.List(ctx, scheme.Request{URL: u}, &o), a.flags.json)
			})
		},
	}
	cmd.Flags().BoolVar(&details, "details", false, "request all attributes of each entry; takes more requests")
	cmd.Flags().IntVar(&o.Max, "max", 0, "print at most this many entries (0: no limit)")
	ask.registerQuery(cmd.Flags())
	return cmd
}

// printEntries prints entries as they arrive, up to the first error.
func (a *app) printEntries(w io.Writer, seq iter.Seq2[scheme.Entry, error], asJSON bool) error {
	out := bufio.NewWriter(w)
	defer out.Flush()
	for e, err := range seq {
		if err != nil {
			return err
		}
		if asJSON {
			line, err := marshal(entryOf(e))
			if err != nil {
				return err
			}
			out.Write(append(line, '\n'))
		} else {
			printEntry(out, e)
			if e.Attr.Abstract != "" { // with --details
				for line := range strings.SplitSeq(e.Attr.Abstract, "\n") {
					fmt.Fprintf(out, "    %s\n", safe(line))
				}
			}
			for _, m := range e.Mirrors {
				printEntry(out, m)
			}
		}
		if out.Buffered() > 16<<10 || isTerminal(w) {
			if err := outputError(out.Flush()); err != nil {
				return err
			}
		}
	}
	return outputError(out.Flush())
}

func printEntry(w io.Writer, e scheme.Entry) {
	size, modified, u := "-", "-", "-"
	if n, ok := e.Attr.Size.Get(); ok {
		size = strconv.FormatInt(n, 10)
	}
	if t := timeText(e.Attr.Modified); t != "" {
		modified = t
	}
	if !e.URL.IsZero() {
		u = e.URL.Redacted()
	}
	fmt.Fprintf(w, "%-8s %10s %20s  %s  %s\n", e.Kind, size, modified, safe(u), safe(e.Name))
}

// jsonEntry is an entry of list --json. An unknown value is null.
type jsonEntry struct {
	Name       octets      `json:"name"`
	URL        *octets     `json:"url"`
	Kind       string      `json:"kind"`
	Size       *int64      `json:"size"`
	Modified   *octets     `json:"modified"`
	Type       *octets     `json:"type"`
	Alternates []jsonEntry `json:"alternates"`
	Mirrors    []jsonEntry `json:"mirrors"`
	Score      *int64      `json:"score"`
	Lines      *int64      `json:"lines"`
	Admin      *octets     `json:"admin"`
	Views      []octets    `json:"views"`
	Abstract   *octets     `json:"abstract"`
	Precision  *octets     `json:"precision"`
	Mode       *octets     `json:"mode"`
	Owner      *octets     `json:"owner"`
	Group      *octets     `json:"group"`
	Target     *octets     `json:"target"`
}

func entryOf(e scheme.Entry) jsonEntry {
	j := jsonEntry{
		Name: octets(e.Name), Kind: e.Kind.String(), Size: count(e.Attr.Size), Modified: orNull(timeText(e.Attr.Modified)),
		Type: orNull(e.Attr.Type), Score: count(e.Attr.Score), Lines: count(e.Attr.Lines),
		Alternates: []jsonEntry{}, Mirrors: []jsonEntry{}, Views: []octets{},
		Admin: orNull(e.Attr.Admin), Abstract: orNull(e.Attr.Abstract),
		Owner: orNull(e.Attr.Owner), Group: orNull(e.Attr.Group), Target: orNull(e.Target),
	}
	if !e.Attr.Modified.IsZero() {
		j.Precision = orNull(e.Attr.Precision.String())
	}
	if e.Attr.Mode != 0 {
		j.Mode = orNull(e.Attr.Mode.String())
	}
	if !e.URL.IsZero() {
		j.URL = orNull(e.URL.Redacted())
	}
	for _, x := range e.Alternates {
		j.Alternates = append(j.Alternates, entryOf(x))
		j.Views = append(j.Views, octets(x.Name))
	}
	for _, x := range e.Mirrors {
		j.Mirrors = append(j.Mirrors, entryOf(x))
	}
	return j
}

func count(c scheme.Count) *int64 {
	if n, ok := c.Get(); ok {
		return &n
	}
	return nil
}
