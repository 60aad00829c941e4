package scheme

import "io"

// WriterToN is what the connections of [Env] can do besides: write the next n octets that come to w, in steps so large
// that the kernel can move them from socket to file, each within the time that a step may take. Less than n without an
// error is the end of the connection.
type WriterToN interface {
	WriteToN(w io.Writer, n int64) (int64, error)
}

// CopyN writes the next n octets of a connection to w, by [WriterToN] where it can. Less than n without an error is the
// end of the connection.
func CopyN(w io.Writer, conn io.Reader, n int64) (int64, error) {
	if c, ok := conn.(WriterToN); ok {
		return c.WriteToN(w, n)
	}
	return io.Copy(w, io.LimitReader(conn, n))
}
