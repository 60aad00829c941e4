// Command xecho accesses URLs of every scheme of Locator and of x-echo. Without arguments it starts
// an echo server on loopback, stores a text there, and reads it back.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/schemetest/peer"
	"locator/wire"

	"xecho"
	"xecho/xechotest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "xecho:", err)
		os.Exit(client.CodeOf(err).Exit())
	}
}

func run(ctx context.Context, out io.Writer, urls []string) error {
	// This line registers the scheme.
	registry := scheme.NewRegistry(append(all.Schemes(), xecho.New())...)
	c := client.New(client.Options{Registry: registry})
	defer c.Close()
	if len(urls) == 0 {
		return demonstrate(ctx, out, c)
	}
	for _, text := range urls {
		if err := show(ctx, out, c, text); err != nil {
			return err
		}
	}
	return nil
}

// demonstrate starts a server, stores a text there and reads it back.
func demonstrate(ctx context.Context, out io.Writer, c *client.Client) error {
	s, err := xechotest.Start(peer.Tree())
	if err != nil {
		return err
	}
	defer s.Close()
	u, err := xecho.URL(s.Addr(), "greeting")
	if err != nil {
		return err
	}
	const text = "hello from the eleventh scheme"
	res, err := c.Replace(ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(text), Size: scheme.Known(int64(len(text)))}, nil)
	if err != nil {
		return err
	}
	if err := res.Close(); err != nil {
		return err
	}
	if err := show(ctx, out, c, u.Text()); err != nil {
		return err
	}
	return show(ctx, out, c, s.URL("names", "").Text())
}

// show accesses a URL and prints the result. It escapes text of the server, which is not trusted.
func show(ctx context.Context, out io.Writer, c *client.Client, text string) error {
	u, err := c.Parse(text)
	if err != nil {
		return err
	}
	res, err := c.Access(ctx, scheme.Request{URL: u}, nil)
	if err != nil {
		return err
	}
	defer res.Close()
	fmt.Fprintf(out, "%s: %v\n", res.URL.Redacted(), res.Kind)
	switch res.Kind {
	case scheme.KindObject:
		first := make([]byte, 60)
		n, err := io.ReadFull(res.Body, first)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		fmt.Fprintf(out, "    %s\n", wire.Escape(string(first[:n])))
	case scheme.KindListing:
		for e, err := range res.Entries {
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "    %s  %s\n", wire.Escape(e.Name), e.URL.Redacted())
		}
	}
	return nil
}
