package wire

import "io"

// CopyN copies the next n bytes of conn to w. If conn has a method WriteToN with these parameters,
// as connections of scheme.Env have, it does so in large steps, which the kernel can splice to a
// file; its timeouts apply. If CopyN copies fewer than n bytes without an error, the connection
// ended.
func CopyN(w io.Writer, conn io.Reader, n int64) (int64, error) {
	if c, ok := conn.(interface {
		WriteToN(w io.Writer, n int64) (int64, error)
	}); ok {
		return c.WriteToN(w, n)
	}
	return io.Copy(w, io.LimitReader(conn, n))
}
