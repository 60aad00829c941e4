//go:build !linux

package netdial

import "net"

const rcvLowatBytes = 1 << 20

// rcvLowat does nothing: only Linux's poller respects SO_RCVLOWAT.
type rcvLowat struct {
	conn net.Conn
	fast bool
}

func (*rcvLowat) raise() {}

func (*rcvLowat) reset() bool { return false }
