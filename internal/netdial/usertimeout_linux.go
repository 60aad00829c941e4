package netdial

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// setUserTimeout limits how long sent bytes may stay unacknowledged. The kernel sends no keepalive
// probes meanwhile, and would try for 15 minutes.
func setUserTimeout(raw syscall.RawConn) error {
	var failed error
	err := raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(userTimeout.Milliseconds()))
	})
	if err != nil {
		return err
	}
	return failed
}
