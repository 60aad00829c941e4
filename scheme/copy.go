package scheme

import "io"

// WriterToN is implemented by the connections of [Env]. WriteToN copies the next n bytes of the connection to w, in large
// steps so that the kernel can splice them to a file. The idle timeout applies. If it copies fewer than n bytes without an
// error, the connection ended.
type WriterToN interface {
	WriteToN(w io.Writer, n int64) (int64, error)
}

// CopyN copies the next n bytes of conn to w, with [WriterToN] if conn implements it. If it copies fewer than n bytes without
// an error, the connection ended.
func CopyN(w io.Writer, conn io.Reader, n int64) (int64, error) {
	if c, ok := conn.(WriterToN); ok {
		return c.WriteToN(w, n)
	}
	return io.Copy(w, io.LimitReader(conn, n))
}
