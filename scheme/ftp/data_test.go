package ftp_test

import (
	"net/netip"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
)

// TestThirdHost uses a server whose reply to PASV has the address of another host.
//
// Covers: P5, T1
func TestThirdHost(t *testing.T) {
	t.Parallel()
	s := start(t, ftptest.ForeignPASV(netip.MustParseAddr("192.0.2.1")))
	var dialled, noted []string
	c := newClient(t, func(o *client.Options) {
		o.Trace = &scheme.Trace{
			Connected: func(c scheme.Connection) { dialled = append(dialled, c.Remote) },
			Note:      func(text string) { noted = append(noted, text) },
		}
	})
	res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("text.txt")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := drain(t, res); got != "line one\nline two\nline three\n" {
		t.Errorf("got %q", got)
	}
	if len(dialled) != 2 || !strings.HasPrefix(dialled[1], "127.0.0.1:") {
		t.Errorf("dialled %q", dialled)
	}
	if len(noted) != 1 || !strings.Contains(noted[0], "192.0.2.1") {
		t.Errorf("noted %q", noted)
	}
}
