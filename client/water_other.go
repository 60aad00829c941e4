//go:build !linux

package client

import "net"

// lowWater: other systems do not heed it while a connection is waited for.
func lowWater(net.Conn, int) bool { return false }
