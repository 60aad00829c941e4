package ftp_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
	"locator/wire"
)

// TestListingTornWithinRecord lists a directory of a server that closes its data connection within a TLS record. The
// listing fails at once, in each of its forms: the error of the connection must not be taken for a last line without a line
// end, repeatedly.
//
// Covers: A1, P6, T21
func TestListingTornWithinRecord(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]ftptest.Option{
		"MLSD": nil,
		"LIST": {ftptest.NoMLSD()},
		"NLST": {ftptest.NoLIST()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, trusting := startImplicit(t, append(opts, ftptest.TornTLS())...)
			c := newClient(t, trusting, func(o *client.Options) { o.Limits.Entries = 1000 })
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			done := make(chan error, 1)
			entries := 0
			go func() {
				var last error
				for _, err := range c.List(ctx, scheme.Request{URL: s.URL("")}, nil) {
					if last = err; err == nil {
						entries++
					}
				}
				done <- last
			}()
			select {
			case err := <-done:
				if client.CodeOf(err) != scheme.CodeBroken || !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("the listing ended with %v", err)
				}
				if most := len(schemetest.Tree()) + 2; entries > most {
					t.Errorf("got %d entries from half a listing, want at most %d", entries, most)
				}
			case <-time.After(15 * time.Second):
				t.Fatal("the listing continues after its context has ended")
			}
		})
	}
}

// TestNoCloseNotify reads from a server that ends TLS over data connections without close_notify. The announced size, and that
// of SIZE, vouch for a body together with the final reply; nothing vouches for a listing or a body in TYPE A.
//
// Covers: A1, P6, T22
func TestNoCloseNotify(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]ftptest.Option{"announced": nil, "SIZE": {ftptest.Unannounced()}} {
		s, trusting := startImplicit(t, append(opts, ftptest.NoCloseNotify())...)
		c := newClient(t, trusting)
		read := func(typ byte) (string, error) {
			res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("text.txt")}, &scheme.AccessOptions{Type: typ})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			defer res.Close()
			b, err := io.ReadAll(res.Body)
			return string(b), err
		}
		if got, err := read('i'); err != nil || got != "line one\nline two\nline three\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if got, err := read('a'); client.CodeOf(err) != scheme.CodeBroken || !errors.Is(err, wire.ErrNoCloseNotify) {
			t.Errorf("%s, TYPE A: %q, %v; want %v", name, got, err, wire.ErrNoCloseNotify)
		}
		var last error
		for _, err := range c.List(t.Context(), scheme.Request{URL: s.URL("")}, nil) {
			last = err
		}
		if client.CodeOf(last) != scheme.CodeBroken || !errors.Is(last, wire.ErrNoCloseNotify) {
			t.Errorf("%s, listing: %v; want %v", name, last, wire.ErrNoCloseNotify)
		}
	}
}
