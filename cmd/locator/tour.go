package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

func (a *app) tourCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tour",
		Short: "Start embedded servers and access a URL of each scheme",
		Long: "tour starts embedded servers on the loopback interface and accesses real URLs on them. It needs no network, writes\n" +
			"only to a temporary folder, and ends by itself. With --trace it shows the dialogues.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.access(cmd.Context(), a.tour) },
	}
}

// stop is one URL of the tour.
type stop struct {
	what string // what the access does
	u    locator.URL
	want string // the body of an object
	list string // a name in a listing
	// fields is the number of fields of a form.
	fields int
}

func (a *app) tour(ctx context.Context, c *client.Client) error {
	stops, end, err := tourStops()
	defer end()
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "tour: starting servers: %w", err)
	}
	var out bytes.Buffer
	print := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	for _, s := range stops {
		if !a.flags.json {
			print("%s\n", safe(s.u.Redacted()))
		}
		start := time.Now()
		what, n, err := s.run(ctx, c)
		if err != nil {
			a.fail(fmt.Errorf("tour: %w", err))
			continue
		}
		took := time.Since(start)
		if a.flags.json {
			line, err := marshal(map[string]any{"url": octets(s.u.Redacted()), "did": s.what, "got": what, "bytes": n, "ms": took.Milliseconds()})
			if err != nil {
				return err
			}
			print("%s\n", line)
			continue
		}
		print("    %s: %s, %d bytes, %.1f ms\n", s.what, what, n, float64(took.Microseconds())/1000)
	}
	for _, x := range locator.Schemes() {
		if _, ok := c.Registry().Lookup(x.Name); !ok && !a.flags.json && x.Productions != "" && !x.Extension {
			print("%s:\n    can be parsed, built and explained, but not accessed yet\n", x.Name)
		}
	}
	end() // before any output: if a reader closes the pipe early, the program ends and would leave the temporary folder
	_, err = out.WriteTo(a.Out)
	return outputError(err)
}

// run accesses the URL and checks the result.
func (s stop) run(ctx context.Context, c *client.Client) (what string, n int64, err error) {
	res, err := c.Access(ctx, scheme.Request{URL: s.u}, nil)
	if err != nil {
		return "", 0, err
	}
	defer res.Close()
	wrong := func(format string, args ...any) error {
		return &scheme.Error{Op: "tour", URL: s.u.Redacted(), Code: scheme.CodeProtocol, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case s.list != "" && res.Kind == scheme.KindListing:
		entries, found := 0, false
		for e, err := range res.Entries {
			if err != nil {
				return "", 0, err
			}
			entries++
			n += int64(len(e.Name))
			found = found || strings.HasPrefix(e.Name, s.list)
		}
		if !found {
			return "", n, wrong("the listing does not contain %q", s.list)
		}
		return fmt.Sprintf("listing of %d entries", entries), n, nil
	case s.list == "" && res.Kind == scheme.KindObject:
		body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		if err == nil && string(body) != s.want {
			err = wrong("the body differs: %d bytes, want %d", len(body), len(s.want))
		}
		return "object", int64(len(body)), err
	}
	if n := s.fields; n > 0 && res.Kind == scheme.KindForm && len(res.Form.Fields) == n {
		return fmt.Sprintf("form of %d fields", n), 0, nil
	}
	return "", 0, wrong("it is a %s", res.Kind)
}

// tourStops starts the servers. The caller must call end, also after an error.
func tourStops() (stops []stop, end func(), err error) {
	var closers []func()
	end = func() {
		for _, f := range closers {
			f()
		}
		closers = nil
	}
	tree := peer.Tree()
	contents := make(map[string]string)
	for _, f := range tree {
		contents[strings.Join(f.Path, "/")] = f.Content
	}
	motd := contents["etc/motd"]
	start := func(s peer.Server, err error) (peer.Server, error) {
		if err == nil {
			closers = append(closers, s.Close)
		}
		return s, err
	}
	web, err := start(httptest.Start(tree))
	if err != nil {
		return nil, end, err
	}
	stops = append(stops, stop{what: "GET /etc/motd", u: web.URL("etc", "motd"), want: motd})
	files, err := start(ftptest.Start(tree))
	if err != nil {
		return nil, end, err
	}
	stops = append(stops,
		stop{what: "CWD etc, RETR motd", u: files.URL("etc", "motd"), want: motd},
		stop{what: "the directory, by MLSD", u: files.URL(""), list: "text.txt"})
	dir, err := os.MkdirTemp("", "locator-tour-")
	if err != nil {
		return nil, end, err
	}
	closers = append(closers, func() { os.RemoveAll(dir) })
	more, err := gopherStops(filepath.Join(dir, "gopher"), motd, start)
	if err != nil {
		return nil, end, err
	}
	stops = append(stops, more...)
	u, err := fileURL(dir, "motd")
	if err == nil {
		err = os.WriteFile(dir+string(os.PathSeparator)+"motd", []byte(motd), 0o600)
	}
	if err != nil {
		return nil, end, err
	}
	return append(stops, stop{what: "the local file", u: u, want: motd}), end, nil
}

// gopherStops starts a gopher server for a folder with a gophermap, which it creates in dir.
func gopherStops(dir, motd string, start func(peer.Server, error) (peer.Server, error)) ([]stop, error) {
	const menu = "!The tour\nA menu from a gophermap.\n\n0Message of the day\tetc/motd\n1The folder of it\tetc\n7Search all names\t/search\n0A form\t/form\n"
	err := os.MkdirAll(filepath.Join(dir, "etc"), 0o700)
	for name, content := range map[string]string{"gophermap": menu, "etc/motd": motd} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600)
		}
	}
	if err != nil {
		return nil, err
	}
	form := gophertest.Form{Ask: []string{"Ask: Name", "Choose: Colour\tred\tgreen"}}
	var menus *gophertest.Server
	if _, err = start(func() (peer.Server, error) {
		menus, err = gophertest.Start(nil, gophertest.Dir(dir), gophertest.Ask("form", form))
		return menus, err
	}()); err != nil {
		return nil, err
	}
	return []stop{
		{what: "the menu of a gophermap", u: menus.URL(""), list: "Message of the day"},
		{what: "a text", u: menus.Item('0', "/etc/motd", ""), want: strings.ReplaceAll(motd, "\n", "\r\n")}, // RFC 1436 3.2
		{what: "the same by Gopher+, with its length", u: menus.Item('0', "/etc/motd", "+"), want: motd},
		{what: "a search for motd", u: menus.SearchURL("motd"), list: "motd"},
		{what: "a form", u: menus.Item('0', "/form", "?"), fields: 2},
	}, nil
}

// fileURL returns the URL of a file in a local folder (RFC 1738 3.10).
func fileURL(dir, name string) (locator.URL, error) {
	dir = strings.ReplaceAll(dir, string(os.PathSeparator), "/")
	return locator.Build(&locator.File{Segments: append(strings.Split(strings.TrimPrefix(dir, "/"), "/"), name)})
}
