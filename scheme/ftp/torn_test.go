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
)

// TestListingTornWithinRecord lists a directory of a server that closes its data connection within a TLS record. The
// listing fails at once, in each of its forms: the error of the connection must not be taken for a last line without a line
// end, repeatedly.
//
// Covers: A1, P6
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
