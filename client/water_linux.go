package client

import (
	"net"

	"golang.org/x/sys/unix"
)

// lowWater sets how many octets have to be there before whoever waits for the connection is woken; false where the
// connection cannot do that.
func lowWater(conn net.Conn, octets int) bool {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return false
	}
	set := false
	err = raw.Control(func(fd uintptr) {
		set = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVLOWAT, octets) == nil
	})
	return set && err == nil
}
