//go:build !linux

package netdial

import "syscall"

// setUserTimeout does nothing: the option is Linux's.
func setUserTimeout(syscall.RawConn) error { return nil }
