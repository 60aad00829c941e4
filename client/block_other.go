//go:build !linux

package client

import (
	"net"
	"sync/atomic"
	"time"
)

// blocking is for systems on which it was measured.
type blocking struct{}

func block(net.Conn, time.Duration, *atomic.Int64) *blocking { return nil }

func (*blocking) poll() {}
func (*blocking) end()  {}
