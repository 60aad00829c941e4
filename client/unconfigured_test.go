package client

import (
	"net"
	"path/filepath"
	"testing"
)

func TestUnconfigured(t *testing.T) {
	t.Parallel()
	missing, there := filepath.Join(t.TempDir(), "resolv.conf"), t.TempDir()
	for _, c := range []struct {
		server, file string
		want         bool
	}{
		{"127.0.0.1:53", missing, true}, {"[::1]:53", missing, true}, {"127.0.0.1:53", there, false}, {"192.0.2.1:53", missing, false}, {"", missing, false},
	} {
		if got := unconfigured(&net.DNSError{Server: c.server}, c.file); got != c.want {
			t.Errorf("%s: %v, want %v", c.server, got, c.want)
		}
	}
}
