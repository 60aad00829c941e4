package wire

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"time"
)

// ErrNoCloseNotify is the error of a Read if the connection below TLS ended without the alert
// close_notify. A third party can end a connection in this way without a key, so data may be
// missing (RFC 8446 6.1). It matches io.ErrUnexpectedEOF.
var ErrNoCloseNotify = fmt.Errorf("the connection was cut, or the server ended TLS without close_notify: %w", io.ErrUnexpectedEOF)

// TLSClient returns a TLS connection over conn, like [tls.Client]. Its Read returns io.EOF only
// after the alert close_notify; that of [tls.Client] also does if the connection ends between two
// records. Otherwise it returns [ErrNoCloseNotify].
func TLSClient(conn net.Conn, config *tls.Config) *tls.Conn {
	return tls.Client(belowTLS{conn}, config)
}

// belowTLS is a connection whose end is an error.
type belowTLS struct{ net.Conn }

// Read implements net.Conn. Package tls takes io.EOF and io.ErrUnexpectedEOF between two records,
// and only these two values, for the end of the data.
func (c belowTLS) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = ErrNoCloseNotify
	}
	return n, err
}

// Handshake performs the handshake of c, which fails after limit even if the server sends a byte
// now and then.
func Handshake(ctx context.Context, c *tls.Conn, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return c.HandshakeContext(ctx)
}
